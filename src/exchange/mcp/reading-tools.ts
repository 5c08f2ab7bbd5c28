// Tools that read.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import type { CalendarApi } from './calendar-api.ts';
import {
  anything,
  asOf,
  countsAsDone,
  DEFAULT_PER_PAGE,
  eventFilters,
  id,
  kind,
  listTotals,
  page,
  perPage,
  READ_HINTS,
} from './parameters.ts';
import { objectWithoutRepeats, result, shortEvent, shortList, shortResource } from './results.ts';

export function addReadingTools(server: McpServer, calendar: CalendarApi): void {
  server.registerTool(
    'search_events',
    {
      title: 'Search events',
      description:
        'Lists events in short, by start. All filters must be met. Without dates: from yesterday to two years ahead, so name dates for the past.',
      inputSchema: { ...eventFilters, as_of: asOf, with: countsAsDone, page, per_page: perPage },
      outputSchema: { ...listTotals, events: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ per_page = DEFAULT_PER_PAGE, ...filters }) =>
      result(shortList(await calendar.read('/events', { ...filters, per_page }), 'events', shortEvent)),
  );

  server.registerTool(
    'find_resources',
    {
      title: 'Find venues, organizers, categories or tags',
      description: 'Lists them in short, with the ids that filters and proposals need.',
      inputSchema: {
        kind: kind.exclude(['event']),
        search: z.string().optional().describe('a part of the name'),
        page,
        per_page: perPage,
      },
      outputSchema: { ...listTotals, resources: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ kind: of, per_page = DEFAULT_PER_PAGE, ...filters }) => {
      const collection = COLLECTIONS[of];
      const isTerm = of === 'category' || of === 'tag';
      const query = { ...filters, per_page, ...(isTerm && { hide_empty: false }) };
      const answer = await calendar.read(`/${collection}`, query);
      const { [collection]: resources, ...short } = shortList(answer, collection, shortResource);
      return result({ ...short, resources });
    },
  );

  server.registerTool(
    'read_resource',
    {
      title: 'Read one resource',
      description: 'An event, venue, organizer, category or tag with all that its caller may see, also as it was.',
      inputSchema: {
        kind,
        id: id.optional(),
        slug: z.string().min(1).optional().describe('instead of the id, of an event, venue or organizer'),
        as_of: asOf,
        revision: z.number().int().min(0).optional().describe('this revision, for those who may read the history'),
        with: countsAsDone,
      },
      outputSchema: { resource: anything },
      annotations: READ_HINTS,
    },
    async ({ kind: of, id: number, slug, ...state }) => {
      if ((number === undefined) === (slug === undefined)) throw new Error('Name either id or slug.');
      const one = number ?? `by-slug/${encodeURIComponent(slug ?? '')}`;
      return result({ resource: objectWithoutRepeats(await calendar.read(`/${COLLECTIONS[of]}/${one}`, state)) });
    },
  );

  server.registerTool(
    'read_fields',
    {
      title: 'Read the fields as they were written',
      description: 'What a proposal can change, in the form in which it is written: read it before proposing a change.',
      inputSchema: { kind, id },
      outputSchema: { fields: anything, revision: z.number() },
      annotations: READ_HINTS,
    },
    async ({ kind: of, id: number }) => {
      const { fields, revision } = await calendar.read(`/${COLLECTIONS[of]}/${number}/fields`);
      return result({ fields, revision });
    },
  );

  server.registerTool(
    'explain_listing',
    {
      title: 'Explain why an event is in a list, or not',
      description: 'Every condition of the list with whether the event meets it, and what would have to change.',
      inputSchema: {
        id,
        ...eventFilters,
        as_of: asOf,
        with: countsAsDone,
        role: z.string().optional().describe('in the place of public, or of a role with fewer rights'),
      },
      outputSchema: { explanation: anything },
      annotations: READ_HINTS,
    },
    async ({ id: number, ...filters }) =>
      result({ explanation: await calendar.read(`/events/${number}/why`, filters) }),
  );
}
