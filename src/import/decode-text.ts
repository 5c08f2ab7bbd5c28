// Bytes as the text that they are, by what they begin with, by what is said of them, else by what fits.

const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** `charset` is what the sender says, if it says anything. What is no UTF-8 is taken as Windows-1252; nothing is thrown. */
export function decodeText(bytes: Uint8Array, charset = ''): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  for (const encoding of [marked?.[1] ?? '', charset, 'utf-8']) {
    const text = encoding === '' ? null : attempt(encoding, bytes);
    if (text !== null) return text;
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Null when there is no such encoding, or when the bytes are not of it. The mark is no part of the text. */
function attempt(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
