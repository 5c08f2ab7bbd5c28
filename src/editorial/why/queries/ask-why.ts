// Why an event is in a list of today, or in one of the past.

import type { EventListInput } from '../../../calendar/event/http/event-schema.ts';
import { type EventListRequest, eventListRequest } from '../../../calendar/event/queries/list-events.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Language } from '../../../locales/language.ts';
import type { QueryRefusal } from '../../../queries/arguments.ts';
import type { QueryDependencies, Reader } from '../../../queries/reader.ts';
import type { EventDocument } from '../../../read-model/documents.ts';
import { withStaying } from '../../merges/queries/merged.ts';
import type { AsOfCalendar } from '../../time-travel/queries/as-of-log.ts';
import { asOfEventRequest, instantText } from '../../time-travel/queries/lists.ts';
import { type WhyListed, whyListed } from './why-listed.ts';

export interface Explained {
  readonly told: WhyListed;
  readonly list: EventListRequest;
}

/** `reader` is whose list is meant; whether the event may be spoken of is for the caller of this to know. */
export async function whyToday(
  queries: Pick<QueryDependencies, 'readModel' | 'siteZone' | 'perPage'>,
  given: EventListInput,
  event: EventDocument,
  reader: Reader,
): Promise<Explained | QueryRefusal> {
  const { readModel, siteZone } = queries;
  const list = eventListRequest(await withStaying(readModel, given), queries, reader, await readModel.terms());
  if ('refused' in list) return list;
  return { list, told: await whyListed({ ...list, readModel, event, given, siteZone, asOf: null }) };
}

/** The same for a list as of an instant; `today` replaces the event if it did not exist. */
export async function whyAsOf(
  queries: Pick<QueryDependencies, 'siteZone' | 'perPage'>,
  given: EventListInput,
  today: EventDocument,
  reader: Reader,
  then: { readonly calendar: AsOfCalendar; readonly at: EpochSeconds },
): Promise<Explained | QueryRefusal> {
  const { calendar, at } = then;
  const { readModel } = calendar;
  const list = await asOfEventRequest(queries, given, { ...reader, now: at }, then);
  if ('refused' in list) return list;
  const [found] = await readModel.fetch([{ kind: 'event', id: today.id }]);
  const event = found?.kind === 'event' ? found : today;
  const { siteZone } = queries;
  return { list, told: await whyListed({ ...list, readModel, event, given, siteZone, asOf: instantText(at) }) };
}

/** As clients read it. */
export const whyIn = (language: Language, told: WhyListed) => ({
  listed: told.isListed,
  on_page: told.isOnPage,
  summary: told.summary(language),
  place: told.place,
  page: told.page,
  place_on_page: told.placeOnPage,
  total: told.total,
  total_pages: told.pages,
  conditions: told.conditions.map(({ sentence, ...condition }) => ({ ...condition, sentence: sentence(language) })),
});
