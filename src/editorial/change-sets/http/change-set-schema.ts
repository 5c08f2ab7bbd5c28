// Sets of proposals on the wire: what their routes take, and what they answer.
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, dateFilter, flag, list, optional, paging, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import type { IdFilter } from '../../../kernel/text/wire-words.ts';
import { CHANGE_SET_STATES } from '../domain/change-set.ts';

const description = text('set.description', 'longText');
const proposals = list<IdFilter>('set.proposals', 'idsOnly');
const revisions = list<readonly number[]>('set.revisions', 'counts');

export const changeSetCreate = Type.Object({
  name: text('set.name', 'nonEmptyString'),
  ...optional({ description, proposals }),
});

const id = anyId('set');
export const changeSetRead = Type.Object({ id });
export const changeSetUpdate = Type.Object({
  id,
  ...optional({ name: text('set.name', 'nonEmptyString'), description, proposals }),
});
export const changeSetMembers = Type.Object({ id, proposals });
export const changeSetApply = Type.Object({ id, ...optional({ dry_run: flag('set.dry_run'), revisions }) });
export const changeSetSchedule = Type.Object({ id, at: dateFilter('set.at') });

export const changeSetReview = Type.Object({
  id,
  ...optional({ text: text('proposal.text', 'longText'), revisions }),
});

export const changeSetList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({ state: text('set.state', ['oneOf', CHANGE_SET_STATES]) }),
  });

export const memberProblem = member.object('set_problem', {
  proposal: member.integer('proposal.id'),
  problem: member.text('shown_proposal.problem'),
  fields: member.listOf(member.text('field_change.field'), 'shown_proposal.conflicts'),
});

const problems = member.listOf(memberProblem, 'shown_set.problems');

const other = member.object('shown_set', {
  set: member.integer('set.id'),
  name: member.text('set.name'),
  proposals: member.listOf(member.integer('proposal.id'), 'set.proposals'),
});

const person = (about: Parameters<typeof member.component>[1]) => member.component('Actor', about);

export const changeSet = member.object('shown_set', {
  id: member.integer('set.id'),
  url: member.address('shown.url'),
  name: member.text('set.name'),
  key: member.text('shown_set.key'),
  description: member.text('set.description'),
  state: member.oneOf('shown_proposal.state', [...CHANGE_SET_STATES]),
  author: person('shown_proposal.author'),
  opened: member.instant('shown_proposal.opened'),
  modified: member.instant('shown_proposal.modified'),
  at: member.orNull(member.instant('set.at')),
  proposals: member.listOf(member.integer('proposal.id'), 'set.proposals'),
  revisions: member.listOf(member.integer('shown_set.revision'), 'set.revisions'),
  problems,
  decided_by: member.eitherOf('shown_proposal.decided_by', [Type.Ref('Actor'), Type.Null()]),
  request: member.orNull(member.text('shown_set.request')),
  approvals: member.listOf(person('actor'), 'shown_set.approvals'),
  approvals_needed: member.integer('shown_set.approvals_needed'),
  approvals_given: member.integer('shown_set.approvals_given'),
  unapproved: member.listOf(member.integer('proposal.id'), 'shown_set.unapproved'),
  changes_requested: member.eitherOf('shown_set.changes_requested', [Type.Ref('Actor'), Type.Null()]),
  comments: member.listOf(member.component('ProposalComment', 'proposal_comment'), 'shown_proposal.comments'),
  ...optional({
    fits: member.flag('shown_proposal.fits'),
    others: member.listOf(other, 'shown_set.others'),
  }),
});
