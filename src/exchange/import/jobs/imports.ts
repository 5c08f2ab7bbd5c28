// Imports that users start at the service: one at a time in each process, in turns with its requests.
import { randomInt } from 'node:crypto';
import type { CostDisplay } from '../../../calendar/event/domain/currency.ts';
import { metadataOf } from '../../../commands/context.ts';
import { openDryRunStore } from '../../../commands/dry-run-store.ts';
import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { appendBehind, eventOf } from '../../../log/writing.ts';
import type { User } from '../../../people/auth/caller.ts';
import { mayReadEveryImport } from '../../../people/auth/policy.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { Network } from '../fetch-text.ts';
import type { CountedKind, Counts } from '../import-summary.ts';
import { openCachingStore } from '../write/caching-store.ts';
import type { ImportCommands } from '../write/writing.ts';
import { type ImportAsked, isOver, type Job, type JobOutline, type JobProblem, type JobState } from './job.ts';
import { type ChangesOf, openRun, type Run } from './run.ts';
import { dropUpload } from './uploads.ts';

/** A user, or the process, has too many imports that have not ended. */
export class TooManyImports extends Error {
  override readonly name = 'TooManyImports';
}

export type Imports = ReturnType<typeof openImports>;

interface ImportsOptions {
  /** A store that lets requests have their turn. */
  readonly store: EventStore;
  /** These commands have the ids and turns of this process. */
  readonly commandsFor: (zone: Zone) => ImportCommands;
  /** These commands have ids and turns of their own. */
  readonly dryCommandsOn: (store: EventStore, zone: Zone) => ImportCommands;
  readonly display: CostDisplay;
  readonly siteZone: Zone;
  readonly network: Network;
  /** Whether other processes write to the same log. */
  readonly isShared: boolean;
  readonly clock: { now(): EpochSeconds };
  readonly newId: () => string;
  /** Waits until the read model shows what was written. */
  readonly untilShown: () => Promise<void>;
  readonly report: (error: unknown) => void;
  readonly changesOf: ChangesOf;
}

const MAX_OF_USER = 3;
const MAX_WAITING = 12;
/** So many imports that have ended are remembered with all details, and for so long. */
const MAX_REMEMBERED = 40;
const REMEMBERED_SECONDS = 3_600;
/** Between two facts that say how far one is. */
const ADVANCE_SECONDS = 3;
/** An import of another process is over when that has given no sign of life for so long. */
const SILENCE_SECONDS = 60;
const READING_SECONDS = 360;
const IDS_PER_SECOND = 1_000;

export function openImports(options: ImportsOptions) {
  const { store, clock, newId, isShared, report } = options;
  const log = openJobLog({ store, newEventId: newId });
  const runs = new Map<number, Run>();
  const closing = new AbortController();
  let turn: Promise<void> = Promise.resolve();
  let lastId = 0;
  const share = randomInt(IDS_PER_SECOND);

  /** Grows with time, also over restarts; several processes have different shares of a second. */
  function nextId(): number {
    lastId = Math.max(clock.now() * IDS_PER_SECOND + share, lastId + 1);
    return lastId;
  }

  function forget(): void {
    const over = [...runs.values()].filter(({ job }) => isOver(job().state));
    const isOld = (run: Run): boolean => clock.now() - (run.job().ended ?? 0) > REMEMBERED_SECONDS;
    for (const [index, run] of over.toReversed().entries()) {
      if (index < MAX_REMEMBERED && !isOld(run)) continue;
      runs.delete(run.job().id);
      void dropUpload(run.asked.source).catch(report);
    }
  }

  async function carryOut(run: Run): Promise<void> {
    const { mode } = run.asked;
    let saidAt = clock.now();
    const advanced = (): void => {
      const now = clock.now();
      if (mode === 'dry run' || now - saidAt < ADVANCE_SECONDS) return;
      saidAt = now;
      void log.advanced(run.job(), now).catch(report);
    };
    // What it has not written could be said of nothing; it is found by its silence.
    const recorded = async (job: Job): Promise<void> => (mode === 'dry run' ? undefined : log.ended(job).catch(report));
    await run.carryOut({ advanced, recorded, untilShown: options.untilShown, signal: closing.signal });
  }

  function unfinishedOf(user?: number): number {
    const all = [...runs.values()].map((run) => run.job());
    return all.filter((job) => !isOver(job.state) && (user === undefined || job.user.id === user)).length;
  }

  async function recorded(): Promise<readonly Job[]> {
    const now = clock.now();
    const actors = openActors(store);
    const others = (await log.recent()).filter(({ id }) => !runs.has(id));
    return Promise.all(
      others.map(async (job) => {
        const { id, login: name } = job.user;
        const user = { id, login: await actors.nameOf({ id, name }) };
        return { ...withEnd(job, now), user, details: null };
      }),
    );
  }

  /** An import that has not ended and is not here has ended with its process. */
  function withEnd(job: RecordedJob, now: EpochSeconds): JobOutline {
    if (isOver(job.state)) return job;
    const silence = job.state === 'writing' ? SILENCE_SECONDS : READING_SECONDS;
    const mayBeElsewhere = isShared && now - job.seen < silence;
    return mayBeElsewhere ? job : { ...job, state: 'interrupted', ended: job.seen };
  }

  const maySee = (job: JobOutline, user: User): boolean => mayReadEveryImport(user) || job.user.id === user.id;

  return {
    /** Begins an import as soon as those before it have ended. Throws `TooManyImports`. */
    async begin(asked: ImportAsked): Promise<Job> {
      forget();
      if (unfinishedOf(asked.user.id) >= MAX_OF_USER || unfinishedOf() >= MAX_WAITING || closing.signal.aborted)
        throw new TooManyImports('too many imports have not ended');
      const commands = (zone: Zone): ImportCommands =>
        asked.mode === 'dry run'
          ? options.dryCommandsOn(openCachingStore(openDryRunStore(store)), zone)
          : { ...options.commandsFor(zone), store: openCachingStore(store) };
      const run = openRun({ ...options, commands, asked, id: nextId(), correlationId: newId() });
      const { id } = run.job();
      runs.set(id, run);
      if (asked.mode === 'import') {
        await log.begun(run.job()).catch((error: unknown) => {
          runs.delete(id);
          throw error;
        });
      }
      turn = turn.then(() => carryOut(run)).catch(report);
      run.settledWith(turn);
      return run.job();
    },
    /** Null: there is none of this number, or not for this user. Administrators see those of all. */
    async find(id: number, user: User): Promise<Job | null> {
      const here = runs.get(id)?.job();
      const job = here ?? (await recorded()).find((one) => one.id === id);
      return job && maySee(job, user) ? job : null;
    },
    /** The newest first. Dry runs are known to the process that carries them out, and for an hour. */
    async list(user: User): Promise<readonly Job[]> {
      const all = [...[...runs.values()].map((run) => run.job()), ...(await recorded())];
      return all.filter((job) => maySee(job, user)).toSorted((one, other) => other.id - one.id);
    },
    /** Resolves when the import has ended, or after this time. */
    async wait(id: number, milliseconds: number) {
      await runs.get(id)?.settled(milliseconds);
    },
    /** Interrupts what is under way. */
    async close() {
      closing.abort();
      await turn;
      await Promise.all([...runs.values()].map(({ asked }) => dropUpload(asked.source).catch(report)));
      runs.clear();
    },
  };
}

