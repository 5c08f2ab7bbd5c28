// `daybook rebuild`: builds all projections into a new generation beside the one in use, compares, and switches.

import { allProjections } from '../../projections/catalogue.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import { countEvents, openGenerations } from '../composition.ts';
import { closing } from '../kernel/files/closing.ts';
import { counted } from '../kernel/text/counted.ts';
import type { EventStore } from '../log/event-store.ts';
import { type Disagreement, disagreementsIn } from '../read-model/agreement.ts';
import type { DocumentKind } from '../read-model/documents.ts';
import type { Generations } from '../read-model/generations.ts';
import type { Difference, Verification } from '../read-model/projector/compare.ts';
import { RebuildInterrupted, type RebuildObserver, type Rebuilt, rebuild } from '../read-model/projector/rebuild.ts';
import { command } from './command.ts';
import { INTERRUPTED } from './errors.ts';
import { duration, type LongWork, longWork } from './rate-progress.ts';
import { printable } from './terminal.ts';
import { withLog } from './with-log.ts';

export interface RebuildDependencies extends Pick<LongWork, 'out' | 'progress' | 'signal' | 'elapsed'> {
  readonly store: EventStore;
  readonly generations: Generations;
  readonly projections: readonly AnyProjection[];
  /** How many events the read model is built from; null if that is unknown without reading them. */
  readonly countEvents: () => Promise<number | null>;
}

export const rebuildCommand = command(
  {
    name: 'rebuild',
    description: [
      'The service may keep running: a new read model is built beside the one in use, and the switch is invisible to readers. --check names each member of documents that differs, with the first document and both values, and where lists disagree with documents. Exit code 1: --check has found a difference; 130: interrupted, and the read model in use is unchanged.',
    ],
    options: {
      dryRun: { description: 'show what would be read, built and replaced; build nothing' },
      check: { description: 'build and compare, but do not switch' },
    },
    examples: [
      ['daybook rebuild', 'rebuilds the read model and switches to it'],
      ['daybook rebuild --check', 'checks whether the read model in use matches the log'],
    ],
    check: (options) =>
      options.dryRun && options.check
        ? '--dry-run builds nothing and --check builds and compares: use one of them.'
        : null,
  },
  async ({ dryRun: isDryRun, check }, dependencies: RebuildDependencies) => {
    if (isDryRun) return dryRun(dependencies);
    const { out } = dependencies;
    const lists = check ? await listsInUse(dependencies) : [];
    if (lists === 'no views') {
      for (const line of verdict(null, [])) out(line);
      return 0;
    }
    const begun = dependencies.elapsed();
    const observer = observerOf(dependencies, lists);
    try {
      const rebuilt = await rebuild({ ...dependencies, afterwards: check ? 'check' : 'switch', observer });
      for (const line of summary(rebuilt, (dependencies.elapsed() - begun) / 1_000)) out(line);
      return check && differs(rebuilt.verification, lists) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof RebuildInterrupted)) throw error;
      out('Interrupted. The views in use are unchanged.');
      return INTERRUPTED;
    }
  },
  (work) =>
    withLog('read', async ({ store, rendering }, config) => {
      const projections = allProjections(rendering);
      return closing(await openGenerations(config), (generations) =>
        work({
          ...longWork(),
          store,
          generations,
          projections,
          countEvents: () => countEvents(config, projections),
        }),
      );
    }),
);

const LABELS = { events: 'Building', documents: 'Comparing' } as const;

function observerOf({ progress, out }: RebuildDependencies, lists: Lists): RebuildObserver {
  return {
    begin: (what, total) => progress.begin(LABELS[what], what, total),
    reach: progress.reach,
    end: progress.end,
    verified(verification) {
      for (const line of verdict(verification, lists)) out(line);
    },
  };
}

/** What lists are made from, where it is not as documents say; null: too much was written meanwhile to know. */
type Lists = readonly Disagreement[] | null;

