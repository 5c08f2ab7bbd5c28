// The names of all keys. Everything of one generation lies under one hash tag, so that scripts may touch all of it.
//
// <name>:live, <name>:generations      which generation is in use; which ones there are
// <name>:newest                        hash: a fingerprint's first generation → the one that is now in its place
// <name>:builds, <name>:rebuild        generations that are being built beside it; who builds
// {<name>:<generation>}:meta           hash: fingerprint, checkpoint, mark, birth, changes, termChanges, retired, successor, dropped, fill, fill <id>
//                      :next           '=' and the birth, which is another one whenever the generation has been emptied, or
//                                      the generation that has taken its place: readers keep an eye on it
//                      :version, :tv   strings that change with every batch (birth, changes, checkpoint), and with every
//                                      change of a term or its count
//                      :b:<d>, :z:<d>  body of a document, and what lists do not show; <d> is a letter for the kind, and the id
//                      :x              hash <d> → what is indexed of it, so that a later change can take it out
//                      :t:<d>          what `search` looks into
//                      :+…             such a value while it waits for the script that takes it over or drops it; where the
//                                      server had forgotten the script and the process died then, the batch that comes
//                                      again takes it over, and what empties or drops the generation removes it
//                      :counts         hash: open events per term; events per linked post, those that are not open by status
//                                      (with p: protected) and by author besides: v5.0, v5.0/2p, v5.0/2p.7; events per length
//                      :names          sorted set of slugs, logins, e-mail addresses with their ids
//                      :lat            places of venues, by latitude
//                      :chunks         set of the chunks of event ids that have anything to search in, each with
//                      :w:<c>.<b>      its tokens, in blocks, one after the other
//                      :k:<c>          hash <token> → ids within the chunk, two bytes each; '' when they are many, and
//                      :k:<c>:<token>  a bitmap of them
//                      :T              sorted set of the terms
//                      :lastv :lasto   links to venues, organizers by the last start of an open event that has them
//                      :s0 :n0 :m0.13  events of a status by start, by end; longer ones by start, by length (power of two)
//                      :a7.2           unpublished events of an author and a status, by start
//                      :c3 :t4 :v5.0 :o6.0 :f :k :p8   of a category, tag, venue and organizer (in a life), featured,
//                                      ticketed, of a parent; by start
//                      :r0 :R0         periods (about twelve days) with events of a status, protected ones in the second;
//                      :r0:<c>.<p>     ids within a chunk, of those that start in the period
//                      :V0 :O0         venues, organizers of a status by date
//                      :D              published events that are not hidden, by the date of their publication
//                      :F              events, venues, organizers that are to be published, by the date at which they are
// Hidden events are in none of the sets above but :F, and in :h and :hn (start, end), which only know what happens next.
import { createHash } from 'node:crypto';
import type { DocumentKey, DocumentKind } from '../documents.ts';

/** Goes up with every change of the layout: another one is another generation. */
const LAYOUT = 6;

const LETTERS: Readonly<Record<DocumentKind, string>> = {
  event: 'e',
  venue: 'v',
  organizer: 'o',
  category: 'c',
  tag: 't',
  user: 'u',
};

export const letterOf = (kind: DocumentKind): string => LETTERS[kind];

const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as DocumentKind])); // Keys as typed above.

/** The key of a document by its name; null for what is none. */
export function keyNamed(name: string): DocumentKey | null {
  const kind = KINDS.get(name.slice(0, 1));
  return kind === undefined ? null : { kind, id: Number(name.slice(1)) };
}

/** A document's name within keys and fields. */
export const documentName = ({ kind, id }: DocumentKey): string => LETTERS[kind] + id;

/** The first generation of a fingerprint: whoever goes back to earlier code finds what that code had made. */
export const generationOf = (fingerprint: string): string =>
  createHash('sha256').update(`${LAYOUT} ${fingerprint}`).digest('hex').slice(0, 16);

/** What `:next` says of a generation that is in use. */
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
  /** Where a value waits for the script that puts it under its own key (begins with `b:`, `z:` or `t:`). */
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
