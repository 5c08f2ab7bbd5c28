// `daybook revert --correlation ID`: takes back what one request or one import did.
import { parseArgs } from 'node:util';
import type { CommandDependencies } from '../commands/context.ts';
import { touchedBy } from '../commands/reverts/correlation.ts';
import {
  REVERTER,
  type Reverted,
  type RevertOutcome,
  revertCorrelation,
} from '../commands/reverts/revert-correlation.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Progress } from '../import/progress.ts';
import { openRehearsalStore } from '../import/write/dry-run-store.ts';
import { conflictClause } from '../locales/conflicts.ts';
import type { Language } from '../locales/language.ts';
import { clauses } from '../locales/phrases.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { UsageError } from './usage-error.ts';

export interface RevertDependencies {
  readonly store: EventStore;
  /** What commands work with, on this store or on one that stands in for it. */
  readonly commandsOn: (store: EventStore) => CommandDependencies;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<unknown>;
  readonly now: () => EpochSeconds;
  readonly newId: () => string;
  /** For what stands in the way. */
  readonly language: Language;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
}

export const REVERT_USAGE = 'daybook revert --correlation ID [--dry-run] [--reason TEXT] [--json]';

const OPTIONS = {
  correlation: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  reason: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const ACTOR = { id: null, name: REVERTER.login };

/**
 * Carries out `daybook revert ...`; `args` is what stands behind `revert`. Answers the exit code: 0 when everything is
 * taken back, 1 when something stays. Throws `UsageError`.
 */
export async function runRevert(args: readonly string[], dependencies: RevertDependencies): Promise<0 | 1> {
  const { store, commandsOn, project, now, newId, language, out, progress } = dependencies;
  const flags = read(args);
  const { correlation } = flags;
  const isRehearsal = flags['dry-run'];
  progress.begin('Reading the log', 'events', null);
  const touched = await touchedBy(store, correlation, progress.reach);
  progress.end();
  if (touched.events === 0) throw new UsageError(`revert: nothing in the log has the correlation "${correlation}".`, 1);
  const context = {
    caller: REVERTER,
    actor: ACTOR,
    now: now(),
    correlationId: newId(),
    reason: flags.reason ?? `revert of ${correlation}`,
    ifRevision: undefined,
    idempotencyKey: undefined,
  };
  const commands = commandsOn(isRehearsal ? openRehearsalStore(store) : store);
  progress.begin('Reverting', 'changes', touched.things.length);
  const reverted = await revertCorrelation({ commands, correlationId: correlation, context }, touched, progress.reach);
  progress.end();
  if (!isRehearsal) await project();
  const run = { mode: isRehearsal ? 'dry run' : 'revert', reverts: correlation, id: context.correlationId } as const;
  const lines = flags.json
    ? [asJson(run, reverted, touched.users, language)]
    : asText(run, reverted, touched.users, language);
  for (const line of lines) out(line);
  return countsOf(reverted).conflicts === 0 ? 0 : 1;
}

function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (positionals.length > 0)
      throw new UsageError(`revert: "${positionals.join(' ')}" is too much.\n${REVERT_USAGE}`);
    const { correlation } = values;
    if (correlation) return { ...values, correlation };
    throw new UsageError(`revert: --correlation ID is missing.\n${REVERT_USAGE}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new UsageError(`revert: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}

interface Run {
  readonly mode: 'revert' | 'dry run';
  /** What is taken back. */
  readonly reverts: string;
  /** Of the run itself: it can be taken back, too. */
  readonly id: string;
}

const COLLECTIONS = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;

const pathOf = ({ thing }: Reverted): string => `${COLLECTIONS[thing.kind]}/${thing.id}`;

const ACTIONS = {
  trash: ['moved to the trash', 'would be moved to the trash', 'in the trash already'],
  delete: ['deleted', 'would be deleted', 'deleted already'],
  revert: ['reverted', 'would be reverted', 'as it was already'],
} as const;

function countsOf(reverted: readonly Reverted[]) {
  const count = (...kinds: readonly RevertOutcome['kind'][]): number =>
    reverted.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  return { done: count('done'), unchanged: count('unchanged'), conflicts: count('changed_later', 'in_use', 'refused') };
}

function asText(run: Run, reverted: readonly Reverted[], users: number, language: Language): string[] {
  const { done, unchanged, conflicts } = countsOf(reverted);
  const isRehearsal = run.mode === 'dry run';
  return [
    ...reverted.map((one) => printable(`${pathOf(one)}: ${sentenceOf(one, isRehearsal, language)}`)),
    ...(users === 0 ? [] : [`Users and their credentials are not reverted; ${users} had changes.`]),
    `${done} ${isRehearsal ? 'would be taken back' : 'taken back'}, ${unchanged} as before already, ${conflicts} left alone.`,
    isRehearsal ? 'Nothing was written.' : `Correlation of this run: ${run.id}`,
  ];
}

function sentenceOf({ thing, action, outcome }: Reverted, isRehearsal: boolean, language: Language): string {
  const [done, wouldBe, already] = ACTIONS[action];
  const to = action === 'revert' ? ` to revision ${thing.firstRevision - 1}` : '';
  switch (outcome.kind) {
    case 'done':
      return `${isRehearsal ? wouldBe : done}${to}`;
    case 'unchanged':
      return already;
    case 'changed_later':
    case 'in_use':
    case 'refused':
      return `left alone: ${obstacle(outcome, language)}`;
  }
}

function obstacle(outcome: Exclude<RevertOutcome, { kind: 'done' | 'unchanged' }>, language: Language): string {
  if (outcome.kind === 'changed_later') {
    const { actor, instant, correlationId } = outcome.by;
    return `changed since by ${actor} at ${instant} (correlation ${correlationId})`;
  }
  if (outcome.kind === 'in_use') return `still used by ${listed(outcome.by)}`;
  const { code, conflicts = [] } = outcome.rejection;
  return conflicts.length > 0 ? clauses(conflicts.map(conflictClause))(language) : code.replaceAll('_', ' ');
}

const MOST_NAMED = 5;

function listed(streams: readonly string[]): string {
  const named = streams.slice(0, MOST_NAMED).map((stream) => stream.replace('-', ' '));
  const more = streams.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

function asJson({ mode, reverts, id }: Run, reverted: readonly Reverted[], users: number, language: Language): string {
  return JSON.stringify({
    mode,
    correlation_id: id,
    reverted_correlation_id: reverts,
    things: reverted.map((one) => ({
      thing: pathOf(one),
      action: one.action,
      ...(one.action === 'revert' ? { to_revision: one.thing.firstRevision - 1 } : {}),
      outcome: one.outcome.kind,
      ...(isObstacle(one.outcome) ? { why: obstacle(one.outcome, language) } : {}),
      ...(one.outcome.kind === 'changed_later' || one.outcome.kind === 'in_use' ? { by: one.outcome.by } : {}),
      ...(one.outcome.kind === 'refused' ? { conflicts: one.outcome.rejection.conflicts ?? [] } : {}),
    })),
    users_not_reverted: users,
    ...countsOf(reverted),
  });
}

const isObstacle = (outcome: RevertOutcome): outcome is Exclude<RevertOutcome, { kind: 'done' | 'unchanged' }> =>
  outcome.kind !== 'done' && outcome.kind !== 'unchanged';

/** What others wrote into a name must not move the cursor of whoever reads it. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');
