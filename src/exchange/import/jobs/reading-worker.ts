// The thread that reads a source; see reading-thread.ts.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { CostDisplay } from '../../../calendar/event/domain/currency.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { resolveZone } from '../../../kernel/time/zone.ts';
import type { FetchValidators } from '../fetch-text.ts';
import type { RulesOfSeries } from '../formats/ical/ical-known.ts';
import type { ColumnUse, Mapping } from '../formats/table/mapping.ts';
import { type Fault, type ImportPlan, type LargePlan, sizeOf } from '../import-plan.ts';
import type { Merger } from '../import-summary.ts';
import { openImportSummary } from '../import-summary.ts';
import { SILENT } from '../progress.ts';
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

/** A part of what was read. */
export interface ReadPortion {
  readonly plan?: Partial<ImportPlan>;
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
  /** Of all pages. */
  readonly hash: string;
}

/** Its messages. Portions are JSON: one text crosses between threads several times faster than its many objects. */
export type ReadingMessage =
  | { readonly reached: number }
  | { readonly portion: string }
  | { readonly end: ReadEnd }
  | { readonly failure: string };

/** Resources, refusals or notes of a portion. */
const PORTION = 50;
/** Of a portion, in characters, unless one event has more: the thread that takes it is held up for so long. */
const MAX_LENGTH = 262_144;
const SHOW_PROGRESS_MS = 250;

const task = workerData as ReadingTask; // As reading-thread.ts starts it.
const send = (message: ReadingMessage): void => parentPort?.postMessage(message);

/** Files are shown by their names alone. */
const hidden = task.folder === null ? null : JSON.stringify(task.folder + path.sep).slice(1, -1);
const shownIn = (text: string): string => (hidden === null ? text : text.replaceAll(hidden, ''));

const sendPortion = (portion: ReadPortion): Promise<void> => sendText(JSON.stringify(portion));

async function sendText(portion: string): Promise<void> {
  if (!parentPort) return;
  send({ portion: shownIn(portion) });
  await once(parentPort, 'message');
}

async function sendAll<Item>(items: readonly Item[], portionOf: (items: readonly Item[]) => ReadPortion) {
  for (let at = 0; at < items.length; at += PORTION) await sendPortion(portionOf(items.slice(at, at + PORTION)));
}

async function sendPlan(plan: LargePlan): Promise<void> {
  await sendAll(plan.terms, (terms) => ({ plan: { terms } }));
  await sendAll(plan.venues, (venues) => ({ plan: { venues } }));
  await sendAll(plan.organizers, (organizers) => ({ plan: { organizers } }));
  let events: string[] = [];
  let length = 0;
  const sendEvents = (): Promise<void> => sendText(`{"plan":{"events":[${events.join()}]}}`);
  for (const event of plan.events) {
    length += events[events.push(JSON.stringify(event)) - 1]?.length ?? 0;
    if (events.length < PORTION && length < MAX_LENGTH) continue;
    await sendEvents();
    [events, length] = [[], 0];
  }
  if (events.length > 0) await sendEvents();
}

let shown = 0;
const progress = {
  ...SILENT,
  reach(done: number) {
    if (performance.now() - shown < SHOW_PROGRESS_MS) return;
    shown = performance.now();
    send({ reached: done });
  },
};

const hash = createHash('sha256');
let pages = 0;
let validators: FetchValidators = { etag: null, lastModified: null };
const answered = (text: string, of: FetchValidators): void => {
  hash.update(text);
  pages += 1;
  validators = pages === 1 ? of : { etag: null, lastModified: null };
};

async function read(): Promise<ReadEnd> {
  const { source, rules, display, until, ownOrigin, now, mapping, resources } = task;
  const siteZone = resolveZone(task.siteZone);
  if (!siteZone) throw new Error(`there is no zone ${task.siteZone}`);
  const summary = openImportSummary();
  const { plan, records, remarks, columns } = await readAll(
    {
      ...{ sources: [source], limits: { ...task.limits, answered }, until, ownOrigin, now },
      display: { ...display, siteZone },
      // What a user of the service imports is not trusted.
      ...{ authors: 'drop', html: 'cleaned', rules },
      mapping: mapping ?? undefined,
      source: task.owner,
    },
    summary,
    progress,
  );
  const isTooMuch = sizeOf(plan) > resources;
  if (!isTooMuch) {
    await sendPlan(plan);
    await sendAll(summary.refused, (refused) => ({ refused }));
    await sendAll(summary.notes, (notes) => ({ notes }));
    await sendAll(summary.mergers, (mergers) => ({ mergers }));
  }
  const answer = { ...validators, hash: hash.digest('hex') };
  return { records, remarks: remarks.map(shownIn), columns, isTooMuch, answer };
}

// Its parent thread ends it.
read().then(
  (end) => send({ end }),
  (error: unknown) => send({ failure: error instanceof Error ? error.message : String(error) }),
);
