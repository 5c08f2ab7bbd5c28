// What both adapters index of a document and store with it.
import { POST_STATUSES, type PostStatus } from '../domain/post-status.ts';
import type { Json } from '../event-store/envelope.ts';
import { parseStored } from './damage.ts';
import type { Document, EventDocument } from './documents.ts';
import { searchText } from './search-text.ts';

/** The number of a status. */
export const statusCode = (status: PostStatus): number => POST_STATUSES.indexOf(status);

/** What a document is found by, besides its id. */
export function namesOf(document: Document): readonly string[] {
  switch (document.kind) {
    case 'user':
      return [...new Set([document.login.toLowerCase(), document.email.toLowerCase()])];
    case 'category':
    case 'tag':
      return document.deleted ? [] : [document.slug];
    default:
      return [document.slug];
  }
}

/** No event ends before it starts: the counts of time windows depend on this. */
export const endOf = ({ startsAt, endsAt }: EventDocument): number => Math.max(startsAt, endsAt);

/** The text that `search` reads. */
export const searchedText = ({ title, excerpt, description }: EventDocument): string =>
  searchText([title, excerpt, description]);

/** The texts of an event, stored separately because lists do not need them; nothing for other kinds. */
export const textsOf = (document: Document): readonly string[] =>
  document.kind === 'event' ? [document.title, document.excerpt, document.description] : [];

/** Adds the texts stored by `textsOf` to a document. Throws `ReadModelDamaged`. */
export function withTexts<Found extends Document>(document: Found, stored: unknown, place: string): Found {
  if (document.kind !== 'event') return document;
  const [title, excerpt, description] = parseStored<[string, string, string]>(stored, place);
  return Object.assign(document, { title, excerpt, description });
}

/**
 * With its state, which is parsed on first access because most readers do not need it. `stored` has been compared with
 * its checksum.
 */
export function withState(document: Document, stored: string): Document {
  let state: Json | undefined;
  return Object.defineProperty(document, 'state', {
    enumerable: true,
    get: () => {
      state ??= JSON.parse(stored) as Json;
      return state;
    },
  });
}
