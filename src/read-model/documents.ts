// What the read models hold: one document a resource. An adapter stores them and keeps whatever index its queries need;
// everything that a query may look at is here as a plain member.
import { EVENT_FILTERS, type FilterFlag } from '../domain/calendar-event.ts';
import { POST_KINDS, type PostKind } from '../domain/post.ts';
import type { PostStatus } from '../domain/post-status.ts';
import type { Json, Position, Revision } from '../event-store/envelope.ts';

/** In the order of the numbers that they have in files. */
export const DOCUMENT_KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'user'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface DocumentKey {
  readonly kind: DocumentKind;
  readonly id: number;
}

interface DocumentBase<Kind extends DocumentKind> {
  readonly kind: Kind;
  readonly id: number;
  /** Of the last domain event folded into it. */
  readonly revision: Revision;
  readonly position: Position;
  /** The folded state, from which the next event goes on. */
  readonly state: Json;
}

/** Whether documents of a kind are posts. */
export const isPostKind = (kind: DocumentKind | undefined): kind is PostKind => POST_KINDS.some((one) => one === kind);

/** What posts (events, venues, organizers) are found and ordered by. */
export interface PostIndex {
  readonly status: PostStatus;
  readonly author: number;
  readonly slug: string;
  /** Publication, UTC seconds. */
  readonly date: number;
  /** A password must be presented to see all of it. */
  readonly protected: boolean;
}

/**
 * Pre-rendered JSON with slots (see src/rendering/slots.ts) for what depends on the reader or on other documents.
 * `full` is the object for lists and embedding, `masked` the one shown while a password is owed (null: none is),
 * `jsonLd` the schema.org object that single reads carry.
 */
export interface Fragments {
  readonly full: string;
  readonly masked: string | null;
  readonly jsonLd: string;
}

/** A link to a post in one of its lives (see `Link` in src/domain/calendar-event.ts). */
export interface DocumentLink {
  readonly id: number;
  readonly life: number;
}

/** What lists can be asked for by yes and no. */
export const EVENT_FLAGS: readonly FilterFlag[] = EVENT_FILTERS.map(({ member }) => member);
export type EventFlags = { readonly [Flag in FilterFlag]: boolean };

export interface EventDocument extends DocumentBase<'event'>, PostIndex, EventFlags {
  /** UTC seconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly hidden: boolean;
  readonly parent: number | null;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  /** In the order in which they are shown. */
  readonly venues: readonly DocumentLink[];
  readonly organizers: readonly DocumentLink[];
  /** As stored; `search` looks into these three. */
  readonly title: string;
  readonly excerpt: string;
  readonly description: string;
  readonly fragments: Fragments;
}

export interface LinkedPostDocument extends DocumentBase<'venue' | 'organizer'>, PostIndex {
  readonly name: string;
  /** Links of an earlier life are void. */
  readonly life: number;
  /** The fields that `search` looks into, each on its own. */
  readonly searchable: readonly string[];
  readonly coordinates: { readonly lat: number; readonly lng: number } | null;
  readonly fragments: Fragments;
}

export interface TermDocument extends DocumentBase<'category' | 'tag'> {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** As written; a deleted parent counts as its own parent. 0 for none. */
  readonly parent: number;
  /** A deleted term is not found; it stays as a signpost to its parent. */
  readonly deleted: boolean;
}

export interface UserDocument extends DocumentBase<'user'> {
  readonly login: string;
  readonly email: string;
}

export type Document = EventDocument | LinkedPostDocument | TermDocument | UserDocument;

export type DocumentOf<Kind extends DocumentKind> = Document & { readonly kind: Kind };
