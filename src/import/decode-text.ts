// Decodes bytes by their byte order mark, their declared encoding, or else by trial.

const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** `charset` is the declared encoding, if any. Bytes that are not UTF-8 are decoded as Windows-1252; never throws. */
export function decodeText(bytes: Uint8Array, charset = ''): string {
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  for (const encoding of [marked?.[1] ?? '', charset, 'utf-8']) {
    const text = encoding === '' ? null : attempt(encoding, bytes);
    if (text !== null) return text;
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

/** Null for an unknown encoding, or bytes that are not in it. The byte order mark is not part of the text. */
function attempt(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
