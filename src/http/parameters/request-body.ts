// The sources of parameters: query, form and JSON body, and their precedence.

import { openTurns } from '../../event-loop/turns.ts';
import { phrase } from '../../locales/phrases.ts';
import { ApiError } from '../errors.ts';
import { excessIn, isExcessive, MAX_JSON_DEPTH, MAX_VALUES } from './body-size.ts';
import { emptyMap, isUnsafeName, type ParameterMap } from './parameter-map.ts';
import { MAX_PAIRS, nestFields, parseParameters } from './query-string.ts';

/** A request's body as received. */
export interface Body {
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
export async function collectParameters(query: ParameterMap, body: Body): Promise<ParameterMap> {
  if (body.bytes === undefined || body.bytes.length === 0) return query;
  return Object.assign(emptyMap(), query, await readBody(body, body.bytes));
}

async function readBody({ method, contentType = '' }: Body, bytes: Uint8Array): Promise<ParameterMap> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (JSON_TYPE.test(type)) return readJson(bytes);
  if (type === 'application/x-www-form-urlencoded') return method === 'GET' ? emptyMap() : readForm(bytes);
  if (type === 'multipart/form-data' && method === 'POST') return readMultipart(contentType, bytes);
  return emptyMap();
}

const lenientText = new TextDecoder('utf-8');
const strictText = new TextDecoder('utf-8', { fatal: true });

const readForm = (bytes: Uint8Array): ParameterMap => parseParameters(lenientText.decode(bytes));

/** Fields only: files are ignored. */
const readMultipart = async (contentType: string, bytes: Uint8Array): Promise<ParameterMap> =>
  (await readUpload(contentType, bytes)).fields;

/** A form with a file. */
export interface Upload {
  readonly fields: ParameterMap;
  /** The first file that is not empty; null: there is none. */
  readonly file: File | null;
}

/** Throws `rest_invalid_form`, and `rest_too_many_parameters` beyond 2,000 parts or 128 KiB of their headers. */
export async function readUpload(contentType: string, bytes: Uint8Array): Promise<Upload> {
  if (isExcessive(bytes, contentType, MAX_PAIRS)) throw new ApiError('rest_too_many_parameters');
  const turn = openTurns();
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new ApiError('rest_invalid_form');
    });
  await turn();
  const fields: [string, string][] = [];
  const files: File[] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else if (value.size > 0) files.push(value);
  }
  const upload = { fields: nestFields(fields), file: files[0] ?? null };
  await turn();
  return upload;
}

/** Others have their turn behind each step that took long, and before the values are checked. */
async function readJson(bytes: Uint8Array): Promise<ParameterMap> {
  const turn = openTurns();
  const excess = excessIn(bytes);
  if (excess === 'values') throw tooMany('too_many_values', MAX_VALUES);
  if (excess === 'depth') throw invalidJson('json_depth');
  await turn();
  const text = decodeJsonText(bytes);
  if (text.trim() === '') return emptyMap();
  const value = parseJson(text);
  await turn();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return emptyMap();
  const map = Object.assign(emptyMap(), cleaned(value, 1));
  await turn();
  return map;
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
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
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
