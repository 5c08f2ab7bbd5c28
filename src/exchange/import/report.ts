// The output of a run: refusals as they occur, a summary at the end.
import { COLLECTIONS } from '../../calendar/resource/domain/collections.ts';
import { oneLine } from '../../kernel/text/plain-text.ts';
import type { Fault, Place } from './import-plan.ts';
import type { CountedKind, Counts, ImportSummary } from './import-summary.ts';

export interface Figures {
  readonly correlationId: string;
  readonly mode: 'import' | 'dry run';
  /** Number of records read. */
  readonly records: number;
  /** Time for reading and writing, without bringing the read model up to date. */
  readonly seconds: number;
  readonly viewSeconds: number;
  /** The state of the read model afterwards; `missing`: there is none yet. */
  readonly views: 'current' | 'missing' | 'unavailable';
  /** Records left undone by an interruption or a failure; null: unknown, because it failed. */
  readonly remainder: number | null;
}

const MAX_NAME_LENGTH = 80;

/** Names come from outside: control characters are removed, and lengths limited. */
const shownName = (name: string): string => oneLine(name).slice(0, MAX_NAME_LENGTH);

function placeText({ file, index, line }: Place): string {
  if (line) return `${file}:${line}`;
  return index === null ? file : `${file}[${index}]`;
}

export function faultLine(verb: 'refused' | 'note', { kind, name, place, reason }: Fault): string {
  const label = name === '' ? '' : ` "${shownName(name)}"`;
  const what = kind === 'source' ? '' : `${kind}${label} in `;
  return `${verb}: ${what}${placeText(place)}: ${oneLine(reason)}`;
}

const PLURALS: { readonly [Kind in CountedKind]: string } = {
  ...COLLECTIONS,
  record: 'other records',
  source: 'sources',
};

const seconds = (value: number): number => Math.round(value * 1000) / 1000;
const perSecond = ({ records, seconds }: Figures): number => Math.round(records / Math.max(seconds, 0.001));

/** The lines at the end of a run. */
export function summaryLines(summary: ImportSummary, figures: Figures): string[] {
  const counts = summary.counts();
  const rows = [...counts].map(([kind, row]) => `  ${PLURALS[kind].padEnd(14)}${rowText(row)}`);
  const written = [...counts.values()].reduce((sum, { created, changed }) => sum + created + changed, 0);
  const refused = summary.refused.length;
  const unwritten = refused === 0 ? 'Nothing to do: everything was there already.' : 'Nothing was changed.';
  return [
    ...(figures.mode === 'dry run' ? ['Dry run: nothing was written. It would be:'] : []),
    ...rows,
    ...mergerLines(summary),
    ...(written === 0 && figures.remainder === 0 ? [unwritten] : []),
    ...leftLines(figures),
    `${figures.records} records in ${figures.seconds.toFixed(2)} s (${perSecond(figures)} records/s)` +
      (figures.mode === 'dry run' ? '' : `; ${viewsText(figures)}`),
    `correlation id: ${figures.correlationId}`,
  ];
}

function viewsText({ views, viewSeconds }: Figures): string {
  if (views === 'missing') return 'there are no views yet, the service fills them when it starts';
  if (views === 'unavailable')
    return 'the views are unavailable, the service brings them up to date when they are back';
  return `views up to date after another ${viewSeconds.toFixed(2)} s`;
}

const rowText = ({ created, changed, unchanged, merged, refused }: Counts): string =>
  `${created} created, ${changed} changed, ${unchanged} unchanged, ` +
  `${merged === 0 ? '' : `${merged} merged, `}${refused} refused`;

/** Merges listed by name for people; programs get all of them. */
const MAX_MERGERS_SHOWN = 5;

function mergerLines({ mergers }: ImportSummary): string[] {
  if (mergers.length === 0) return [];
  const lines = mergers.slice(0, MAX_MERGERS_SHOWN).map(({ kind, name, place, into }) => {
    return `    ${kind} "${shownName(name)}" in ${placeText(place)} is the one in ${placeText(into)}`;
  });
  const rest = mergers.length - lines.length;
  return [
    `  ${mergers.length} records name what another one has named before, and were merged into it:`,
    ...lines,
    ...(rest > 0 ? [`    and ${rest} more; --json names all of them`] : []),
  ];
}

function leftLines({ remainder, mode }: Figures): string[] {
  if (remainder === 0) return [];
  const what = remainder === null ? 'Failed before the end' : `Interrupted: ${remainder} records were not written`;
  return [mode === 'dry run' ? 'Interrupted before the end.' : `${what}. Run the same command again to go on.`];
}

/** The same for programs, in one line. */
export function summaryJson(summary: ImportSummary, figures: Figures, remarks: readonly string[]): string {
  const kinds = Object.fromEntries([...summary.counts()].map(([kind, row]) => [PLURALS[kind].replace(' ', '_'), row]));
  return JSON.stringify({
    correlation_id: figures.correlationId,
    dry_run: figures.mode === 'dry run',
    records: figures.records,
    seconds: seconds(figures.seconds),
    records_per_second: perSecond(figures),
    view_seconds: seconds(figures.viewSeconds),
    ...kinds,
    ...(figures.remainder === 0 ? {} : { left: figures.remainder }),
    refused: summary.refused.map(faultJson),
    notes: summary.notes.map(faultJson),
    remarks,
    merged: summary.mergers.map(({ into, ...merger }) => ({
      ...faultJson({ ...merger, reason: 'merged' }),
      into: { file: into.file, index: into.index },
    })),
  });
}

const faultJson = ({ kind, name, place, reason }: Fault) => ({
  kind,
  file: place.file,
  index: place.index,
  ...(place.line && { line: place.line }),
  name: oneLine(name),
  reason: oneLine(reason),
});
