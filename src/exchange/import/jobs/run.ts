// One import from its source to its end, and what is known of it meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CostDisplay } from '../../../calendar/event/domain/currency.ts';
import { type EpochSeconds, resolveZone, type Zone } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { originOf } from '../../export/resources.ts';
import type { Network } from '../fetch-text.ts';
import type { ColumnUse } from '../formats/table/mapping.ts';
import { type ImportKind, type ImportPlan, type Origin, sizeOf } from '../import-plan.ts';
import { openImportSummary, type WrittenOutcome } from '../import-summary.ts';
import { SILENT } from '../progress.ts';
import { writeAll } from '../run.ts';
import type { ImportCommands } from '../write/writing.ts';
import {
  type FieldChange,
  type ImportAsked,
  type ImportSource,
  isOver,
  type Job,
  type JobProblem,
  type JobRow,
  type JobState,
} from './job.ts';
import { collectPortions } from './portions.ts';
import { ReadingEnded, readInThread } from './reading-thread.ts';

/** An upload, and one answer of an address, may have so many bytes. */
export const MAX_BYTES = 16 * 1024 * 1024;
export const MAX_RESOURCES = 50_000;
export const LIMITS = { timeoutMs: 30_000, bytes: MAX_BYTES, pages: 500 } as const;
/** All pages of an address together may take so long. */
export const READING_MS = 300_000;
/** How far recurring events are followed. */
export const HORIZON = 2 * 366 * 86_400;
/** Commands at a time: few, so that requests have their turn. */
export const AT_ONCE = 8;
/** How many resources of a kind are kept by name that came to the same: those that change are not hidden by others. */
const MAX_ROWS = { event: 200, venue: 50, organizer: 50, category: 50, tag: 50 } as const;

/** What one import has changed of a resource, in the log that it has written to. Rejections: those of the store. */
export type ChangesOf = (
  changed: { readonly kind: ImportKind; readonly id: number },
  by: { readonly store: EventStore; readonly correlationId: string; readonly user: ImportAsked['user'] },
) => Promise<readonly FieldChange[]>;

export interface RunOptions {
  readonly store: EventStore;
  readonly commands: (zone: Zone) => ImportCommands;
  readonly display: CostDisplay;
  readonly siteZone: Zone;
  readonly network: Network;
  readonly clock: { now(): EpochSeconds };
  readonly report: (error: unknown) => void;
  readonly changesOf: ChangesOf;
  readonly asked: ImportAsked;
  readonly id: number;
  readonly correlationId: string;
}

/** A row, and the resource that it is about. */
interface Noted {
  readonly row: JobRow;
  readonly id: number | undefined;
  /** Where its record is in the plan: those written at once end in any order. */
  readonly at: number;
}

