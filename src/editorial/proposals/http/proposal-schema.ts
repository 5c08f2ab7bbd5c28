// Proposals on the wire: what their routes take, and what they answer.
import { eventCreate, eventUpdate } from '../../../calendar/event/http/event-schema.ts';
import { organizerTables, venueTables } from '../../../calendar/linked-post/http/linked-post-schema.ts';
import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import { categoryTables, tagTables } from '../../../calendar/term/http/term-schema.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, dateFilter, integer, optional, paging, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
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

const person = (description: Parameters<typeof member.component>[1]) => member.component('Actor', description);

export const proposalConflict = member.object('proposal_conflict', {
  field: member.text('field_change.field'),
  base: member.anything('proposal_conflict.base'),
  theirs: member.anything('proposal_conflict.theirs'),
  mine: member.anything('proposal_conflict.mine'),
});

export const proposalComment = member.object('proposal_comment', {
  actor: person('actor'),
  instant: member.instant('revision.instant'),
  text: member.text('proposal.text'),
});

export const proposalTarget = member.object('proposal_target', {
  kind: member.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS]),
  id: member.integer('resource.id'),
  url: member.address('change_entry.url'),
});

const members = {
  id: member.integer('proposal.id'),
  url: member.address('shown.url'),
  state: member.oneOf('shown_proposal.state', [...PROPOSAL_STATES]),
  target: member.component('ProposalTarget', 'proposal_target'),
  creates: member.flag('shown_proposal.creates'),
  action: member.oneOf('shown_proposal.action', ['create', 'change', 'delete', 'revert', 'merge']),
  base_revision: member.orNull(member.integer('shown_proposal.base_revision')),
  ...optional({ into: member.component('ProposalTarget', 'shown_proposal.into') }),
  note: member.text('proposal.note'),
  author: person('shown_proposal.author'),
  opened: member.instant('shown_proposal.opened'),
  modified: member.instant('shown_proposal.modified'),
  reviewers: member.listOf(person('actor'), 'shown_proposal.reviewers'),
  decided_by: member.eitherOf('shown_proposal.decided_by', [Type.Ref('Actor'), Type.Null()]),
  approvals: member.listOf(person('actor'), 'shown_proposal.approvals'),
  approvals_needed: member.integer('shown_proposal.approvals_needed'),
  comments: member.listOf(member.component('ProposalComment', 'proposal_comment'), 'shown_proposal.comments'),
  sets: member.listOf(
    member.object('shown_set', {
      id: member.integer('set.id'),
      name: member.text('set.name'),
      state: member.oneOf('shown_proposal.state', [...CHANGE_SET_STATES]),
      url: member.address('shown.url'),
      at: member.orNull(member.instant('set.at')),
    }),
    'shown_proposal.sets',
  ),
};

export const proposal = member.object('shown_proposal', {
  ...members,
  ...optional({
    changes: member.listOf(member.component('FieldChange', 'revision.one_change'), 'shown_proposal.changes'),
    fits: member.orNull(member.flag('shown_proposal.fits')),
    problem: member.orNull(member.text('shown_proposal.problem')),
    conflicts: member.listOf(member.component('ProposalConflict', 'proposal_conflict'), 'shown_proposal.conflicts'),
    preview: member.anything<{ readonly [member: string]: member.Json } | null>('shown_proposal.preview'),
    submission: member.orNull(
      member.object('shown_proposal.submission', {
        name: member.text('shown_submission.name'),
        email: member.text('shown_submission.email'),
      }),
    ),
  }),
});
