// `daybook rebuild`: builds all projections into a new generation beside the one in use, compares, and switches.

import { allProjections } from '../../projections/catalogue.ts';
import type { Verification } from '../../projections/engine/compare.ts';
import { RebuildInterrupted, type RebuildObserver, type Rebuilt, rebuild } from '../../projections/engine/rebuild.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import { countEvents, openGenerations } from '../composition.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Progress } from '../import/progress.ts';
import type { DocumentKind } from '../read-model/documents.ts';
import type { Generations } from '../read-model/generations.ts';
import { counted } from '../text/counted.ts';
import { elapsed } from '../time/system.ts';
import { command, type GivenTo, synopsis } from './command.ts';
import { INTERRUPTED } from './errors.ts';
import { duration, openProgress } from './rate-progress.ts';
import { interruption, say } from './terminal.ts';
import { withLog } from './with-log.ts';

export interface RebuildDependencies {
  readonly store: EventStore;
  readonly generations: Generations;
  readonly projections: readonly AnyProjection[];
  /** How many events the read model is built from; null if that is unknown without reading them. */
  readonly countEvents: () => Promise<number | null>;
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

const SPEC = synopsis({
  name: 'rebuild',
  description: [
    'The service may keep running: a new read model is built beside the one in use, and the switch is invisible to readers. Exit code 1: --check has found a difference; 130: interrupted, and the read model in use is unchanged.',
  ],
  arguments: {},
  options: {
    dryRun: { description: 'show what would be read, built and replaced; build nothing' },
    check: { description: 'build and compare, but do not switch' },
  },
  examples: [
    ['daybook rebuild', 'rebuilds the read model and switches to it'],
    ['daybook rebuild --check', 'checks whether the read model in use matches the log'],
  ],
  check: (given) =>
    given.dryRun && given.check ? '--dry-run builds nothing and --check builds and compares: use one of them.' : null,
});

export const rebuildCommand = command(SPEC, {
  perform: runRebuild,
  run: (given) =>
    withLog('read', async ({ store, rendering }, config) => {
      const projections = allProjections(rendering);
      const generations = await openGenerations(config);
      try {
        return await runRebuild(given, {
          ...{ store, generations, projections, elapsed, out: say },
          countEvents: () => countEvents(config, projections),
          progress: openProgress(),
          signal: interruption(),
        });
      } finally {
        await generations.close();
      }
    }),
});

async function runRebuild(
  { dryRun: isDryRun, check }: GivenTo<typeof SPEC>,
  dependencies: RebuildDependencies,
): Promise<0 | 1 | 130> {
  if (isDryRun) return dryRun(dependencies);
  const { out } = dependencies;
  if (check && !(await areViewsThere(dependencies))) {
    for (const line of verdict(null)) out(line);
    return 0;
  }
  const begun = dependencies.elapsed();
  const observer = observerOf(dependencies);
  try {
    const rebuilt = await rebuild({ ...dependencies, afterwards: check ? 'check' : 'switch', observer });
    for (const line of summary(rebuilt, (dependencies.elapsed() - begun) / 1_000)) out(line);
    return check && differs(rebuilt.verification) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof RebuildInterrupted)) throw error;
    out('Interrupted. The views in use are unchanged.');
    return INTERRUPTED;
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

const listed = (counts: readonly (readonly [kind: DocumentKind, count: number])[]): string =>
  counts.length === 0 ? 'none' : counts.map(([kind, count]) => `${kind} ${count}`).join(', ');

/** The result of the comparison, in lines. */
function verdict(verification: Verification | null): string[] {
  if (verification === null)
    return ['Nothing was compared: there are no views of this version with these settings yet.'];
  const { counts, digests, different, damaged, first, notCompared, terms } = verification;
  const lines = [
    `documents in use:  ${listed(counts.map(({ kind, live }) => [kind, live]))}; digest ${digests.live}`,
    `documents built:   ${listed(counts.map(({ kind, built }) => [kind, built]))}; digest ${digests.built}`,
  ];
  if (notCompared > 0) lines.push(`not compared: ${notCompared}, as the views in use had not got to them yet`);
  if (terms === 'not compared') lines.push('not compared: the numbers of events of categories and tags');
  if (damaged > 0) lines.push(`DAMAGED: ${counted(damaged, 'document')} in use could not be read`);
  if (first)
    lines.push(
      `DIFFERENT: ${counted(different, 'document')}, the first ${first.key.kind} ${first.key.id}: ${first.what}`,
    );
  if (terms === 'different') lines.push('DIFFERENT: categories and tags, or the numbers of their events');
  if (!differs(verification)) lines.push('No difference.');
  return lines;
}

function summary({ name, events, verification, switched, dropped }: Rebuilt, seconds: number): string[] {
  const lines: string[] = [];
  if (dropped.before > 0) lines.push(`Left behind by earlier runs, and dropped: ${dropped.before}.`);
  lines.push(`${counted(events, 'event')} in ${duration(seconds)}.`);
  if (!switched) return [...lines, 'Checked only: the views in use are unchanged.'];
  if (differs(verification)) lines.push('The differences have been corrected.');
  lines.push(`Generation ${name} is in use. Replaced, and dropped: ${dropped.after}.`);
  return lines;
}

async function areViewsThere({ generations }: RebuildDependencies): Promise<boolean> {
  const live = await generations.live();
  await live?.close();
  return live !== null;
}

async function dryRun({ generations, countEvents, out }: RebuildDependencies): Promise<0> {
  const live = await generations.live();
  const events = await countEvents();
  out(`would read: ${events === null ? 'all events of the log' : counted(events, 'event')}`);
  if (!live) {
    out('would build the first generation of this version with these settings; there is nothing to compare with');
    return 0;
  }
  try {
    const counts = new Map<DocumentKind, Set<number>>();
    for await (const keys of live.keys())
      for (const { kind, id } of keys) counts.set(kind, (counts.get(kind) ?? new Set()).add(id));
    out(`in use: generation ${live.name} with ${listed([...counts].map(([kind, ids]) => [kind, ids.size]))}`);
    out('would build a new one beside it, compare the two, switch to it and drop the old one');
    return 0;
  } finally {
    await live.close();
  }
}
