// Tools that propose. Each opens, revises or comments a proposal, also for users who could write directly: what becomes of
// it is decided by people.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import type { CalendarApi, Json } from './calendar-api.ts';
import { fields, id, kind, note } from './parameters.ts';
import { objectWithoutRepeats, result } from './results.ts';

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;
const outputSchema = { proposal: z.looseObject({}) };

/** Members of a proposal itself; a tool of its own sets each of them. */
const OF_PROPOSALS = ['note', 'revises', 'id'];

/** What an assistant needs to find a proposal's target. */
const proposalTarget = z.looseObject({ creates: z.boolean(), target: z.looseObject({ kind, id }) });

export function addProposingTools(server: McpServer, calendar: CalendarApi): void {
  const proposed = (proposal: Json) => result({ proposal: objectWithoutRepeats(proposal) });

  server.registerTool(
    'propose_new',
    {
      title: 'Propose a new resource',
      description:
        'Opens a proposal for a new event, venue, organizer, category or tag. Nothing is published: a person decides.',
      inputSchema: { kind, fields, note },
      outputSchema,
      annotations,
    },
    async ({ kind: of, fields: members, note: why }) =>
      proposed(await calendar.propose(`/${COLLECTIONS[of]}/proposals`, { ...ownFields(members), note: why })),
  );

  server.registerTool(
    'propose_change',
    {
      title: 'Propose a change',
      description:
        'Opens a proposal that changes the given fields of a resource and leaves all others. Nothing is published: a person decides.',
      inputSchema: { kind, id, fields, note },
      outputSchema,
      annotations,
    },
    async ({ kind: of, id: number, fields: members, note: why }) =>
      proposed(await calendar.propose(`/${COLLECTIONS[of]}/${number}/proposals`, { ...ownFields(members), note: why })),
  );

  server.registerTool(
    'revise_proposal',
    {
      title: 'Revise a proposal of your own',
      description:
        'Replaces what an open proposal of the same user asks for: name all fields that it is to have. Approvals are void afterwards.',
      inputSchema: { proposal: id, fields, note },
      outputSchema,
      annotations,
    },
    async ({ proposal, fields: own, note: why }) => {
      const { creates, target } = proposalTarget.parse(await calendar.read(`/proposals/${proposal}`));
      const collection = COLLECTIONS[target.kind];
      const members = { ...ownFields(own), note: why, revises: proposal };
      return proposed(
        creates
          ? await calendar.propose(`/${collection}/proposals`, members)
          : await calendar.propose(`/${collection}/${target.id}/proposals`, members),
      );
    },
  );

  server.registerTool(
    'comment_on_proposal',
    {
      title: 'Comment on a proposal',
      description: 'Adds a comment that its author and its reviewers read.',
      inputSchema: { proposal: id, text: z.string().min(1) },
      outputSchema,
      annotations,
    },
    async ({ proposal, text }) => proposed(await calendar.propose(`/proposals/${proposal}/comments`, { text })),
  );
}

function ownFields(members: Json): Json {
  const foreign = Object.keys(members).filter((name) => OF_PROPOSALS.includes(name));
  if (foreign.length > 0) throw new Error(`These are no fields: ${foreign.join(', ')}. Name them beside fields.`);
  return members;
}
