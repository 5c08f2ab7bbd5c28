// Query strings and form bodies: from text to nested values, in every notation that clients use for lists and objects.
//
// COMPAT: not `qs`, which has no option for these: `a[1]=x&a[0]=y` is x, y here (as sent) and y, x there; of
// `a=1&a[]=2` the last notation counts here, both there; `a[][]=1` is a list of a list here; `a=%C3%28` is decoded as
// far as possible.
// decision 16
import { ApiError } from '../errors.ts';
import { emptyMap, isUnsafeName, type ParameterMap } from './parameter-map.ts';

type ParameterValue = string | readonly ParameterValue[] | { readonly [key: string]: ParameterValue };

/** Of a query, a form, or an object of JSON. */
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
export function parseParameters(text: string): ParameterMap {
  const root = newBranch();
  let pairs = 0;
  for (const pair of text.split('&', MAX_PAIRS + 1)) {
    pairs += 1;
    if (pairs > MAX_PAIRS) throw new ApiError('rest_too_many_parameters');
    if (pair !== '') addPair(root, pair);
  }
  const map = emptyMap();
  for (const [name, member] of root.members) map[name] = finished(member);
  return map;
}

function addPair(root: Branch, pair: string): void {
  const equals = pair.indexOf('=');
  const name = decodeText(equals < 0 ? pair : pair.slice(0, equals));
  addField(root, name, equals < 0 ? '' : decodeText(pair.slice(equals + 1)));
}

/** Combines fields with decoded names and values, like `parseParameters`. */
export function nestFields(fields: Iterable<readonly [string, string]>): ParameterMap {
  const root = newBranch();
  let count = 0;
  for (const [name, value] of fields) {
    count += 1;
    if (count > MAX_PAIRS) throw new ApiError('rest_too_many_parameters');
    addField(root, name, value.replaceAll('\0', ''));
  }
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

/** `a[b][]` is `a`, `b`, ``. An unclosed bracket ends the path; what follows it is ignored. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0 || name.indexOf(']', open) < 0) return [name];
  const path = [name.slice(0, open)];
  let at = open;
  while (name[at] === '[') {
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

const HEX = '[\\da-f]';
const NEXT = `%[89ab]${HEX}`;

/** Characters in UTF-8 as percent sequences, as the Unicode Standard has them (table 3-7): decoding them throws nothing. */
const CHARACTERS = new RegExp(
  `(?:${[
    `%[0-7]${HEX}`,
    `%(?:c[2-9a-f]|d${HEX})${NEXT}`,
    `%(?:e0%[ab]${HEX}|e[1-9a-cef]${NEXT}|ed%[89]${HEX})${NEXT}`,
    `%(?:f0%[9ab]${HEX}|f[1-3]${NEXT}|f4%8${HEX})${NEXT}${NEXT}`,
  ].join('|')})+`,
  'gi',
);

/** Form decoding of a name or value. */
export function decodeText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return decodePercent(spaced);
}

/** Percent decoding alone, for paths and headers. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text.includes('\0') ? text.replaceAll('\0', '') : text;
  return decoded(text).replaceAll('\0', '');
}

/** Most texts are right, and one step is ten times as quick as one for each run. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(CHARACTERS, decodeURIComponent);
  }
}
