// Query strings and form bodies: from text to nested values, in every notation that clients use for lists and objects.
//
// COMPAT: not `qs`, which has no option for these: `a[1]=x&a[0]=y` is x, y here (as sent) and y, x there; of
// `a=1&a[]=2` the last notation counts here, both there; `a[][]=1` is a list of a list here; `a=%C3%28` is decoded as
// far as possible.
// decision 16
import { ApiError } from '../errors.ts';
import { emptyMap, isUnsafeName, type ParameterMap } from './parameter-map.ts';

type ParameterValue = string | readonly ParameterValue[] | { readonly [key: string]: ParameterValue };

/** The members that a query, a form or an object of JSON may have. */
export const MAX_PAIRS = 2_000;
const MAX_DEPTH = 6;

/** A value under construction. */
interface Branch {
  readonly members: Map<string, Branch | string>;
  nextIndex: number;
}

/**
 * Parses `a=1&b[]=2&c[0]=3&d[name]=4`. Plain repetition keeps the last value; brackets build lists (`[]`, or numbers
 * only: without gaps, in the order sent) and objects. `+` is a blank; percent sequences that are not UTF-8 stay as
 * text; NUL is removed. Throws `rest_too_many_parameters` beyond 2,000 pairs or six brackets.
 */
export const parseParameters = (text: string): ParameterMap => nestFields(text.split('&', MAX_PAIRS + 1).map(fieldOf));

function fieldOf(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [decodeText(pair), ''] : [decodeText(pair.slice(0, equals)), decodeText(pair.slice(equals + 1))];
}

/** Combines fields with decoded names and values, like `parseParameters`. */
export function nestFields(fields: readonly (readonly [string, string])[]): ParameterMap {
  if (fields.length > MAX_PAIRS) throw new ApiError('rest_too_many_parameters');
  const root = newBranch();
  for (const [name, value] of fields) addField(root, name, value.replace(/\0/g, ''));
  const map = emptyMap();
  for (const [name, member] of root.members) map[name] = finished(member);
  return map;
}

function addField(root: Branch, name: string, value: string): void {
  const path = pathOf(name);
  if (path.some(isUnsafeName) || path[0] === '') return;
  if (path.length > MAX_DEPTH + 1) throw new ApiError('rest_too_many_parameters');
  let branch = root;
  for (const segment of path.slice(0, -1)) branch = descend(branch, segment);
  branch.members.set(keyIn(branch, path.at(-1) ?? ''), value);
}

function newBranch(): Branch {
  return { members: new Map(), nextIndex: 0 };
}

/** `a[b][]` is `a`, `b`, ``. An unclosed bracket ends the path; what follows it is ignored, and so is what is too deep. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0 || name.indexOf(']', open) < 0) return [name];
  const path = [name.slice(0, open)];
  let at = open;
  while (name[at] === '[' && path.length <= MAX_DEPTH + 1) {
    const close = name.indexOf(']', at);
    if (close < 0) break;
    path.push(name.slice(at + 1, close));
    at = close + 1;
  }
  return path;
}

function descend(branch: Branch, segment: string): Branch {
  const key = keyIn(branch, segment);
  const known = branch.members.get(key);
  if (known !== undefined && typeof known !== 'string') return known;
  const child = newBranch();
  branch.members.set(key, child);
  return child;
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function keyIn(branch: Branch, segment: string): string {
  if (segment === '') {
    const key = String(branch.nextIndex);
    branch.nextIndex += 1;
    return key;
  }
  if (INDEX.test(segment)) branch.nextIndex = Math.max(branch.nextIndex, Number(segment) + 1);
  return segment;
}

function finished(value: Branch | string): ParameterValue {
  if (typeof value === 'string') return value;
  const keys = [...value.members.keys()];
  const members = [...value.members.values()].map(finished);
  if (keys.every((key) => INDEX.test(key))) return members;
  const object: { [key: string]: ParameterValue } = Object.create(null);
  keys.forEach((key, at) => {
    object[key] = members[at] ?? '';
  });
  return object;
}

const [PLUS, BLANK, PERCENT] = [0x2b, 0x20, 0x25];
/** By byte: the digit that it stands for, or less than 0. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);
const ENCODED = /[%+\0]/;

/** Form decoding of a name or value. */
export const decodeText = (text: string): string => decoded(text, BLANK);

/** Percent decoding alone, for paths and headers. */
export const decodePercent = (text: string): string => decoded(text, PLUS);

/**
 * Byte by byte: of a megabyte of `%41%zz` the runs that `decodeURIComponent` takes, and of `+` what `replaceAll` finds, took 30 ms,
 * and this takes 5.
 */
function decoded(text: string, plus: number): string {
  if (!ENCODED.test(text)) return text;
  const bytes = Buffer.from(text);
  let to = 0;
  const put = (byte: number): void => {
    bytes[to] = byte;
    if (byte !== 0) to += 1;
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const end = byte === PERCENT ? at + 3 * escapedLength(bytes, at) : at;
    if (at === end) {
      put(byte === PLUS ? plus : byte);
      at += 1;
    }
    for (; at < end; at += 3) put(escapedByte(bytes, at));
  }
  return bytes.toString('utf8', 0, to);
}

/** What a percent sequence stands for; less than 0: there is none. */
function escapedByte(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== PERCENT || at + 2 >= bytes.length) return -1;
  return ((DIGITS[bytes[at + 1] ?? 0] ?? 0) << 4) | (DIGITS[bytes[at + 2] ?? 0] ?? 0);
}

/** How many percent sequences a character in UTF-8 consists of, as the Unicode Standard has them (table 3-7); 0: none is here. */
function escapedLength(bytes: Uint8Array, at: number): number {
  const first = escapedByte(bytes, at);
  if (first < 0xc2 || first > 0xf4) return first >= 0 && first < 0x80 ? 1 : 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let code = first & (0x7f >> length);
  for (let part = 1; part < length; part++) {
    const next = escapedByte(bytes, at + 3 * part);
    if (next >> 6 !== 0b10) return 0;
    code = (code << 6) | (next & 0x3f);
  }
  const isLeast = code >> (length === 2 ? 7 : 5 * length - 4) > 0;
  const isHalf = code >> 11 === 0xd800 >> 11;
  return isLeast && !isHalf && code <= 0x10ffff ? length : 0;
}
