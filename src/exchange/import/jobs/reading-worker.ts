// The thread that reads sources, one after the other; see reading-thread.ts.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { CostDisplay } from '../../../calendar/event/domain/currency.ts';
import { type EpochSeconds, resolveZone, type WallClock } from '../../../kernel/time/zone.ts';
import type { FetchValidators } from '../fetch-text.ts';
import type { RulesOfSeries } from '../formats/ical/ical-known.ts';
import type { ColumnUse, Mapping } from '../formats/table/mapping.ts';
import {
  type Fault,
  type ImportPlan,
  type LargePlan,
  type PlannedEvent,
  type PlannedSeries,
  sizeOf,
} from '../import-plan.ts';
import type { Merger } from '../import-summary.ts';
import { openImportSummary } from '../import-summary.ts';
import { type Progress, SILENT } from '../progress.ts';
import { readAll } from '../read-all.ts';
import type { ReadLimits } from '../read-source.ts';

/** What the thread is to read: plain data, so zones are given by name. */
export interface ReadingTask {
  /** A file or an address. */
  readonly source: string;
  /** Who owns the records of calendars; absent: the file by its name, or the address. */
  readonly owner?: string;
  /** The folder of an upload, which is not shown. */
  readonly folder: string | null;
  readonly limits: Omit<ReadLimits, 'answered'>;
  readonly rules: RulesOfSeries;
  readonly display: CostDisplay;
  readonly siteZone: string;
  readonly until: EpochSeconds;
  readonly ownOrigin: string | null;
  readonly now: EpochSeconds;
  readonly mapping: Mapping | null;
  /** How many resources are taken at most. */
  readonly resources: number;
}

/** A date of a large series. */
export interface DateOfSeries {
  readonly event: PlannedEvent;
  /** Where the rules put it, if it differs. */
  readonly date?: WallClock | undefined;
  /** The description is that of the series, and left out. */
  readonly isDescribed: boolean;
}

/** A part of what was read. */
export interface ReadPortion {
  readonly plan?: Partial<ImportPlan>;
  /** Further dates of the last event. */
  readonly dates?: readonly DateOfSeries[];
  readonly refused?: readonly Fault[];
  readonly notes?: readonly Fault[];
  readonly mergers?: readonly Merger[];
}

/** What is known once all of it was read. */
export interface ReadEnd {
  readonly records: number;
  readonly remarks: readonly string[];
  readonly columns: readonly ColumnUse[];
  /** There are more than a run takes. */
  readonly isTooMuch: boolean;
  /** What an address answered. */
  readonly answer: ReadAnswer;
}

/** Validators are those of a single page: of several, others may have changed. */
export interface ReadAnswer extends FetchValidators {
  /** The hash of all pages together. */
  readonly hash: string;
}

/** Its messages. Portions are JSON: one text crosses between threads several times faster than its many objects. */
export type ReadingMessage =
  | { readonly reached: number }
  | { readonly portion: string }
  /** With the memory of the heap that the thread has then, in bytes. What it has only set aside costs nothing. */
  | { readonly end: ReadEnd; readonly heap: number }
  | { readonly failure: string };

/** Resources, refusals or notes of a portion. */
const PORTION = 50;
/** A portion has no more characters unless one event has: the thread that takes it is held up for so long. */
const MAX_LENGTH = 262_144;
const SHOW_PROGRESS_MS = 250;

const send = (message: ReadingMessage): void => parentPort?.postMessage(message);

/** Texts without the folder of the source: files are shown by their names alone. */
function withoutFolder(folder: string | null): (text: string) => string {
  if (folder === null) return (text) => text;
  const folderText = JSON.stringify(folder + path.sep).slice(1, -1);
  return (text) => text.replaceAll(folderText, '');
}

type Send = (portion: string) => Promise<void>;

/** A list as this member, in portions. */
async function sendAll(
  sendText: Send,
  items: Iterable<unknown>,
  [before, behind]: readonly [string, string],
): Promise<void> {
  let texts: string[] = [];
  let length = 0;
  const sendSome = (): Promise<void> => sendText(`{${before}:[${texts.join()}]${behind}}`);
  for (const item of items) {
    length += texts[texts.push(JSON.stringify(item)) - 1]?.length ?? 0;
    if (texts.length < PORTION && length < MAX_LENGTH) continue;
    await sendSome();
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) await sendSome();
}

