// What the pages for visitors are given, and what a visit of one depends on.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { EventListInput } from '../calendar/event/http/event-schema.ts';
import type { Site } from '../calendar/site/queries/site.ts';
import type { DaysInput } from '../editorial/schedule/queries/upcoming.ts';
import type { Submissions } from '../exchange/submissions/http/submissions.ts';
import type { AnswerCache } from '../http/caches/answer-cache.ts';
import type { Lookups } from '../http/parameters/lookups.ts';
import type { ParameterMap } from '../http/parameters/parameter-map.ts';
import type { EpochSeconds, Zone } from '../kernel/time/zone.ts';
import type { EventPage, PageCalendar, Visit } from './calendar.ts';
import type { DeskSettings } from './desk/page.ts';
import type { Filters } from './filters.ts';
import type { Html } from './html.ts';
import type { Surroundings } from './public/layout.ts';
import type { RawHtml } from './raw-html.ts';
import type { Theme } from './theme.ts';

export interface PageDependencies {
  readonly calendar: PageCalendar;
  /** Where pages are cached. */
  readonly answers: AnswerCache;
  readonly clock: { now(): EpochSeconds };
  readonly siteZone: Zone;
  readonly perPage: number;
  readonly site: Site;
  readonly theme: Theme;
  readonly lookups: Lookups;
  /** Null: visitors cannot submit events. */
  readonly submissions: Submissions | null;
  /** Null: what administrators write is cleaned like everything else. */
  readonly raw: RawHtml | null;
  /** Loads the editors' desk, which is under the same policy and limits. */
  readonly desk: () => Promise<FastifyPluginAsync<DeskSettings>>;
}

/** A visit of a page: everything that it may depend on. */
export interface PageRequest {
  readonly visit: Visit;
  readonly surroundings: Surroundings;
  /** What pages read of the query, as it was sent, without empty members. */
  readonly parameters: ParameterMap;
}

/** What a handler is given to answer with. */
export interface Pages extends PageDependencies {
  open(request: FastifyRequest): PageRequest;
  /** The filters of a list, checked like those of the API. Throws its errors. */
  filters(page: PageRequest): Promise<Filters>;
  /** The period of the address, as a filter. */
  period(page: PageRequest): Promise<DaysInput>;
  /** A page of the list that these filters select. Throws the error of one that does not exist. */
  events(page: PageRequest, filters: EventListInput): Promise<EventPage>;
  /**
   * Answers with a page that is made once for each version of the calendar. `key`: what it depends on beside that. The
   * type is that of the reply, or HTML.
   */
  send(
    reply: FastifyReply,
    page: PageRequest,
    key: readonly unknown[],
    make: () => Promise<PageContent>,
  ): Promise<FastifyReply>;
  /** Answers with a page that says why the request cannot be answered. */
  refuse(reply: FastifyReply, page: Html): void;
}

/** A page, or another text. */
export interface PageContent {
  readonly body: Html | string;
  /** Where the API answers for it, below its root. */
  readonly api?: string;
}
