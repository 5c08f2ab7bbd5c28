// The body of an answer: complete, reduced to `_fields`, or wrapped by `_envelope`.

import { listOf } from '../../kernel/text/wire-words.ts';
import { isUnsafeName, type ParameterMap } from '../parameters/parameter-map.ts';
import type { HeaderSet } from './headers.ts';
import type { Outline } from './stored-list.ts';
import type { TextMembers } from './text-members.ts';

/** JSON text reduced to `_fields`, each item of a list; errors stay complete. */
export function withFields(json: string, status: number, query: ParameterMap): string {
  if (query._fields === undefined || status >= 400 || json === '') return json;
  const fields = listOf(query._fields);
  if (fields.length === 0) return json;
  const [value, tree] = [JSON.parse(json), fieldTree(fields)];
  return JSON.stringify(Array.isArray(value) ? value.map((item) => picked(item, tree)) : picked(value, tree));
}

/**
 * A list reduced to `_fields`, in pieces. Its items are kept as they are or left out, so only what surrounds them is
 * parsed: they may have many megabytes.
 */
export function listWithFields(bytes: Buffer, { head, tail }: Outline, query: ParameterMap): readonly Buffer[] {
  const fields = listOf(query._fields);
  if (fields.length === 0) return [bytes];
  const outline: { readonly [name: string]: unknown } = JSON.parse(head + tail);
  const tree = fieldTree(fields);
  const reduced = JSON.stringify(picked(outline, tree));
  const [collection = ''] = Object.keys(outline);
  if (tree.get(collection) !== true) return [Buffer.from(reduced)];
  const items = bytes.subarray(Buffer.byteLength(head), bytes.length - Buffer.byteLength(tail));
  return [Buffer.from(head), items, Buffer.from(reduced.slice(head.length))];
}

/** A text that is sent again and again reduced to `_fields`, in pieces of itself. */
export function lastingWithFields(bytes: Buffer, members: TextMembers, query: ParameterMap): readonly Buffer[] {
  const fields = listOf(query._fields);
  return fields.length === 0 ? [bytes] : piecesOf(members, fieldTree(fields));
}

function piecesOf(members: TextMembers, tree: ReadonlyMap<string, FieldTree>): Buffer[] {
  const pieces: Buffer[] = [];
  for (const [name, { value, members: below }] of members) {
    const part = tree.get(name);
    if (part === undefined) continue;
    const parts = part === true ? [value] : below ? piecesOf(below, part) : partOf(value, part);
    if (parts.length > 0)
      pieces.push(Buffer.from(`${pieces.length > 0 ? ',' : '{'}${JSON.stringify(name)}:`), ...parts);
  }
  return [...(pieces.length > 0 ? pieces : [Buffer.from('{')]), Buffer.from('}')];
}

function partOf(value: Buffer, tree: FieldTree): Buffer[] {
  const part = picked(JSON.parse(value.toString()), tree);
  return part === undefined ? [] : [Buffer.from(JSON.stringify(part))];
}

export const wantsEnvelope = (query: ParameterMap): boolean => query._envelope !== undefined;

/** Whether the body is sent unchanged, so that cached bytes can be used. */
export const leavesWhole = (query: ParameterMap): boolean => query._fields === undefined && !wantsEnvelope(query);

/** What stands before and after a body in its envelope: bodies are bytes, sent as they are. Headers that count are numbers, as in the body. */
export const envelopeAround = (status: number, headers: HeaderSet) => ({
  before: '{"body":',
  after: `,"status":${status},"headers":${JSON.stringify(headers, numbered)}}`,
});

const COUNTING: ReadonlySet<string> = new Set(['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages']);

const numbered = (name: string, value: unknown): unknown => (COUNTING.has(name) ? Number(value) : value);

/** What to keep: everything (true) or, of an object, these members. */
type FieldTree = true | Map<string, FieldTree>;

const MAX_FIELDS = 500;
const MAX_DEPTH = 10;

function fieldTree(fields: readonly string[]): Map<string, FieldTree> {
  const root = new Map<string, FieldTree>();
  for (const field of fields.slice(0, MAX_FIELDS)) addField(root, field.split('.').slice(0, MAX_DEPTH));
  return root;
}

function addField(root: Map<string, FieldTree>, path: readonly string[]): void {
  let tree = root;
  for (const [at, name] of path.entries()) {
    const known = tree.get(name);
    if (known === true || isUnsafeName(name)) return;
    if (at === path.length - 1) tree.set(name, true);
    else {
      const next = known ?? new Map<string, FieldTree>();
      tree.set(name, next);
      tree = next;
    }
  }
}

/** Members keep their own order. Lists are not searched: a path through one leaves it empty. */
function picked(value: unknown, tree: FieldTree): unknown {
  if (tree === true) return value;
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  const part: { [name: string]: unknown } = {};
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (below !== undefined) part[name] = picked(member, below);
  }
  return part;
}
