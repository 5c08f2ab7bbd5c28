// The list of events as a table, for spreadsheets and other calendars: as `daybook export --format csv` writes it.
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Evolve, Fact } from '../../../domain/decider.ts';
import { refuseInstant } from '../../../editorial/time-travel/http/as-of-reads.ts';
import { eventLine, TABLE_HEAD, type TableContext } from '../../../exchange/export/event-table.ts';
import { originOf } from '../../../exchange/export/resources.ts';
import { openCalendarFeeds } from '../../../exchange/feeds/calendar-feed.ts';
import { eventTable } from '../../../exchange/feeds/http/feeds-schema.ts';
import { presentationOf } from '../../../exchange/feeds/presentation.ts';
import { TooManyCalendars } from '../../../exchange/feeds/text-chunks.ts';
import { ApiError, invalidParameters } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { bodyOf, type Described, documented } from '../../../http/openapi/documentation.ts';
import { readerOf } from '../../../http/reader.ts';
import type { Routes } from '../../../http/route.ts';
import { awaitPosition, type RouteDependencies } from '../../../http/routes/writing.ts';
import Type from '../../../http/schemas/type.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { fold } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { evolveEvent } from '../../event/domain/calendar-event.ts';
import { evolveOrganizer, type Organizer } from '../../linked-post/domain/organizer.ts';
import { evolveVenue, type Venue } from '../../linked-post/domain/venue.ts';
import { evolveTerm, TERM_KINDS } from '../../term/domain/term.ts';

interface TableRouteDependencies extends RouteDependencies {
  readonly store: EventStore;
}

/** Fields as they were written are for those who may read them of every event. */
const route = guardedRoutes({ of: 'endpoint', may: mayReadEveryHistory }, { group: 'Events' });

export const tableRoutes: Routes<TableRouteDependencies> = async (api, dependencies) => {
  const { queries, store } = dependencies;
  const calendars = openCalendarFeeds(queries);
  api.get(
    '/events.csv',
    route(
      (described: Described) =>
        documented(described, {
          200: { description: 'answer.read', ...bodyOf(Type.String(), 'text/csv'), carries: [] },
        }),
      { summary: 'event_table.summary', description: 'event_table.description', takes: ['AtLeast'] },
      { querystring: eventTable({ perPage: queries.perPage }) },
    ),
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

async function* tableOf(
  { store, ...table }: Pick<TableContext, 'origin' | 'site'> & { readonly store: EventStore },
  pages: readonly (readonly number[])[],
): AsyncGenerator<string, void, undefined> {
  const context = {
    ...table,
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
      await turn();
      const events = await store.readStream(streamOf('event', id));
      const event = fold(events, evolveEvent);
      if (event === null || event.status === 'trash') continue;
      const { venues, organizers } = event;
      await fill(context.venues, idsOf(venues), (one) => load(streamOf('venue', one), evolveVenue));
      await fill(context.organizers, idsOf(organizers), (one) => load(streamOf('organizer', one), evolveOrganizer));
      for (const kind of TERM_KINDS)
        for (const one of kind === 'category' ? event.categories : event.tags) {
          const stream = streamOf(kind, one);
          const term = context.terms.has(stream) ? null : await load(stream, evolveTerm);
          if (term !== null && !term.deleted) context.terms.set(stream, term.name);
        }
      lines.push(`${eventLine(event, events, context)}\n`);
    }
    yield lines.join('');
  }
}

const idsOf = (links: readonly { readonly id: number }[]): readonly number[] => links.map(({ id }) => id);
