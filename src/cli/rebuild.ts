// `daybook rebuild`
import { parseArgs } from 'node:util';
import type { Verification } from '../../projections/engine/compare.ts';
import { RebuildInterrupted, type RebuildObserver, type Rebuilt, rebuild } from '../../projections/engine/rebuild.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Progress } from '../import/progress.ts';
import type { DocumentKind } from '../read-model/documents.ts';
import type { Generations } from '../read-model/generations.ts';
import { duration } from './rate-progress.ts';
import { UsageError } from './usage-error.ts';

export interface RebuildDependencies {
  readonly store: EventStore;
  readonly generations: Generations;
  readonly projections: readonly AnyProjection[];
  /** How many events the views are made from; null when nobody knows without reading them. */
  readonly countEvents: () => Promise<number | null>;
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

export const REBUILD_USAGE = 'daybook rebuild [--dry-run | --check]';

/** As shells have it for what was ended by Ctrl-C. */
const INTERRUPTED = 130;

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  view: { type: 'string' },
} as const;

/**
 * Carries out `daybook rebuild ...`; `args` is what stands behind `rebuild`. Answers the exit code: 0 when the views are
 * built anew, 1 when `--check` has found a difference, 130 when it was interrupted. Throws `UsageError`.
 */
export async function runRebuild(args: readonly string[], dependencies: RebuildDependencies): Promise<0 | 1 | 130> {
  const flags = read(args);
  if (flags['dry-run']) return rehearse(dependencies);
  const { out, elapsed } = dependencies;
  if (flags.check && !(await areViewsThere(dependencies))) {
    for (const line of verdict(null)) out(line);
    return 0;
  }
  const begun = elapsed();
  const observer = observerOf(dependencies);
  try {
    const rebuilt = await rebuild({ ...dependencies, afterwards: flags.check ? 'check' : 'switch', observer });
    for (const line of summary(rebuilt, (elapsed() - begun) / 1_000)) out(line);
    return flags.check && differs(rebuilt.verification) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof RebuildInterrupted)) throw error;
    out('Interrupted. The views are what they were.');
    return INTERRUPTED;
  }
}

function read(args: readonly string[]) {
  const { values } = parsed(args);
  if (values.view !== undefined)
    throw new UsageError(
      'rebuild: --view is not possible: all views are built, compared and switched as one. Leave it out.',
    );
  if (values['dry-run'] && values.check)
    throw new UsageError('rebuild: --dry-run builds nothing, --check builds and compares: choose one.');
  return values;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`rebuild: ${problem}; allowed: --dry-run, --check.\n${REBUILD_USAGE}`);
  }
}

const LABELS = { events: 'Building', documents: 'Comparing' } as const;

function observerOf({ progress, out }: RebuildDependencies): RebuildObserver {
  return {
    begin: (what, total) => progress.begin(LABELS[what], what, total),
    reach: progress.reach,
    end: progress.end,
    verified(verification) {
      for (const line of verdict(verification)) out(line);
    },
  };
}

const differs = (verification: Verification | null): boolean =>
  verification !== null && (verification.different > 0 || verification.terms === 'different');

const counted = (counts: readonly (readonly [kind: DocumentKind, count: number])[]): string =>
  counts.length === 0 ? 'none' : counts.map(([kind, count]) => `${kind} ${count}`).join(', ');

/** What the comparison has found, in lines. */
export function verdict(verification: Verification | null): string[] {
  if (verification === null) return ['Nothing was compared: this version with these settings has no views yet.'];
  const { counts, digests, different, damaged, first, notCompared, terms } = verification;
  const lines = [
    `documents in use:  ${counted(counts.map(({ kind, live }) => [kind, live]))}; digest ${digests.live}`,
    `documents built:   ${counted(counts.map(({ kind, built }) => [kind, built]))}; digest ${digests.built}`,
  ];
  if (notCompared > 0) lines.push(`not compared: ${notCompared}, as the views in use had not got to them yet`);
  if (terms === 'not compared') lines.push('not compared: the numbers of events of categories and tags');
  if (damaged > 0) lines.push(`DAMAGED: ${damaged} documents in use could not be read`);
  if (first)
    lines.push(`DIFFERENT: ${different} documents, the first ${first.key.kind} ${first.key.id}: ${first.what}`);
  if (terms === 'different') lines.push('DIFFERENT: categories and tags, or the numbers of their events');
  if (!differs(verification)) lines.push('No difference.');
  return lines;
}

function summary({ name, events, verification, switched, dropped }: Rebuilt, seconds: number): string[] {
  const lines: string[] = [];
  if (dropped.before > 0) lines.push(`Left behind by earlier runs, and dropped: ${dropped.before}.`);
  lines.push(`${events} events in ${duration(seconds)}.`);
  if (!switched) return [...lines, 'Checked only: the views in use are what they were.'];
  if (differs(verification)) lines.push('What was different has been replaced.');
  lines.push(`Generation ${name} is in use. Replaced, and dropped: ${dropped.after}.`);
  return lines;
}

async function areViewsThere({ generations }: RebuildDependencies): Promise<boolean> {
  const live = await generations.live();
  await live?.close();
  return live !== null;
}

async function rehearse({ generations, countEvents, out }: RebuildDependencies): Promise<0> {
  const live = await generations.live();
  const events = await countEvents();
  out(`would read: ${events === null ? 'all events of the log' : `${events} events`}`);
  if (!live) {
    out('would build the first generation of this version with these settings; there is nothing to compare with');
    return 0;
  }
  try {
    const counts = new Map<DocumentKind, Set<number>>();
    for await (const keys of live.keys())
      for (const { kind, id } of keys) counts.set(kind, (counts.get(kind) ?? new Set()).add(id));
    out(`in use: generation ${live.name} with ${counted([...counts].map(([kind, ids]) => [kind, ids.size]))}`);
    out('would build a new one beside it, compare the two, switch to it and drop the old one');
    return 0;
  } finally {
    await live.close();
  }
}
