// `daybook revert --correlation ID`: reverts one request or one import.

import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { command } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { openProgress } from '../../../cli/rate-progress.ts';
import { printable } from '../../../cli/terminal.ts';
import { JSON_FLAG, REASON, TEXT } from '../../../cli/values.ts';
import { onLog, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { commandDependencies } from '../../../commands/dependencies.ts';
import { openDryRunStore } from '../../../commands/dry-run-store.ts';
import type { Progress } from '../../../exchange/import/progress.ts';
import { conflictClause } from '../../../locales/conflicts.ts';
import type { Language } from '../../../locales/language.ts';
import { configuredLanguage } from '../../../locales/languages.ts';
import { clauses } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import {
  countsOf,
  REVERTER,
  type Reverted,
  type RevertOutcome,
  revertCorrelation,
} from '../commands/revert-correlation.ts';
import { touchedBy } from '../commands/touched.ts';

interface RevertDependencies extends Surroundings {
  readonly store: EventStore;
  /** The dependencies of commands, on this store or on a substitute. */
  readonly commandsOn: (store: EventStore) => CommandDependencies;
  /** Brings the read model up to the end of the log. */
  readonly project: () => Promise<unknown>;
  /** Texts of conflicts. */
  readonly language: Language;
  readonly progress: Progress;
}

/** Returns 1 if something is left unchanged. */
export const revertCommand = command(
  {
    name: 'revert',
    description: [
      'Created resources go to the trash or are deleted; changed ones get their previous content. Resources that were changed since, or are still in use, are skipped and listed. A revert has a correlation id of its own and can itself be reverted.',
    ],
    options: {
      correlation: {
        value: 'ID',
        description:
          'the correlation id: the last line of an import, X-Request-Id of an answer, or correlation_id in a history',
        type: TEXT,
        required: true,
      },
      dryRun: { description: 'show what would happen; write nothing' },
      reason: { ...REASON, otherwise: '"revert of ID"' },
      json: JSON_FLAG,
    },
    examples: [
      ['daybook revert --correlation 907f997a-722e-4f00-b782-ecaca8384068 --dry-run', 'shows what it would revert'],
    ],
  },
  async ({ correlation, dryRun: isDryRun, reason }, dependencies: RevertDependencies) => {
    const { store, commandsOn, project, now, newId, language, progress } = dependencies;
    progress.begin('Reading the log', 'events', null);
    const touched = await touchedBy(store, correlation, progress.reach);
    progress.end();
    if (touched.events === 0) throw new UsageError(`no event in the log has the correlation id "${correlation}".`, 1);
    const context = {
      caller: REVERTER,
      actor: ACTOR,
      now: now(),
      correlationId: newId(),
      reason: reason ?? `revert of ${correlation}`,
    };
    const commands = commandsOn(isDryRun ? openDryRunStore(store) : store);
    progress.begin('Reverting', 'changes', touched.resources.length);
    const reverted = await revertCorrelation(
      { commands, correlationId: correlation, context },
      touched,
      progress.reach,
    );
    progress.end();
    if (!isDryRun) await project();
    const run = { mode: isDryRun ? 'dry run' : 'revert', reverts: correlation, id: context.correlationId } as const;
    return {
      json: asJson(run, reverted, touched.users, language),
      lines: asText(run, reverted, touched.users, language),
      code: countsOf(reverted).conflicts === 0 ? 0 : 1,
    };
  },
  onLog('existing', (stores, config) => ({
    ...SURROUNDINGS,
    store: stores.store,
    commandsOn: (store) => commandDependencies({ ...stores, store }, config),
    project: stores.project,
    language: configuredLanguage(config),
    progress: openProgress(),
  })),
);

const ACTOR = { id: null, name: REVERTER.login };

interface Run {
  readonly mode: 'revert' | 'dry run';
  /** The correlation to revert. */
  readonly reverts: string;
  /** The correlation id of the run itself: it can be reverted, too. */
  readonly id: string;
}

const pathOf = ({ resource: { kind, id } }: Reverted): string =>
  `${kind === 'series' ? kind : COLLECTIONS[kind]}/${id}`;

const ACTIONS = {
  trash: ['moved to the trash', 'would be moved to the trash', 'in the trash already'],
  delete: ['deleted', 'would be deleted', 'deleted already'],
  revert: ['reverted', 'would be reverted', 'as it was already'],
} as const;

function asText(run: Run, reverted: readonly Reverted[], users: number, language: Language): string[] {
  const { done, unchanged, conflicts } = countsOf(reverted);
  const isDryRun = run.mode === 'dry run';
  return [
    ...reverted.map((one) => printable(`${pathOf(one)}: ${sentenceOf(one, isDryRun, language)}`)),
    ...(users === 0 ? [] : [`Users and their credentials are not reverted; ${users} had changes.`]),
    `${done} ${isDryRun ? 'would be taken back' : 'taken back'}, ${unchanged} as before already, ${conflicts} left alone.`,
    isDryRun ? 'Nothing was written.' : `Correlation of this run: ${run.id}`,
  ];
}

function sentenceOf({ resource, action, outcome }: Reverted, isDryRun: boolean, language: Language): string {
  const [done, wouldBe, already] = ACTIONS[action];
  const to = action === 'revert' ? ` to revision ${resource.firstRevision - 1}` : '';
  const why = whyNotReverted(outcome, language);
  if (why !== null) return `left alone: ${why}`;
  return outcome.kind === 'done' ? `${isDryRun ? wouldBe : done}${to}` : already;
}

/** Null where nothing stands in its way. */
function whyNotReverted(outcome: RevertOutcome, language: Language): string | null {
  switch (outcome.kind) {
    case 'changed_later': {
      const { actor, instant, correlationId } = outcome.by;
      return `changed since by ${actor} at ${instant} (correlation ${correlationId})`;
    }
    case 'in_use':
      return `still used by ${listed(outcome.by)}`;
    case 'refused': {
      const { code, conflicts = [] } = outcome.rejection;
      return conflicts.length > 0 ? clauses(conflicts.map(conflictClause))(language) : code.replaceAll('_', ' ');
    }
    default:
      return null;
  }
}

const MAX_NAMED = 5;

function listed(streams: readonly string[]): string {
  const named = streams.slice(0, MAX_NAMED).map((stream) => stream.replace('-', ' '));
  const more = streams.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

const asJson = ({ mode, reverts, id }: Run, reverted: readonly Reverted[], users: number, language: Language) => ({
  mode,
  correlation_id: id,
  reverted_correlation_id: reverts,
  things: reverted.map((one) => ({
    thing: pathOf(one),
    action: one.action,
    ...(one.action === 'revert' ? { to_revision: one.resource.firstRevision - 1 } : {}),
    outcome: one.outcome.kind,
    ...whyIn(one.outcome, language),
    ...(one.outcome.kind === 'changed_later' || one.outcome.kind === 'in_use' ? { by: one.outcome.by } : {}),
    ...(one.outcome.kind === 'refused' ? { conflicts: one.outcome.rejection.conflicts ?? [] } : {}),
  })),
  users_not_reverted: users,
  ...countsOf(reverted),
});

function whyIn(outcome: RevertOutcome, language: Language): { readonly why?: string } {
  const why = whyNotReverted(outcome, language);
  return why === null ? {} : { why };
}
