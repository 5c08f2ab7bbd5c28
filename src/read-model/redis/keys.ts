// The names of keys: docs/redis-keys.md describes their content. Everything of one generation is under one hash tag, so
// that scripts may access all of it.
import { createHash } from 'node:crypto';
import type { DocumentKey, DocumentKind } from '../documents.ts';

/** Raise it with every change of the layout: another layout is another generation. */
const LAYOUT = 6;

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
};

export const letterOf = (kind: DocumentKind): string => LETTERS[kind];

const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as DocumentKind])); // Keys as typed above.

/** The key of a document by its name; null for anything else. */
export function keyNamed(name: string): DocumentKey | null {
  const kind = KINDS.get(name.slice(0, 1));
  return kind === undefined ? null : { kind, id: Number(name.slice(1)) };
}

/** A document's name within keys and fields. */
export const documentName = ({ kind, id }: DocumentKey): string => LETTERS[kind] + id;

/** The first generation of a fingerprint: going back to earlier code finds what that code had made. */
export const generationOf = (fingerprint: string): string =>
  createHash('sha256').update(`${LAYOUT} ${fingerprint}`).digest('hex').slice(0, 16);

/** The value of `:next` of a generation in use. */
export const isInUse = (next: string | null): next is string => next?.startsWith('=') === true;

export interface Keys {
  readonly generation: string;
  /** First key of every script; the others begin with it and a colon. */
  readonly base: string;
  readonly version: string;
  readonly termsVersion: string;
  readonly next: string;
  readonly meta: string;
  readonly names: string;
  body(key: DocumentKey): string;
  rest(key: DocumentKey): string;
  text(key: DocumentKey): string;
  /** The staging key of a value that the script moves to its own key (begins with `b:`, `z:` or `t:`). */
  waiting(name: string): string;
}

export function generationKeys(name: string, generation: string): Keys {
  const base = `{${name}:${generation}}`;
  return {
    generation,
    base,
    version: `${base}:version`,
    termsVersion: `${base}:tv`,
    next: `${base}:next`,
    meta: `${base}:meta`,
    names: `${base}:names`,
    body: (key) => `${base}:b:${documentName(key)}`,
    rest: (key) => `${base}:z:${documentName(key)}`,
    text: (key) => `${base}:t:${documentName(key)}`,
    waiting: (name) => `${base}:+${name}`,
  };
}
