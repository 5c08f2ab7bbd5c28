// What validators ask of the calendar.

import type { Link } from '../../calendar/event/domain/calendar-event.ts';
import type { Image } from '../../calendar/resource/domain/image.ts';
import type { PostOfSlug } from '../../calendar/resource/queries/find-by-slug.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { LookupKind } from '../schemas/keywords.ts';

/** Lookups for validators. All results are current, in any status, without deleted terms. */
export interface Lookups {
  /** Whether each of these ids is one of a post of this kind. */
  exist(kind: LookupKind, ids: readonly number[]): Promise<boolean>;
  /** The post that this slug (normalised like a title before the comparison) leads this caller to; or null. */
  bySlug(kind: LookupKind, slug: string, caller: Caller): Promise<PostOfSlug | null>;
  /** Where links to these venues or organizers lead, in order; null where there is none, or in the trash. */
  links(kind: 'venue' | 'organizer', ids: readonly number[]): Promise<readonly (Link | null)[]>;
  /** The ids of these terms, in order; null where there is none. A reference is a slug, an id as text, or a name. */
  terms(kind: TermKind, references: readonly string[]): Promise<readonly (number | null)[]>;
  termIdExists(kind: TermKind, id: number): Promise<boolean>;
  userExists(id: number): Promise<boolean>;
  image(id: number): Promise<Image | null>;
  /** The uploaded picture whose files begin so. */
  picture(stem: string): Promise<Image | null>;
}
