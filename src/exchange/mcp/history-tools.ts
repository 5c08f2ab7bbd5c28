// Tools that read what has happened, and what is proposed.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { PROPOSAL_STATES } from '../../editorial/proposals/domain/proposal.ts';
import type { CalendarApi } from './calendar-api.ts';
import {
  anything,
  DEFAULT_PER_PAGE,
  eventFilters,
  id,
  kind,
  listTotals,
  page,
  perPage,
  READ_HINTS,
} from './parameters.ts';
import { objectWithoutRepeats, result, shortEvent } from './results.ts';

export function addHistoryTools(server: McpServer, calendar: CalendarApi): void {
  server.registerTool(
    'list_changes',
    {
      title: 'List changes of the whole calendar',
      description:
        'Who changed what, in sentences, the newest first unless order says otherwise. For those who may read the histories.',
      inputSchema: {
        order: z.enum(['asc', 'desc']).optional(),
        after: z.string().optional().describe('next of an earlier answer, to go on from there'),
        kind: z.array(z.string()).optional().describe('event, venue, organizer, category, tag, …'),
        types: z.array(z.string()).optional(),
        actor: z.array(z.string()).optional().describe('logins or ids of users'),
        field: z.array(z.string()).optional(),
        reason: z.string().optional().describe('words of the reason'),
        from: z.string().optional(),
        to: z.string().optional(),
        per_page: z.number().int().min(1).max(100).optional(),
      },
      outputSchema: { changes: z.array(anything), next: z.string(), has_more: z.boolean() },
      annotations: READ_HINTS,
    },
    async ({ order = 'desc', per_page = DEFAULT_PER_PAGE, ...filters }) => {
      const { changes, next, has_more } = await calendar.read('/changes', { ...filters, order, per_page });
      return result({ changes, next, has_more });
    },
  );

  server.registerTool(
    'read_history',
    {
      title: 'Read the history of one resource',
      description: 'Its revisions as sentences with the changed fields, the newest first.',
      inputSchema: { kind, id, page, per_page: perPage },
      outputSchema: { ...listTotals, history: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ kind: of, id: number, per_page = DEFAULT_PER_PAGE, ...paging }) => {
      const answer = await calendar.read(`/${COLLECTIONS[of]}/${number}/history`, { ...paging, per_page });
      return result({ total: answer.total, total_pages: answer.total_pages, history: answer.history });
    },
  );

  const side = 'a revision (3), an instant (2026-11-01T12:00:00Z), or proposal:7';

  server.registerTool(
    'compare_states',
    {
      title: 'Compare two states of one resource',
      description: 'The fields that differ between two revisions or instants, or now and a proposal.',
      inputSchema: {
        kind,
        id,
        from: z.string().describe(side),
        to: z.string().optional().describe(`${side}; now if left out`),
      },
      outputSchema: { changes: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ kind: of, id: number, ...sides }) => {
      const { changes } = await calendar.read(`/${COLLECTIONS[of]}/${number}/compare`, sides);
      return result({ changes });
    },
  );

  server.registerTool(
    'compare_lists',
    {
      title: 'Compare a list of events at two instants',
      description:
        'Which events were added, removed, moved, changed or canceled in between; with the filters of search_events.',
      inputSchema: {
        from: z.string().describe('an instant'),
        to: z.string().optional().describe('an instant; now if left out'),
        ...eventFilters,
        page,
        per_page: perPage,
      },
      outputSchema: { ...listTotals, totals: anything, events: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ per_page = DEFAULT_PER_PAGE, ...filters }) => {
      const { total, total_pages, totals, events } = await calendar.read('/events/compare', { ...filters, per_page });
      const differences = z.array(anything).parse(events);
      const short = differences.map(({ event, ...difference }) => ({
        ...difference,
        event: event === null ? null : shortEvent(anything.parse(event)),
      }));
      return result({ total, total_pages, totals, events: short });
    },
  );

  server.registerTool(
    'list_proposals',
    {
      title: 'List proposals',
      description: 'Proposals that the user may see, the open ones unless state says otherwise.',
      inputSchema: {
        state: z.array(z.string()).optional().describe(PROPOSAL_STATES.join(', ')),
        kind: kind.optional(),
        target: id.optional().describe('about the resource with this id'),
        author: id.optional(),
        page,
        per_page: perPage,
      },
      outputSchema: { ...listTotals, proposals: z.array(anything) },
      annotations: READ_HINTS,
    },
    async ({ state = ['open'], per_page = DEFAULT_PER_PAGE, ...filters }) => {
      const answer = await calendar.read('/proposals', { ...filters, state, per_page });
      const proposals = z.array(anything).parse(answer.proposals).map(objectWithoutRepeats);
      return result({ total: answer.total, total_pages: answer.total_pages, proposals });
    },
  );

  server.registerTool(
    'read_proposal',
    {
      title: 'Read one proposal',
      description: 'What it changes, whether it fits now, what reviewers have said, and the resource as it would be.',
      inputSchema: { id },
      outputSchema: { proposal: anything },
      annotations: READ_HINTS,
    },
    async ({ id: number }) => result({ proposal: objectWithoutRepeats(await calendar.read(`/proposals/${number}`)) }),
  );
}
