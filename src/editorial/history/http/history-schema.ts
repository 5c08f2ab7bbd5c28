// Histories and reverts on the wire, and changes in histories and in the feed.
import { POST_KINDS, type PostKind } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS, type TermKind } from '../../../calendar/term/domain/term.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import { CONCERNS } from '../../proposals/domain/proposal.ts';

/** The handler looks the id up in the log: the read model may lag, or lack what the log still has. */
export const historyList = (of: PostKind | TermKind, { perPage }: ListSettings) =>
  Type.Object({ id: anyId(of), ...paging(perPage) });

/** The handler reports errors of the revision, and of the id, in its own words. */
export const revert = (of: PostKind | TermKind) =>
  Type.Object({ id: anyId(of), revision: integer('revert.revision', 'anything') });

export const actor = member.object('actor', {
  id: member.orNull(member.integer('actor.id')),
  name: member.text('actor.name'),
});

const toldMembers = {
  revision: member.integer('revision.revision'),
  instant: member.instant('revision.instant'),
  date: member.dateTime('revision.date'),
  actor: member.component('Actor', 'actor'),
  reason: member.orNull(member.text('revision.reason')),
  type: member.text('revision.type'),
  summary: member.text('revision.summary'),
  correlation_id: member.text('revision.correlation_id'),
};

/** Members of a change that was proposed, or made without the review that the rules demand. */
const carriedOut = optional({
  proposal: member.object('revision.proposal', {
    id: member.integer('proposal.id'),
    author: member.component('Actor', 'shown_proposal.author'),
  }),
  bypassed_review: member.text('revision.bypassed_review'),
});

export const change = member.object('field_change', {
  field: member.text('field_change.field'),
  before: member.anything('field_change.before'),
  after: member.anything('field_change.after'),
});

export const revisionEntry = member.object('revision', {
  ...toldMembers,
  changes: member.listOf(member.component('FieldChange', 'revision.one_change'), 'revision.changes'),
  ...carriedOut,
});

const concerned = member.object('change_entry.one_concerned', {
  id: member.integer('actor.id'),
  name: member.text('actor.name'),
  as: member.listOf(member.oneOf('change_entry.concern', CONCERNS), 'change_entry.as'),
});

/** The kinds of what the feed of changes tells. */
export const CHANGE_KINDS = [
  ...POST_KINDS,
  ...TERM_KINDS,
  ...(['proposal', 'set', 'policy', 'settings', 'picture', 'series', 'webhook', 'source', 'guest'] as const),
];

export const changeEntry = member.object('change_entry', {
  position: member.text('change_entry.position'),
  kind: member.oneOf('resource.kind', CHANGE_KINDS),
  id: member.integer('resource.id'),
  url: member.address('change_entry.url'),
  ...toldMembers,
  ...carriedOut,
  ...optional({
    target: member.component('ProposalTarget', 'proposal_target'),
    concerned: member.listOf(concerned, 'change_entry.concerned'),
    asked_roles: member.listOf(member.oneOf('user.role', ROLES), 'change_entry.asked_roles'),
    changes: member.listOf(member.component('FieldChange', 'revision.one_change'), 'change_entry.changes'),
  }),
});
