// Proposals on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import { eventCreate, eventUpdate } from '../../../calendar/event/http/event-schema.ts';
import { organizerTables, venueTables } from '../../../calendar/linked-post/http/linked-post-schema.ts';
import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import { categoryTables, tagTables } from '../../../calendar/term/http/term-schema.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, dateFilter, integer, optional, paging, text } from '../../../http/schemas/primitives.ts';
import { CHANGE_SET_STATES } from '../../change-sets/domain/change-set.ts';
import { mergeInto } from '../../merges/http/merge-schema.ts';
import { PROPOSAL_STATES } from '../domain/proposal.ts';

const about = optional({
  note: text('proposal.note', 'longText'),
  revises: integer('proposal.revises', 'positiveInt'),
});

/** Or to be merged. */
const changing = { ...about, ...optional({ into: mergeInto }) };

/** By kind: what a creation and a change take, and `note` and `revises` beside it. */
export const proposalTables = {
  event: {
    create: Type.Object({ ...eventCreate.properties, ...about }),
    update: Type.Object({ ...eventUpdate.properties, ...about }),
  },
  venue: {
    create: Type.Object({ ...venueTables.create.properties, ...about }),
    update: Type.Object({ ...venueTables.update.properties, ...changing }),
  },
  organizer: {
    create: Type.Object({ ...organizerTables.create.properties, ...about }),
    update: Type.Object({ ...organizerTables.update.properties, ...changing }),
  },
  category: {
    create: Type.Object({ ...categoryTables.create.properties, ...about }),
    update: Type.Object({ ...categoryTables.update.properties, ...changing }),
  },
  tag: {
    create: Type.Object({ ...tagTables.create.properties, ...about }),
    update: Type.Object({ ...tagTables.update.properties, ...changing }),
  },
} as const;

export const proposalList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({
      state: text('proposal_list.state', 'proposalStates'),
      kind: text('proposal_list.kind', 'resourceKind'),
      target: integer('proposal_list.target', 'positiveInt'),
      author: integer('proposal_list.author', 'positiveInt'),
      reviewer: integer('proposal_list.reviewer', 'positiveInt'),
      opened_after: dateFilter('proposal_list.opened_after'),
      opened_before: dateFilter('proposal_list.opened_before'),
    }),
  });

const id = anyId('proposal');
export const proposalRead = Type.Object({ id });
export const proposalStep = Type.Object({ id, ...optional({ text: text('proposal.text', 'longText') }) });

const person = (description: Parameters<typeof shown.component>[1]) => shown.component('Actor', description);

export const proposalConflict = shown.object('proposal_conflict', {
  field: shown.text('field_change.field'),
  base: shown.anything('proposal_conflict.base'),
  theirs: shown.anything('proposal_conflict.theirs'),
  mine: shown.anything('proposal_conflict.mine'),
});

export const proposalComment = shown.object('proposal_comment', {
  actor: person('actor'),
  instant: shown.instant('revision.instant'),
  text: shown.text('proposal.text'),
});

export const proposalTarget = shown.object('proposal_target', {
  kind: shown.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS]),
  id: shown.integer('resource.id'),
  url: shown.address('change_entry.url'),
});

const members = {
  id: shown.integer('proposal.id'),
  url: shown.address('shown.url'),
  state: shown.oneOf('shown_proposal.state', [...PROPOSAL_STATES]),
  target: shown.component('ProposalTarget', 'proposal_target'),
  creates: shown.flag('shown_proposal.creates'),
  action: shown.oneOf('shown_proposal.action', ['create', 'change', 'delete', 'revert', 'merge']),
  base_revision: shown.orNull(shown.integer('shown_proposal.base_revision')),
  ...optional({ into: shown.component('ProposalTarget', 'shown_proposal.into') }),
  note: shown.text('proposal.note'),
  author: person('shown_proposal.author'),
  opened: shown.instant('shown_proposal.opened'),
  modified: shown.instant('shown_proposal.modified'),
  reviewers: shown.listOf(person('actor'), 'shown_proposal.reviewers'),
  decided_by: shown.eitherOf('shown_proposal.decided_by', [Type.Ref('Actor'), Type.Null()]),
  approvals: shown.listOf(person('actor'), 'shown_proposal.approvals'),
  approvals_needed: shown.integer('shown_proposal.approvals_needed'),
  comments: shown.listOf(shown.component('ProposalComment', 'proposal_comment'), 'shown_proposal.comments'),
  sets: shown.listOf(
    shown.object('shown_set', {
      id: shown.integer('set.id'),
      name: shown.text('set.name'),
      state: shown.oneOf('shown_proposal.state', [...CHANGE_SET_STATES]),
      url: shown.address('shown.url'),
      at: shown.orNull(shown.instant('set.at')),
    }),
    'shown_proposal.sets',
  ),
};

export const proposal = shown.object('shown_proposal', {
  ...members,
  ...optional({
    changes: shown.listOf(shown.component('FieldChange', 'revision.one_change'), 'shown_proposal.changes'),
    fits: shown.orNull(shown.flag('shown_proposal.fits')),
    problem: shown.orNull(shown.text('shown_proposal.problem')),
    conflicts: shown.listOf(shown.component('ProposalConflict', 'proposal_conflict'), 'shown_proposal.conflicts'),
    preview: shown.anything<{ readonly [member: string]: shown.Json } | null>('shown_proposal.preview'),
    submission: shown.orNull(
      shown.object('shown_proposal.submission', {
        name: shown.text('shown_submission.name'),
        email: shown.text('shown_submission.email'),
      }),
    ),
  }),
});
