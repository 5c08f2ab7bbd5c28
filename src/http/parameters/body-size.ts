// How much there is in a body, counted in its bytes before it is parsed: a megabyte of small values costs a parser tens of
// milliseconds, in one go.

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