const differs = (verification: Verification | null, lists: Lists = []): boolean =>
  verification !== null && (verification.different > 0 || (lists ?? []).length > 0);

const listed = (counts: readonly (readonly [kind: DocumentKind, count: number])[]): string =>
  counts.length === 0 ? 'none' : counts.map(([kind, count]) => `${kind} ${count}`).join(', ');

/** The result of the comparison, in lines. */
function verdict(verification: Verification | null, lists: Lists): string[] {
  if (verification === null)
    return ['Nothing was compared: there are no views of this version with these settings yet.'];
  const { counts, digests, different, damaged, differences, notCompared } = verification;
  const lines = [
    `documents in use:  ${listed(counts.map(({ kind, live }) => [kind, live]))}; digest ${digests.live}`,
    `documents built:   ${listed(counts.map(({ kind, built }) => [kind, built]))}; digest ${digests.built}`,
  ];
  if (notCompared > 0) lines.push(`not compared: ${notCompared}, as the views in use had not got to them yet`);
  if (damaged > 0) lines.push(`DAMAGED: ${counted(damaged, 'document')} in use could not be read`);
  if (lists === null) lines.push('not compared: lists with documents, as too much was written meanwhile');
  if (different > 0) lines.push(`DIFFERENT: ${counted(different, 'document')}`, ...differences.flatMap(linesOf));
  lines.push(...(lists ?? []).filter(({ part }) => part !== 'document').map(listLine));
  if (!differs(verification, lists)) lines.push('No difference.');
  return lines;
}

/** Values of users are left out: they have secrets. */
const linesOf = ({ kind, what, place, documents, first }: Difference): string[] => [
  printable(
    `  ${kind}${place === '' ? '' : `, ${place}`}: ${counted(documents, 'document')} ${what}, the first ${first.id}`,
  ),
  ...(place === '' || kind === 'user'
    ? []
    : [`    in use:   ${excerpt(first.live, first.built)}`, `    built:    ${excerpt(first.built, first.live)}`]),
];

const listLine = ({ key, part }: Disagreement): string =>
  `DIFFERENT: lists: the ${part} of ${key ? `${key.kind} ${key.id}` : 'all'} in use is not what ${key ? 'its document gives' : 'documents give'}`;

const MAX_SHOWN = 160;

/** The part of a long value around the first difference. */
function excerpt(value: unknown, other: unknown): string {
  if (value === undefined) return 'nothing';
  const [text, against] = [JSON.stringify(value), JSON.stringify(other) ?? ''];
  const same = [...text].findIndex((letter, at) => letter !== against[at]);
  const from = text.length <= MAX_SHOWN ? 0 : Math.max(0, same - MAX_SHOWN / 4);
  const part = text.slice(from, from + MAX_SHOWN).toWellFormed();
  return printable(`${from === 0 ? '' : '…'}${part}${from + MAX_SHOWN < text.length ? '…' : ''}`);
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

const listsInUse = async ({ generations }: RebuildDependencies): Promise<Lists | 'no views'> =>
  closing(await generations.live(), async (live) => (live ? disagreementsIn(live) : 'no views'));

async function dryRun({ generations, countEvents, out }: RebuildDependencies): Promise<0> {
  const live = await generations.live();
  const events = await countEvents();
  out(`would read: ${events === null ? 'all events of the log' : counted(events, 'event')}`);
  if (!live) {
    out('would build the first generation of this version with these settings; there is nothing to compare with');
    return 0;
  }
  return closing(live, async ({ name, keys: allKeys }): Promise<0> => {
    const counts = new Map<DocumentKind, Set<number>>();
    for await (const keys of allKeys())
      for (const { kind, id } of keys) counts.set(kind, (counts.get(kind) ?? new Set()).add(id));
    out(`in use: generation ${name} with ${listed([...counts].map(([kind, ids]) => [kind, ids.size]))}`);
    out('would build a new one beside it, compare the two, switch to it and drop the old one');
    return 0;
  });
}
