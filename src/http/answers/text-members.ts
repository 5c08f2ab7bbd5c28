// Parts of a long JSON text that is sent again and again: where its members stand is found once, so that no answer parses or
// writes it anew.

/** Members of an object by name: the text of their value, and where their own members stand. */
interface TextMember {
  readonly value: Buffer;
  readonly members: TextMembers | null;
}

export type TextMembers = ReadonlyMap<string, TextMember>;

/** What is known of each text as long as it is kept. */
const known = new WeakMap<Buffer, TextMembers>();

/** How deep members are looked for: paths and schemas of a document are a level below its own members. */
const LEVELS = 2;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Marks a text as one that is sent again and again: an object as `JSON.stringify` writes it. */
export function lastingText(json: string): Buffer {
  const bytes = Buffer.from(json);
  known.set(bytes, membersIn(bytes, LEVELS));
  return bytes;
}

/** The members of a text that was marked; undefined: it was not. */
export const membersOfLasting = (bytes: Buffer): TextMembers | undefined => known.get(bytes);

function membersIn(object: Buffer, levels: number): TextMembers {
  const members = new Map<string, TextMember>();
  for (let at = 1; at < object.length - 1; ) {
    const colon = endOfText(object, at) + 1;
    const end = endOfValue(object, colon + 1);
    const value = object.subarray(colon + 1, end);
    const isObject = levels > 1 && value[0] === OPEN_OBJECT;
    members.set(JSON.parse(object.toString('utf8', at, colon)), {
      value,
      members: isObject ? membersIn(value, levels - 1) : null,
    });
    at = end + 1;
  }
  return members;
}

/** The index of the quotation mark that ends a text. */
function endOfText(json: Buffer, start: number): number {
  let at = start + 1;
  while (json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The index behind a value: of a comma, or of what closes its object. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
  }
}
