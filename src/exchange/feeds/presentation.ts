// How feeds show events that do not take place as scheduled. Large calendar programs drop entries with
// `STATUS:CANCELLED`, so that their readers never learn of it: a word before the title is the default.
import type { EventStatus } from '../../calendar/event/domain/event-status.ts';
import type { CancelledMode } from '../../kernel/text/wire-words.ts';
import type { Language } from '../../locales/language.ts';
import { phrase } from '../../locales/phrases.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import type { EventQuery } from '../../read-model/queries.ts';
import type { FeedEvent } from './feed-event.ts';

export interface Presentation {
  readonly cancelled: CancelledMode;
  /** The language of the prefixes of titles. */
  readonly language: Language;
}

export const presentationOf = (
  { cancelled = 'prefix' }: { readonly cancelled?: CancelledMode },
  language: Language,
): Presentation => ({ cancelled, language });

/** What the text of a feed depends on. */
export const nameOf = ({ cancelled, language }: Presentation): string => `${cancelled} ${language.code}`;

/** Whether the texts of a feed with this event depend on its presentation. */
export const needsWords = ({ eventStatus }: Pick<EventDocument, 'eventStatus'>): boolean => eventStatus !== undefined;

/** The events that a feed has. */
export function presentQuery(query: EventQuery, { cancelled }: Presentation): EventQuery {
  if (cancelled !== 'omit') return query;
  const { eventStatuses = ['scheduled', 'postponed'] } = query;
  return { ...query, eventStatuses: eventStatuses.filter((status) => status !== 'canceled') };
}

const TITLES = {
  canceled: 'canceled_title',
  postponed: 'postponed_title',
} as const satisfies { readonly [Status in Exclude<EventStatus, 'scheduled'>]: string };

/** The title with a prefix, as HTML. */
export const prefixedTitle = ({ eventStatus, title }: FeedEvent, language: Language): string =>
  eventStatus === 'scheduled' ? title : phrase(TITLES[eventStatus], { title })(language);

/** The title with a prefix, unless the format says by a status what has become of the event. */
export const presentedTitle = (event: FeedEvent, { cancelled, language }: Presentation): string =>
  cancelled === 'status' ? event.title : prefixedTitle(event, language);
