// Histories and reverts on the wire, and changes in histories and in the feed.
import Type from 'typebox';
import { POST_KINDS, type PostKind } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS, type TermKind } from '../../../calendar/term/domain/term.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging } from '../../../http/schemas/primitives.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import { CONCERNS } from '../../proposals/domain/proposal.ts';

/** The handler looks the id up in the log: the read model may lag, or lack what the log still has. */
export const historyList = (of: PostKind | TermKind, { perPage }: ListSettings) =>
  Type.Object({ id: anyId(of), ...paging(perPage) });

/** The handler reports errors of the revision, and of the id, in its own words. */
export const revert = (of: PostKind | TermKind) =>
  Type.Object({ id: anyId(of), revision: integer('revert.revision', 'anything') });

export const actor = shown.object('actor', {
  id: shown.orNull(shown.integer('actor.id')),
  name: shown.text('actor.name'),
});

const toldMembers = {
  revision: shown.integer('revision.revision'),
  instant: shown.instant('revision.instant'),
  date: shown.dateTime('revision.date'),
  actor: shown.component('Actor', 'actor'),
  reason: shown.orNull(shown.text('revision.reason')),
  type: shown.text('revision.type'),
  summary: shown.text('revision.summary'),
  correlation_id: shown.text('revision.correlation_id'),
};

/** Only of a change that was proposed, or made without the review that the rules demand. */
const carriedOut = optional({
  proposal: shown.object('revision.proposal', {
    id: shown.integer('proposal.id'),
    author: shown.component('Actor', 'shown_proposal.author'),
  }),
  bypassed_review: shown.text('revision.bypassed_review'),
});

export const change = shown.object('field_change', {
  field: shown.text('field_change.field'),
  before: shown.anything('field_change.before'),
  after: shown.anything('field_change.after'),
});

export const revisionEntry = shown.object('revision', {
  ...toldMembers,
  changes: shown.listOf(shown.component('FieldChange', 'revision.one_change'), 'revision.changes'),
  ...carriedOut,
});

const concerned = shown.object('change_entry.one_concerned', {
  id: shown.integer('actor.id'),
  name: shown.text('actor.name'),
  as: shown.listOf(shown.oneOf('change_entry.concern', CONCERNS), 'change_entry.as'),
});

/** Of what the feed of changes tells. */
export const CHANGE_KINDS = [
  ...POST_KINDS,
  ...TERM_KINDS,
  ...(['proposal', 'set', 'policy', 'settings', 'picture', 'series', 'webhook', 'source'] as const),
];

export const changeEntry = shown.object('change_entry', {
  position: shown.text('change_entry.position'),
  kind: shown.oneOf('resource.kind', CHANGE_KINDS),
  id: shown.integer('resource.id'),
  url: shown.address('change_entry.url'),
  ...toldMembers,
  ...carriedOut,
  ...optional({
    target: shown.component('ProposalTarget', 'proposal_target'),
    concerned: shown.listOf(concerned, 'change_entry.concerned'),
    asked_roles: shown.listOf(shown.oneOf('user.role', ROLES), 'change_entry.asked_roles'),
    changes: shown.listOf(shown.component('FieldChange', 'revision.one_change'), 'change_entry.changes'),
  }),
});
