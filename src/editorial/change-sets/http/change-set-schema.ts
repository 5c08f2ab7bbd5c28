// Sets of proposals on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, dateFilter, flag, list, optional, paging, text } from '../../../http/schemas/primitives.ts';
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
    ...optional({ state: text<string>('set.state', ['oneOf', CHANGE_SET_STATES]) }),
  });

export const memberProblem = shown.object('set_problem', {
  proposal: shown.integer('proposal.id'),
  problem: shown.text('shown_proposal.problem'),
  fields: shown.listOf(shown.text('field_change.field'), 'shown_proposal.conflicts'),
});

const problems = shown.listOf(memberProblem, 'shown_set.problems');

const other = shown.object('shown_set', {
  set: shown.integer('set.id'),
  name: shown.text('set.name'),
  proposals: shown.listOf(shown.integer('proposal.id'), 'set.proposals'),
});

const person = (about: Parameters<typeof shown.component>[1]) => shown.component('Actor', about);

export const changeSet = shown.object('shown_set', {
  id: shown.integer('set.id'),
  url: shown.address('shown.url'),
  name: shown.text('set.name'),
  key: shown.text('shown_set.key'),
  description: shown.text('set.description'),
  state: shown.oneOf('shown_proposal.state', [...CHANGE_SET_STATES]),
  author: person('shown_proposal.author'),
  opened: shown.instant('shown_proposal.opened'),
  modified: shown.instant('shown_proposal.modified'),
  at: shown.orNull(shown.instant('set.at')),
  proposals: shown.listOf(shown.integer('proposal.id'), 'set.proposals'),
  revisions: shown.listOf(shown.integer('shown_set.revision'), 'set.revisions'),
  problems,
  decided_by: shown.eitherOf('shown_proposal.decided_by', [Type.Ref('Actor'), Type.Null()]),
  request: shown.orNull(shown.text('shown_set.request')),
  approvals: shown.listOf(person('actor'), 'shown_set.approvals'),
  approvals_needed: shown.integer('shown_set.approvals_needed'),
  approvals_given: shown.integer('shown_set.approvals_given'),
  unapproved: shown.listOf(shown.integer('proposal.id'), 'shown_set.unapproved'),
  changes_requested: shown.eitherOf('shown_set.changes_requested', [Type.Ref('Actor'), Type.Null()]),
  comments: shown.listOf(shown.component('ProposalComment', 'proposal_comment'), 'shown_proposal.comments'),
  ...optional({
    fits: shown.flag('shown_proposal.fits'),
    others: shown.listOf(other, 'shown_set.others'),
  }),
});
