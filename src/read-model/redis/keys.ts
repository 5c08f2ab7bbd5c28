// The names of all keys. Everything of one generation lies under one hash tag, so that scripts may touch all of it.
//
// <name>:live, <name>:generations      which generation is in use; which ones there are
// {<name>:<generation>}:meta           hash: fingerprint, checkpoint, birth, changes, termChanges, retired
//                      :version, :tv   strings that change with every batch, and with every change of a term or its count
//                      :b:<d>, :z:<d>  body and state of a document, JSON; <d> is a letter for the kind, and the id
//                      :x              hash <d> → what is indexed of it, so that a later change can take it out
//                      :text           hash <d> → what `search` looks into
//                      :counts         hash: published events per term, settled events per linked post, events per length
//                      :names          sorted set of slugs, logins, e-mail addresses with their ids
//                      :life, :lat     present lives of venues and organizers; places of venues, by latitude
//                      :T              sorted set of the terms
//                      :s0 :n0 :m0.13  events of a status by start, by end; longer ones by start, by length (power of two)
//                      :a7.2           unpublished events of an author and a status, by start
//                      :c3 :t4 :v5.0 :o6.0 :f :k :p8   of a category, tag, venue and organizer (in a life), featured,
//                                      ticketed, of a parent; by start
//                      :V0 :O0         venues, organizers of a status by date
// Hidden events are in none of the sets above but in :h and :hn (start, end), which only know what happens next.
import { createHash } from 'node:crypto';
import type { DocumentKey, DocumentKind } from '../documents.ts';

/** Goes up with every change of the layout: another one is another generation. */
const LAYOUT = 1;

const LETTERS: Readonly<Record<DocumentKind, string>> = {
  event: 'e',
  venue: 'v',
  organizer: 'o',
  category: 'c',
  tag: 't',
  user: 'u',
};

export const letterOf = (kind: DocumentKind): string => LETTERS[kind];

/** A document's name within keys and fields. */
export const documentName = ({ kind, id }: DocumentKey): string => LETTERS[kind] + id;

/** The generation that belongs to a fingerprint: whoever goes back to earlier code finds what that code had made. */
export const generationOf = (fingerprint: string): string =>
  createHash('sha256').update(`${LAYOUT} ${fingerprint}`).digest('hex').slice(0, 16);

export interface Keys {
  /** First key of every script; the others begin with it and a colon. */
  readonly base: string;
  readonly version: string;
  readonly termsVersion: string;
  readonly meta: string;
  readonly names: string;
  body(key: DocumentKey): string;
  state(key: DocumentKey): string;
}

export function generationKeys(name: string, generation: string): Keys {
  const base = `{${name}:${generation}}`;
  return {
    base,
    version: `${base}:version`,
    termsVersion: `${base}:tv`,
    meta: `${base}:meta`,
    names: `${base}:names`,
    body: (key) => `${base}:b:${documentName(key)}`,
    state: (key) => `${base}:z:${documentName(key)}`,
  };
}
