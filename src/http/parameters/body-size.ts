// How much there is in a body, counted in its bytes before it is parsed: a megabyte of small values costs a parser tens of
// milliseconds, in one go.
import { MIMEType } from 'node:util';

/** Of a JSON body: more than an event with as many venues, organizers and terms as it may have, each with all its fields. */
export const MAX_VALUES = 25_000;

export const MAX_JSON_DEPTH = 32;

/** Shorter ones are parsed within some milliseconds, whatever is in them. */
const SHORT_BYTES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/** What a JSON text has more of than it may have; null: nothing. A broken one is read as far as it goes. */
export function excessIn(json: Uint8Array): 'values' | 'depth' | null {
  if (json.length <= SHORT_BYTES) return null;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return 'depth';
    }
    if (values > MAX_VALUES) return 'values';
  }
  return null;
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Of all parts of a form together: ten times what 2,000 names need would take a parser as many milliseconds as the rest. */
const MAX_HEADER_BYTES = 131_072;

const END_OF_HEADERS = '\r\n\r\n';

/** Whether a form has more parts than this, by the boundary between them, or more headers than they need. */
export function isExcessive(form: Uint8Array, contentType: string, maxParts: number): boolean {
  const boundary = boundaryIn(contentType);
  if (boundary === null) return false;
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.length);
  let parts = 0;
  let headers = 0;
  for (let at = bytes.indexOf(boundary); at >= 0; ) {
    const start = at + boundary.length;
    const next = bytes.indexOf(boundary, start);
    // The last one ends the form.
    if (next < 0) return false;
    parts += 1;
    const content = bytes.indexOf(END_OF_HEADERS, start);
    headers += (content < 0 ? next : Math.min(content, next)) - start;
    if (parts > maxParts || headers > MAX_HEADER_BYTES) return true;
    at = next;
  }
  return false;
}

function boundaryIn(contentType: string): string | null {
  try {
    const boundary = new MIMEType(contentType).params.get('boundary');
    return boundary ? `--${boundary}` : null;
  } catch {
    return null;
  }
}
