// `daybook policy`: shows and sets the rules of review, and says who has set them.

import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { command, type Group, type ValueType } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { COLLECTION, JSON_FLAG, REASON } from '../../../cli/values.ts';
import { historyOf, onLog, SURROUNDINGS } from '../../../cli/with-log.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { linesOfEntry } from '../../history/cli/history.ts';
import { policyHistory } from '../../history/queries/policy-history.ts';
import { TARGET_KINDS } from '../../proposals/domain/proposal.ts';
import { presentPolicy } from '../commands/present-policy.ts';
import { setReviewPolicyOf } from '../commands/review-policy.ts';
import {
  type KindRules,
  MAX_APPROVALS,
  NOTICE_RULES,
  type ReviewPolicy,
  WRITING_ROLES,
} from '../domain/review-policy.ts';
import { reviewRulesIn } from '../http/review-rules.ts';

const RULE: ValueType<string> = {
  must: `ROLE=direct or ROLE=review (${WRITING_ROLES.join(', ')}), approvals=1 to approvals=${MAX_APPROVALS}, bypass=true or bypass=false, and for events ${NOTICE_RULES.map((rule) => `notice=${rule}`).join(' or ')}`,
  read: (text) => (reviewRulesIn(text) === null ? undefined : text),
};

/** What operators do is done in no user's name. */
const OPERATOR = { id: 0, login: 'daybook policy', name: 'daybook policy', role: 'administrator' } as const;
const ACTOR = { id: null, name: OPERATOR.login };

const reading = onLog('read', historyOf);
const writing = onLog('existing', (stores, config) => ({
  ...SURROUNDINGS,
  store: stores.store,
  commands: commandDependencies(stores, config),
}));

const show = command(
  {
    name: 'policy show',
    summary: 'show whose writes are made at once, and whose are reviewed',
    options: { json: JSON_FLAG },
    examples: [['daybook policy show', 'shows the rules of each kind']],
  },
  async (_, { store }) => outputOf((await presentPolicy(store)).rules),
  writing,
);

const set = command(
  {
    name: 'policy set',
    summary: 'set rules of review for one kind of resource',
    description: [
      'What is not named stays as it is. Rules under which proposals could never be approved are refused. A running service follows at once.',
    ],
    arguments: {
      kind: { label: 'KIND', description: 'whose rules', type: COLLECTION },
      rules: {
        label: 'RULE',
        description: 'such as author=review, approvals=2, bypass=true',
        type: RULE,
        count: 'many',
      },
    },
    options: { reason: REASON, json: JSON_FLAG },
    examples: [
      ['daybook policy set events author=review approvals=2', 'what authors write about events needs two approvals'],
      ['daybook policy set events author=direct', 'takes that back'],
      ['daybook policy set events notice=required', 'new dates of published events need a notice for their readers'],
    ],
    check: ({ kind, rules }) =>
      kind !== 'event' && rules.some((rule) => reviewRulesIn(rule)?.notice !== undefined)
        ? 'notice is a rule of events alone.'
        : null,
  },
  async ({ kind, rules, reason }, { commands, now, newId }) => {
    const wanted: Partial<KindRules> = Object.assign({}, ...rules.map(reviewRulesIn));
    const context = { caller: OPERATOR, actor: ACTOR, now: now(), correlationId: newId(), reason };
    const result = await setReviewPolicyOf(commands, context, { [kind]: wanted });
    if (result.kind === 'written') return outputOf(result.written.state);
    const { code, details = {} } = result.rejection;
    if (code !== 'policy_locks_out') throw new Error(`rules were refused: ${code}`);
    const needed = `${details.approvals} of ${counted(Number(details.approvers), 'approver')}`;
    throw new UsageError(
      `proposals by ${details.role}s could never be approved: they need ${needed}. Ask for fewer approvals, or add users who may approve.`,
      1,
    );
  },
  writing,
);

const history = command(
  {
    name: 'policy history',
    summary: 'show who set which rules of review, when and why',
    description: ['Newest first.'],
    options: { json: JSON_FLAG },
    examples: [['daybook policy history', 'shows every change of the rules, from what to what']],
  },
  async (_, dependencies) => {
    const entries = await policyHistory(dependencies);
    const lines = entries.flatMap(linesOfEntry);
    return {
      json: entries,
      lines: lines.length === 0 ? ['Nothing has been set: everything is written directly.'] : lines,
    };
  },
  reading,
);

export const policyGroup: Group = { name: 'policy', subcommands: [show, set, history] };

const outputOf = (rules: ReviewPolicy) => ({
  json: Object.fromEntries(TARGET_KINDS.map((kind) => [COLLECTIONS[kind], rules[kind]])),
  lines: linesOf(rules),
});

const linesOf = (rules: ReviewPolicy): string[] =>
  TARGET_KINDS.map((kind) => {
    const { approvals, bypass, notice, ...modes } = rules[kind];
    const reviewed = WRITING_ROLES.filter((role) => modes[role] === 'review');
    const name = COLLECTIONS[kind].padEnd(12);
    const dates = notice === 'required' ? '; new dates of published events need a notice' : '';
    if (reviewed.length === 0) return `${name}written directly${dates}`;
    const how = `${counted(approvals, 'approval')}${bypass ? ', bypass with a reason' : ''}`;
    return `${name}reviewed if written by ${reviewed.map((role) => `${role}s`).join(', ')}; ${how}${dates}`;
  });
