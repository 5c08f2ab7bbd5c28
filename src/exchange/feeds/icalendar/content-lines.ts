// Content lines of iCalendar (RFC 5545, section 3.1): escaped, quoted, folded, each ended by CRLF.

/** Octets of a line without its line end. */
const LINE_OCTETS = 75;

export type LineParameters = { readonly [name: string]: string };

/** One property. `value` must be ready for its type: texts by `textValue`, addresses by `uriValue`. */
export function contentLine(name: string, value: string, parameters: LineParameters = {}): string {
  let line = name;
  for (const [parameter, text] of Object.entries(parameters)) line += `;${parameter}=${parameterValue(text)}`;
  return folded(`${line}:${value}`);
}

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
/** Readers split lines at more than CR and LF. */
const LINE_ENDS = /\r\n?|[\n\u0085\u2028\u2029]/g;

/** Line ends become `\n`, other control characters except tabs are removed, and lone surrogates become U+FFFD. */
const tidy = (text: string): string => text.toWellFormed().replace(LINE_ENDS, '\n').replace(CONTROLS, '');

/** A value of the type TEXT. */
export const textValue = (text: string): string =>
  tidy(text)
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');

/** A value of the type URI: other characters are percent-encoded. */
export const uriValue = (address: string): string =>
  tidy(address)
    .replace(/[\n\t]/g, '')
    .replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent);

/** A parameter's value. Characters that quotes cannot contain are encoded by RFC 6868. */
function parameterValue(text: string): string {
  const written = tidy(text).replaceAll('^', '^^').replaceAll('\n', '^n').replaceAll('"', "^'");
  return /[:;,]/.test(written) ? `"${written}"` : written;
}

/** Cuts between characters only: readers may decode line by line. */
function folded(line: string): string {
  if (line.length * 3 <= LINE_OCTETS) return `${line}\r\n`;
  const bytes = Buffer.from(line);
  if (bytes.length <= LINE_OCTETS) return `${line}\r\n`;
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const room = pieces.length === 0 ? LINE_OCTETS : LINE_OCTETS - 1;
    const to = cutAt(bytes, from + room);
    pieces.push(bytes.toString('utf8', from, to));
    from = to;
  }
  return `${pieces.join('\r\n ')}\r\n`;
}

/** The last place at or before `end` that is not inside a character. */
function cutAt(bytes: Buffer, end: number): number {
  if (end >= bytes.length) return bytes.length;
  let cut = end;
  // Octets 10xxxxxx continue a character.
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
