// The list of events as a table, for spreadsheets and other calendars: as `daybook export --format csv` writes it.
import Type from 'typebox';
import type { Caller } from '../../auth/caller.ts';
import { mayReadEveryHistory } from '../../auth/policy.ts';
import { streamOf } from '../../commands/reservations/reservations.ts';
import { evolveEvent } from '../../domain/calendar-event.ts';
import type { Evolve, Fact } from '../../domain/decider.ts';
import { evolveOrganizer, type Organizer } from '../../domain/organizer.ts';
import { imageAt } from '../../domain/picture.ts';
import { evolveTerm, TERM_KINDS } from '../../domain/term.ts';
import { evolveVenue, type Venue } from '../../domain/venue.ts';
import { openTurns } from '../../event-loop/turns.ts';
import { fold } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { eventLine, TABLE_HEAD } from '../../export/event-table.ts';
import { originOf } from '../../export/resources.ts';
import { ApiError, forbidden, invalidParameters } from '../errors.ts';
import { openCalendarFeeds } from '../feeds/calendar-feed.ts';
import { presentationOf } from '../feeds/presentation.ts';
import { TooManyCalendars } from '../feeds/text-chunks.ts';
import { bodyOf, documented } from '../openapi/documentation/documentation.ts';
import type { Routes } from '../route.ts';
import { eventTable } from '../schemas/feeds.ts';
import { refuseInstant } from './as-of-reads.ts';
import { readerOf } from './reading.ts';
import { awaitPosition, type RouteDependencies } from './writing.ts';

export interface TableRouteDependencies extends RouteDependencies {
  readonly store: EventStore;
}

/** Fields as they were written are for those who may read them of every event. */
const isAllowed = (caller: Caller): boolean => mayReadEveryHistory(caller);

export const tableRoutes: Routes<TableRouteDependencies> = async (api, dependencies) => {
  const { queries, store } = dependencies;
  const calendars = openCalendarFeeds(queries);
  api.get(
    '/events.csv',
    {
      schema: {
        ...documented(
          {
            group: 'Events',
            summary: 'event_table.summary',
            description: 'event_table.description',
            right: { of: 'endpoint', may: isAllowed },
            errors: ['rest_forbidden'],
            takes: ['AtLeast'],
          },
          { 200: { description: 'answer.read', ...bodyOf(Type.String(), 'text/csv'), carries: [] } },
        ),
        querystring: eventTable({ perPage: queries.perPage }),
      },
      config: { allow: (caller) => (isAllowed(caller) ? ['GET'] : []) },
      preHandler: async ({ caller }) => {
        if (!isAllowed(caller)) throw forbidden(caller);
      },
    },
    async (request, reply) => {
      // Its columns are the fields as they are written today.
      refuseInstant(request.query);
      const { as_of: _, with: __, ...filters } = request.query;
      await awaitPosition(dependencies, request);
      // Which events, and in which order, is what a calendar of the same filters holds.
      const presentation = presentationOf({ cancelled: 'status' }, request.language);
      const outline = await calendars
        .outline(filters, readerOf(request), presentation, reply.waiting())
        .catch((error: unknown) => {
          throw error instanceof TooManyCalendars ? new ApiError('rest_unavailable') : error;
        });
      if ('refused' in outline) throw invalidParameters(outline.refused);
      const origin = (await originOf(store)) ?? 'empty';
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="events.csv"',
          'cache-control': 'no-store',
        })
        .pieces(tableOf({ store, origin, site: request.links.site }, outline.pages), 'whole');
    },
  );
};

interface TableOf {
  readonly store: EventStore;
  /** Identifies the log. */
  readonly origin: string;
  /** Of the addresses of pictures. */
  readonly site: string;
}

async function* tableOf(
  { store, origin, site }: TableOf,
  pages: readonly (readonly number[])[],
): AsyncGenerator<string, void, undefined> {
  const referred = {
    terms: new Map<string, string>(),
    venues: new Map<number, Venue>(),
    organizers: new Map<number, Organizer>(),
  };
  const turn = openTurns();

  async function load<State, F extends Fact>(stream: string, evolve: Evolve<State, F>): Promise<State | null> {
    await turn();
    return fold(await store.readStream(stream), evolve);
  }
  async function fill<State>(
    into: Map<number, State>,
    ids: readonly number[],
    of: (id: number) => Promise<State | null>,
  ) {
    for (const id of ids) {
      const state = into.has(id) ? null : await of(id);
      if (state !== null) into.set(id, state);
    }
  }

  yield `${TABLE_HEAD}\n`;
  for (const ids of pages) {
    const lines: string[] = [];
    for (const id of ids) {
      const event = await load(streamOf('event', id), evolveEvent);
      if (event === null || event.status === 'trash') continue;
      const { venues, organizers } = event;
      await fill(referred.venues, idsOf(venues), (one) => load(streamOf('venue', one), evolveVenue));
      await fill(referred.organizers, idsOf(organizers), (one) => load(streamOf('organizer', one), evolveOrganizer));
      for (const kind of TERM_KINDS)
        for (const one of kind === 'category' ? event.categories : event.tags) {
          const stream = streamOf(kind, one);
          const term = referred.terms.has(stream) ? null : await load(stream, evolveTerm);
          if (term !== null && !term.deleted) referred.terms.set(stream, term.name);
        }
      lines.push(`${eventLine({ ...event, image: imageAt(site, event.image) }, origin, referred)}\n`);
    }
    yield lines.join('');
  }
}

const idsOf = (links: readonly { readonly id: number }[]): readonly number[] => links.map(({ id }) => id);