// Imports by users in the log: that one has begun, how far it was, and how it ended. Dry runs leave no trace.

type Of<Data> = Data & { readonly import: number };

type JobFact =
  | Fact<'ImportBegun', Of<{ readonly correlationId: string; readonly source: string }>>
  | Fact<'ImportAdvanced', Of<{ readonly done: number; readonly total: number }>>
  | Fact<
      'ImportEnded',
      Of<{
        readonly state: JobState;
        readonly done: number;
        readonly total: number | null;
        readonly problem: JobProblem | null;
        readonly counts: { readonly [kind: string]: Counts };
      }>
    >;

const STREAM = 'imports';
/** How far back imports are remembered. */
const MAX_FACTS = 2_000;

/** An import as recorded. */
interface RecordedJob extends JobOutline {
  /** When it was heard of last. */
  readonly seen: EpochSeconds;
}

interface JobLogOptions {
  readonly store: EventStore;
  readonly newEventId: () => string;
}

export function openJobLog({ store, newEventId }: JobLogOptions) {
  async function append({ user, correlationId }: JobOutline, now: EpochSeconds, fact: JobFact): Promise<void> {
    const metadata = metadataOf({ caller: null, actor: { id: user.id, name: user.login }, now, correlationId });
    const events = [eventOf(fact, { metadata, newEventId })];
    await appendBehind(store, STREAM, events);
  }

  return {
    begun: (job: JobOutline) => {
      const { id, correlationId, source, begun } = job;
      return append(job, begun, { type: 'ImportBegun', data: { import: id, correlationId, source } });
    },
    advanced: (job: JobOutline, now: EpochSeconds) => {
      const { id, done, total } = job;
      return append(job, now, { type: 'ImportAdvanced', data: { import: id, done, total: total ?? 0 } });
    },
    ended: (job: JobOutline) => {
      const { id, state, done, total, problem, begun, ended } = job;
      const counts = Object.fromEntries(job.counts);
      const data = { import: id, state, done, total, problem, counts };
      return append(job, ended ?? begun, { type: 'ImportEnded', data });
    },
    /** The newest first. */
    async recent(): Promise<readonly RecordedJob[]> {
      const events = await store.readStream(STREAM, { direction: 'backwards', limit: MAX_FACTS });
      const jobs = new Map<number, RecordedJob>();
      for (const event of events.toReversed()) note(jobs, event);
      return [...jobs.values()].toSorted((one, other) => other.id - one.id);
    },
  };
}

/** An import whose beginning is too far back is not remembered. */
function note(jobs: Map<number, RecordedJob>, event: RecordedEvent): void {
  const { type, data } = factOf<JobFact>(event);
  const at = instantOf(event);
  const { actor } = event.metadata;
  if (type === 'ImportBegun') {
    const { import: id, correlationId, source } = data;
    const user = { id: actor.id ?? 0, login: actor.name };
    const nothing = { ended: null, done: 0, total: null, counts: new Map(), problem: null };
    jobs.set(id, {
      ...nothing,
      id,
      correlationId,
      user,
      mode: 'import',
      source,
      begun: at,
      state: 'waiting',
      seen: at,
    });
    return;
  }
  const job = jobs.get(data.import);
  if (!job) return;
  if (type === 'ImportAdvanced') {
    const { done, total } = data;
    jobs.set(job.id, { ...job, done, total, state: 'writing', seen: at });
    return;
  }
  const { import: id, counts, ...rest } = data;
  // Kinds as they were counted.
  const countsByKind = new Map(Object.entries(counts)) as ReadonlyMap<CountedKind, Counts>;
  jobs.set(id, { ...job, ...rest, counts: countsByKind, ended: at, seen: at });
}
