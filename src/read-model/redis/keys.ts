// The names of keys: docs/redis-keys.md describes their content. Everything of one generation is under one hash tag, so
// that scripts may access all of it.
import { createHash } from 'node:crypto';
import { type Document, type DocumentKey, type DocumentKind, namesOf } from '../documents.ts';

/** Raise it with every change of the layout: another layout is another generation. */
const LAYOUT = 9;

const LETTERS: Readonly<Record<DocumentKind, string>> = {
  event: 'e',
  venue: 'v',
  organizer: 'o',
  category: 'c',
  tag: 't',
  user: 'u',
  proposal: 'p',
  picture: 'i',
  series: 's',
  parked: 'k',
};

const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as DocumentKind])); // Keys as typed above.

/** The key of a document by its name; null for anything else. */
export function keyNamed(name: string): DocumentKey | null {
  const kind = KINDS.get(name.slice(0, 1));
  const id = Number(name.slice(1));
  return kind === undefined || !Number.isInteger(id) ? null : { kind, id };
}

/** A document's name within keys and fields. */
export const documentName = ({ kind, id }: DocumentKey): string => LETTERS[kind] + id;

/** The first generation of a fingerprint: going back to earlier code finds what that code had made. */
export const generationOf = (fingerprint: string): string =>
  createHash('sha256').update(`${LAYOUT} ${fingerprint}`).digest('hex').slice(0, 16);

export interface Keys {
  readonly generation: string;
  /** First key of every script; the others begin with it and a colon. */
  readonly base: string;
  /** What this generation is at, or which one has taken its place. */
  readonly version: string;
  readonly meta: string;
  readonly names: string;
  /** The packed rows of documents. */
  readonly rows: string;
  /** The names under which each document is looked up. */
  readonly records: string;
  readonly changes: string;
  body(key: DocumentKey): string;
  rest(key: DocumentKey): string;
  /** The staging key of a value that the script moves to its own key (begins with `b:` or `z:`). */
  waiting(name: string): string;
}

export function generationKeys(name: string, generation: string): Keys {
  const base = `{${name}:${generation}}`;
  return {
    generation,
    base,
    version: `${base}:version`,
    meta: `${base}:meta`,
    names: `${base}:names`,
    rows: `${base}:rows`,
    records: `${base}:x`,
    changes: `${base}:changes`,
    body: (key) => `${base}:b:${documentName(key)}`,
    rest: (key) => `${base}:z:${documentName(key)}`,
    waiting: (waiting) => `${base}:+${waiting}`,
  };
}

// Entries of the set of names. Bytes compare as letters do, so all entries of a name are side by side, in the order of ids.

const ID_DIGITS = 16;

/** JSON distinguishes any two texts, including halves of surrogate pairs, and has no line break. */
const namePrefix = (kind: DocumentKind, name: string): string => `${LETTERS[kind]}${JSON.stringify(name)}\t`;

const nameEntry = (kind: DocumentKind, name: string, id: number): string =>
  namePrefix(kind, name) + String(id).padStart(ID_DIGITS, '0');

/** The entries of a document. */
export const nameEntries = (document: Document): string[] =>
  namesOf(document).map((name) => nameEntry(document.kind, name, document.id));

/** The id at the end of an entry. */
export const namedId = (entry: string): number => Number(entry.slice(-ID_DIGITS));

/** The bounds between which the entries of a name lie; only those of ids below `below`, if it is given. */
export function nameRange(kind: DocumentKind, name: string, below?: number): readonly [from: string, to: string] {
  const prefix = namePrefix(kind, name);
  return [`[${prefix}`, below === undefined ? `(${prefix}:` : `(${nameEntry(kind, name, below)}`];
}
