// The rules of review on the wire.
import * as member from '../../../http/schemas/members.ts';
import { anything, optional } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { TARGET_KINDS } from '../../proposals/domain/proposal.ts';
import { type KindRules, NOTICE_RULES, WRITE_MODES, WRITING_ROLES } from '../domain/review-policy.ts';

const rules = anything<Partial<KindRules>>('policy.kind', 'reviewRules');
const rulesOfEvents = anything<Partial<KindRules>>('policy.kind', 'eventReviewRules');

export const policyRead = Type.Object({});

export const policySet = Type.Object(
  optional({ events: rulesOfEvents, venues: rules, organizers: rules, categories: rules, tags: rules }),
);

const mode = member.oneOf('policy.role', WRITE_MODES);

export const kindRules = member.object('policy.kind', {
  contributor: mode,
  author: mode,
  editor: mode,
  administrator: mode,
  approvals: member.integer('policy.approvals'),
  bypass: member.flag('policy.bypass'),
  ...optional({ notice: member.oneOf('policy.notice', NOTICE_RULES) }),
});

const ofKind = member.component('ReviewRules', 'policy.kind');

export const reviewPolicy = member.object('policy', {
  events: ofKind,
  venues: ofKind,
  organizers: ofKind,
  categories: ofKind,
  tags: ofKind,
});

/** What is shown of rules that are refused. */
export const lockedOut = {
  kind: member.oneOf('resource.kind', TARGET_KINDS),
  role: member.oneOf('user.role', WRITING_ROLES),
  approvals: member.integer('policy.approvals'),
  approvers: member.integer('policy.approvers'),
};
