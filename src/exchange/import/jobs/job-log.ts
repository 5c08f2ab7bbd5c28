// Imports by users in the log: that one has begun, how far it was, and how it ended. Dry runs leave no trace.
import { metadataOf } from '../../../commands/context.ts';
import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { appendBehind, eventOf } from '../../../log/writing.ts';
import type { CountedKind, Counts } from '../import-summary.ts';
import type { JobOutline, JobProblem, JobState } from './job.ts';

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
export interface RecordedJob extends JobOutline {
  /** When it was heard of last. */
  readonly seen: EpochSeconds;
}

export interface JobLog {
  begun(job: JobOutline): Promise<void>;
  advanced(job: JobOutline, now: EpochSeconds): Promise<void>;
  ended(job: JobOutline): Promise<void>;
  /** The newest first. */
  recent(): Promise<readonly RecordedJob[]>;
}

interface JobLogOptions {
  readonly store: EventStore;
  readonly newEventId: () => string;
}

export function openJobLog({ store, newEventId }: JobLogOptions): JobLog {
  async function append({ user, correlationId }: JobOutline, now: EpochSeconds, fact: JobFact): Promise<void> {
    const metadata = metadataOf({
      ...{ caller: null, actor: { id: user.id, name: user.login }, now, correlationId },
      ...{ reason: undefined, ifRevision: undefined, idempotencyKey: undefined },
    });
    const events = [eventOf(fact, { metadata, newEventId })];
    await appendBehind(store, STREAM, events);
  }

  return {
    begun: (job) => {
      const { id, correlationId, source, begun } = job;
      return append(job, begun, { type: 'ImportBegun', data: { import: id, correlationId, source } });
    },
    advanced: (job, now) => {
      const { id, done, total } = job;
      return append(job, now, { type: 'ImportAdvanced', data: { import: id, done, total: total ?? 0 } });
    },
    ended: (job) => {
      const { id, state, done, total, problem, begun, ended } = job;
      const counts = Object.fromEntries(job.counts);
      const data = { import: id, state, done, total, problem, counts };
      return append(job, ended ?? begun, { type: 'ImportEnded', data });
    },
    async recent() {
      const events = await store.readStream(STREAM, { direction: 'backwards', limit: MAX_FACTS });
      const jobs = new Map<number, RecordedJob>();
      for (const event of events.toReversed()) note(jobs, event);
      return [...jobs.values()].toSorted((one, other) => other.id - one.id);
    },
  };
}

/** One whose beginning is too far back is not remembered. */
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
  const counted = new Map(Object.entries(counts)) as ReadonlyMap<CountedKind, Counts>;
  jobs.set(id, { ...job, ...rest, counts: counted, ended: at, seen: at });
}