const planned = (kind: keyof ImportPlan): readonly [string, string] => [`"plan":{"${kind}"`, '}'];

async function sendPlan(sendText: Send, plan: LargePlan): Promise<void> {
  for (const kind of ['terms', 'venues', 'organizers'] as const) await sendAll(sendText, plan[kind], planned(kind));
  let some: PlannedEvent[] = [];
  for (const event of plan.events) {
    const isLarge = event.series !== undefined && isLong(event.series);
    some.push(isLarge ? { ...event, series: { ...event.series, overrides: [], singles: [] } } : event);
    if (!isLarge && some.length < PORTION) continue;
    await sendAll(sendText, some, planned('events'));
    some = [];
    if (isLarge) await sendAll(sendText, datesOf(event, event.series), ['"dates"', '']);
  }
  await sendAll(sendText, some, planned('events'));
}

/** Whether its dates have so much text that they are sent apart. */
const isLong = ({ singles }: PlannedSeries): boolean =>
  singles.length > PORTION ||
  singles.reduce((sum, { input }) => sum + (input.description?.length ?? 0), 0) > MAX_LENGTH;

/** The dates that differ are among the single events. */
function* datesOf(of: PlannedEvent, { singles, overrides }: PlannedSeries): Generator<DateOfSeries> {
  const dates = new Map(overrides.map(([date, { origin }]) => [origin.key, date]));
  for (const event of singles) {
    const { description, ...input } = event.input;
    const isDescribed = description !== undefined && description === of.input.description;
    yield { event: isDescribed ? { ...event, input } : event, date: dates.get(event.origin.key), isDescribed };
  }
}

function openProgress(): Progress {
  let last = 0;
  return {
    ...SILENT,
    reach(done: number) {
      if (performance.now() - last < SHOW_PROGRESS_MS) return;
      last = performance.now();
      send({ reached: done });
    },
  };
}

async function read(task: ReadingTask): Promise<ReadEnd> {
  const { source, rules, display, until, ownOrigin, now, mapping, resources } = task;
  const siteZone = resolveZone(task.siteZone);
  if (!siteZone) throw new Error(`there is no zone ${task.siteZone}`);
  const shownIn = withoutFolder(task.folder);
  async function sendText(portion: string): Promise<void> {
    if (!parentPort) return;
    send({ portion: shownIn(portion) });
    await once(parentPort, 'message');
  }
  const hash = createHash('sha256');
  let pages = 0;
  let validators: FetchValidators = { etag: null, lastModified: null };
  const onAnswer = (text: string, of: FetchValidators): void => {
    hash.update(text);
    pages += 1;
    validators = pages === 1 ? of : { etag: null, lastModified: null };
  };
  const summary = openImportSummary();
  const { plan, records, remarks, columns } = await readAll(
    {
      ...{ sources: [source], limits: { ...task.limits, onAnswer }, until, ownOrigin, now },
      display: { ...display, siteZone },
      // What a user of the service imports is not trusted.
      ...{ authors: 'drop', html: 'cleaned', rules },
      mapping: mapping ?? undefined,
      source: task.owner,
    },
    summary,
    openProgress(),
  );
  const isTooMuch = sizeOf(plan) > resources;
  if (!isTooMuch) {
    await sendPlan(sendText, plan);
    for (const kind of ['refused', 'notes', 'mergers'] as const)
      await sendAll(sendText, summary[kind], [`"${kind}"`, '']);
  }
  const answer = { ...validators, hash: hash.digest('hex') };
  return { records, remarks: remarks.map(shownIn), columns, isTooMuch, answer };
}

const outcomeOf = (task: ReadingTask): Promise<ReadingMessage> =>
  read(task).then(
    (end) => ({ end, heap: getHeapStatistics().total_physical_size }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  );

// Its parent thread ends it.
while (parentPort) {
  const [task] = await once(parentPort, 'message');
  send(await outcomeOf(task));
}
