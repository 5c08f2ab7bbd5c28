// The sources of parameters: query, form and JSON body, and their precedence.
import { phrase } from '../../locales/phrases.ts';
import { ApiError } from '../errors.ts';
import { contentTypeIn, FORM, MULTIPART } from './content-type.ts';
import { readForm } from './multipart.ts';
import { emptyMap, isUnsafeName, type ParameterMap } from './parameter-map.ts';
import { MAX_PAIRS, parseParameters } from './query-string.ts';

/** A request's body as received. */
interface Body {
  /** The method on the wire, before any override. */
  readonly method: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array | undefined;
}

const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json$/;

/**
 * All parameters in one map, highest precedence last: query, form, JSON. Bodies of other types and JSON that is not an
 * object count as empty. Throws `rest_invalid_json`, `rest_invalid_form`, `rest_too_many_parameters`.
 */
export function collectParameters(query: ParameterMap, body: Body): ParameterMap | Promise<ParameterMap> {
  if (body.bytes === undefined || body.bytes.length === 0) return query;
  const parameters = readBody(body, body.bytes);
  const over = (own: ParameterMap): ParameterMap => Object.assign(emptyMap(), query, own);
  return parameters instanceof Promise ? parameters.then(over) : over(parameters);
}

function readBody({ method, contentType }: Body, bytes: Uint8Array): ParameterMap | Promise<ParameterMap> {
  const { essence } = contentTypeIn(contentType);
  if (JSON_TYPE.test(essence)) return readJson(bytes);
  if (essence === FORM) return method === 'GET' ? emptyMap() : readTextForm(bytes);
  if (essence === MULTIPART && method === 'POST')
    return readForm(contentType, bytes, null).then(({ fields }) => fields);
  return emptyMap();
}

const lenientText = new TextDecoder('utf-8');
const strictText = new TextDecoder('utf-8', { fatal: true });

/** Throws `rest_too_many_parameters`. */
export const readTextForm = (bytes: Uint8Array): ParameterMap => parseParameters(lenientText.decode(bytes));

function readJson(bytes: Uint8Array): ParameterMap {
  const excess = excessIn(bytes);
  if (excess === 'values') throw tooMany('too_many_values', MAX_VALUES);
  if (excess === 'depth') throw invalidJson('json_depth');
  const text = decodeJsonText(bytes);
  if (text.trim() === '') return emptyMap();
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return emptyMap();
  return Object.assign(emptyMap(), cleaned(value, 1));
}

function decodeJsonText(bytes: Uint8Array): string {
  try {
    return strictText.decode(bytes);
  } catch {
    throw invalidJson('json_encoding');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson('json_syntax');
  }
}

/**
 * Removes unsafe names and NULs recursively, in place: the value has no other owner. `secure-json-parse` keeps
 * `{"a":{"constructor":5}}`, has no limit of depth and keeps NUL: it would be a second walk beside this one.
 */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.replace(/\0/g, '');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_JSON_DEPTH) throw invalidJson('json_depth');
  if (Array.isArray(value)) return value.map((member) => cleaned(member, depth + 1));
  const object = value as { [name: string]: unknown }; // What JSON.parse makes of an object.
  const names = Object.keys(object);
  // Each of them costs several times what it cost to parse it.
  if (names.length > MAX_PAIRS) throw tooMany('too_many_members', MAX_PAIRS);
  for (const name of names) {
    if (isUnsafeName(name)) delete object[name];
    else object[name] = cleaned(object[name], depth + 1);
  }
  return object;
}

const tooMany = (of: 'too_many_members' | 'too_many_values', most: number): ApiError =>
  new ApiError('rest_too_many_parameters', { text: phrase(of, { most }) });

const JSON_ERROR_CODES = { json_depth: 1, json_syntax: 4, json_encoding: 5 } as const;

const invalidJson = (what: keyof typeof JSON_ERROR_CODES): ApiError =>
  new ApiError('rest_invalid_json', {
    data: ({ phrases }) => ({ json_error_code: JSON_ERROR_CODES[what], json_error_message: phrases[what] }),
  });

// How much there is in a body, counted in its bytes before it is parsed: a megabyte of small values costs a parser tens of
// milliseconds, in one go.

/** The values of a JSON body: more than an event with as many venues, organizers and terms as it may have, each with all its fields. */
const MAX_VALUES = 25_000;

const MAX_JSON_DEPTH = 32;

/** Shorter ones are parsed within some milliseconds, whatever is in them. */
const SHORT_BYTES = 65_536;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/** What a JSON text has more of than it may have; null: nothing. A broken one is read as far as it goes. */
function excessIn(json: Uint8Array): 'values' | 'depth' | null {
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