interface Surroundings {
  /** Called when more of it is done. */
  readonly advanced: () => void;
  /** Waits until readers find what was written. */
  readonly untilShown: () => Promise<void>;
  /** Records how it has ended: nothing says that it has before that. */
  readonly recorded: (job: Job) => Promise<void>;
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

export type Run = ReturnType<typeof openRun>;

export function openRun(options: RunOptions) {
  const { asked, clock, id, correlationId } = options;
  const begun = clock.now();
  const rows: Noted[] = [];
  const rowCounts = new Map<string, number>();
  const starts = new Map<string, string>();
  const places = new Map<string, number>();
  const summary = openImportSummary(noteRow);
  let state: JobState = 'waiting';
  let ended: EpochSeconds | null = null;
  let problem: JobProblem | null = null;
  let [records, done]: [number, number] = [0, 0];
  let total: number | null = null;
  let remarks: readonly string[] = [];
  let columns: readonly ColumnUse[] = [];
  let end: Promise<void> = Promise.resolve();

  function noteRow(kind: ImportKind, { key, name, place }: Origin, outcome: WrittenOutcome, id?: number): void {
    const like = `${kind} ${outcome}`;
    const count = rowCounts.get(like) ?? 0;
    if (count >= MAX_ROWS[kind]) return;
    rowCounts.set(like, count + 1);
    rows.push({
      row: { kind, name, outcome, place, start: starts.get(key) ?? null, changes: [] },
      id,
      at: places.get(key) ?? places.size,
    });
    rows.sort((one, other) => one.at - other.at);
  }

  /** Once all of it is written: an event gets its parent last. */
  async function describeChanges(store: EventStore): Promise<void> {
    for (const [index, { row, id, at }] of rows.entries()) {
      if (row.outcome !== 'changed' || id === undefined) continue;
      const changes = await options.changesOf({ kind: row.kind, id }, { store, correlationId, user: asked.user });
      rows[index] = { row: { ...row, changes }, id, at };
    }
  }

  async function read(zone: Zone, signal: AbortSignal): Promise<ImportPlan | null> {
    const { source } = asked;
    // Plain values of now: settings of the site may change at any time.
    const { signBefore, signAfter, freeLabel, language } = options.display;
    const portions = readInThread(
      {
        source: source.kind === 'file' ? source.file : source.address,
        folder: source.kind === 'file' ? source.folder : null,
        limits: { ...LIMITS, network: options.network, encoding: asked.encoding ?? undefined },
        rules: 'kept',
        display: { signBefore, signAfter, freeLabel, language },
        siteZone: zone.name,
        until: clock.now() + HORIZON,
        ownOrigin: await originOf(options.store),
        now: clock.now(),
        mapping: asked.map?.mapping ?? null,
        resources: MAX_RESOURCES,
      },
      (reached) => {
        records = reached;
      },
      AbortSignal.any([signal, AbortSignal.timeout(READING_MS)]),
    );
    const { plan, end } = await collectPortions(portions, summary);
    ({ records, remarks, columns } = end);
    if (!end.isTooMuch) return plan;
    problem = 'too_many';
    return null;
  }

  async function write(
    plan: ImportPlan,
    zone: Zone,
    { signal, advanced, untilShown }: Surroundings,
  ): Promise<JobState> {
    const events = plan.events.flatMap((event) => [event, ...(event.series?.singles ?? [])]);
    for (const { origin, input } of events) {
      const start = input.times?.start;
      if (start !== undefined) starts.set(origin.key, startText(start));
    }
    for (const [at, { origin }] of [...plan.terms, ...plan.venues, ...plan.organizers, ...events].entries())
      places.set(origin.key, at);
    total = sizeOf(plan);
    const progress = {
      ...SILENT,
      reach(reached: number) {
        done = reached;
        advanced();
      },
    };
    const commands = options.commands(zone);
    const writing = {
      commands,
      ...{ summary, correlationId, now: clock.now(), ids: new Map(), grantedIds: new Map() },
      startedBy: { user: asked.user, status: asked.status },
      atOnce: AT_ONCE,
    };
    const { remainder } = await writeAll(writing, plan, progress, signal);
    await describeChanges(commands.store);
    const hasWritten = [...summary.counts().values()].some(({ created, changed }) => created + changed > 0);
    if (hasWritten && asked.mode === 'import') await untilShown();
    return remainder === 0 ? 'done' : 'interrupted';
  }

  async function stateAfter(surroundings: Surroundings): Promise<JobState> {
    const { signal } = surroundings;
    if (signal.aborted) return 'interrupted';
    try {
      const zone = (asked.timezone === null ? null : resolveZone(asked.timezone)) ?? options.siteZone;
      state = 'reading';
      const plan = await read(zone, signal);
      if (plan === null) return 'failed';
      state = 'writing';
      return await write(plan, zone, surroundings);
    } catch (error) {
      if (signal.aborted) return 'interrupted';
      if (error instanceof ReadingEnded) problem = 'too_large';
      else {
        problem = 'fault';
        options.report(error);
      }
      return 'failed';
    }
  }

  const job = (): Job => ({
    ...{ id, correlationId, begun, ended, state, done, total, problem },
    user: { id: asked.user.id, login: asked.user.login },
    mode: asked.mode,
    source: sourceName(asked.source),
    counts: summary.counts(),
    details: {
      asked,
      records,
      rows: rows.map(({ row }) => row),
      refused: summary.refused,
      notes: summary.notes,
      remarks,
      columns,
    },
  });

  return {
    asked,
    job,
    async carryOut(surroundings: Surroundings) {
      const last = await stateAfter(surroundings);
      const now = clock.now();
      await surroundings.recorded({ ...job(), state: last, ended: now });
      ended = now;
      state = last;
    },
    settledWith(settling: Promise<void>) {
      end = settling;
    },
    async settled(milliseconds: number) {
      if (!isOver(state)) await Promise.race([end, sleep(milliseconds, undefined, { ref: false })]);
    },
  };
}

/** A wall clock, or an instant. */
const startText = (start: unknown): string =>
  typeof start === 'number' ? new Date(start * 1000).toISOString() : String(start);

/** The query is left out: it may hold a secret. */
function sourceName(source: ImportSource): string {
  if (source.kind === 'file') return source.name;
  const { origin, pathname } = new URL(source.address);
  return origin === 'null' ? source.address.replace(/[?#].*$/s, '') : `${origin}${pathname}`;
}
