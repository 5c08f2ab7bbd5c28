// Restores a whole log into an empty event store, after checking it from end to end.

import { isSkipped } from '../../../projections/projection.ts';
import { type EventMetadata, LOG_START, type Position, type RecordedEvent, type Revision } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import { createLogChecker, type LogFinding } from '../../log/hash-chain/verify.ts';
import { currentSchemaVersion } from '../../log/upcasting/upcast.ts';
import { controlAppend, readControl } from '../../read-model/projector/control.ts';
import type { LogSource } from './log-source.ts';
import type { RestoreTarget } from './restore-target.ts';
import { throwIfAborted, Unusable } from './unusable.ts';

interface RestoreOptions {
  readonly source: LogSource;
  readonly target: RestoreTarget;
  /** `check`: nothing is written. `resume`: continues after the events that an interrupted run has left. */
  readonly mode: 'restore' | 'resume' | 'check';
  readonly signal: AbortSignal;
  readonly begin: (what: string, total: number | null) => void;
  readonly reach: (events: number) => void;
  /** Called with all events, page by page, while they are checked. */
  readonly observe?: (events: readonly RecordedEvent[]) => unknown;
  /** Called once everything has been checked. */
  readonly beforeWriting?: () => Promise<void>;
}

export type CheckOptions = Omit<RestoreOptions, 'target' | 'mode' | 'beforeWriting'>;

/** A skipped event, by its position in the source. */
interface NamedPlace {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
}

export interface Restored {
  readonly events: number;
  readonly streams: number;
  /** How many of these were there already. */
  readonly before: number;
  readonly lastHash: string | null;
  /** The skipped events recorded in the log. */
  readonly skipped: readonly NamedPlace[];
}

/**
 * Throws `Unusable`, `Interrupted` and `EventStoreUnavailable`; the caller closes the target, which rolls back what was
 * not committed.
 */
export async function restoreLog(options: RestoreOptions): Promise<Restored> {
  const { source, target, mode, signal, begin, reach } = options;
  const isEmpty = await target.isEmpty();
  if (!isEmpty && mode === 'restore') throw await notEmpty(target, source);
  const checked = await checkLog(options);
  if (mode === 'check') return { ...checked, before: 0 };
  const before = isEmpty ? 0 : await target.begunWith(source);
  if (before === null)
    throw new Unusable('the event store is not empty, and its events are not the beginning of this log');
  await options.beforeWriting?.();
  await target.begin();
  begin('Restoring', checked.events);
  let done = 0;
  for await (const page of source.read()) {
    throwIfAborted(signal);
    const missing = page.slice(Math.max(0, before - done));
    if (missing.length > 0) await target.append(missing);
    done += page.length;
    reach(done);
  }
  if (done !== checked.events) throw new Unusable('it has changed while it was read');
  await target.commit();
  return { ...checked, before };
}

async function notEmpty(target: RestoreTarget, source: LogSource): Promise<Unusable> {
  const there = target.remains === 'nothing' ? null : await target.begunWith(source).catch(() => null);
  if (there === null)
    return new Unusable('the event store is not empty: a log is restored into an empty one only. Nothing was written');
  return new Unusable(
    `the event store is not empty: it holds the first ${there} events of this log, which an interrupted restore has written; --resume continues after them`,
  );
}

/** Checks a log by its hash chain, and passes it to `observe`. Throws `Unusable` for a problem, and `Interrupted`. */
export async function checkLog(options: CheckOptions): Promise<Omit<Restored, 'before'>> {
  const { source, signal, begin, reach, observe } = options;
  const checker = createLogChecker({ newestVersion: currentSchemaVersion });
  const skipped: NamedPlace[] = [];
  let count = 0;
  begin('Checking', source.total);
  for await (const page of source.read()) {
    throwIfAborted(signal);
    for (const event of page) {
      checker.check(event);
      const place = skippedBy(event);
      if (place) skipped.push(place);
    }
    await observe?.(page);
    count += page.length;
    reach(count);
  }
  const { misfits, findings, events, streams, lastHash } = checker.report();
  const [first] = findings;
  if (first) throw new Unusable(misfitText(first, misfits));
  return { events, streams, lastHash, skipped };
}

function misfitText({ misfit, stream, revision, position, expected, found }: LogFinding, misfits: number): string {
  const more = misfits > 1 ? ` (and ${misfits - 1} more)` : '';
  const where = position === LOG_START ? '' : `, position ${position}`;
  return `it does not match: ${stream} revision ${revision}${where}: ${misfit}: expected ${expected}, found ${found}${more}`;
}

/** The stream with the instructions of operators to projectors. */
const CONTROL_STREAM = 'projection-control';

function skippedBy({ stream, type, data }: RecordedEvent): NamedPlace | null {
  if (stream !== CONTROL_STREAM || type !== 'EventSkipped') return null;
  // Only the command that records skips writes such events.
  const { position, stream: of, revision } = data as unknown as NamedPlace;
  return { position, stream: of, revision };
}

// Skips name events by position, and a restored log has positions of its own.

interface CarryOptions {
  readonly store: EventStore;
  readonly skipped: readonly NamedPlace[];
  readonly metadata: EventMetadata;
  readonly newId: () => string;
}

/**
 * Records skips again at the positions of this log, if they differ. The original ones stay unchanged, because they are
 * hashed. Returns how many were recorded again.
 */
export async function carrySkips({ store, skipped, metadata, newId }: CarryOptions): Promise<number> {
  let recorded = 0;
  for (const { stream, revision } of skipped) {
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    const control = await readControl(store);
    if (!event || isSkipped(control.skips, event)) continue;
    const earlier = [...control.skips.values()].find((skip) => skip.stream === stream && skip.revision === revision);
    const { position, type } = event;
    const data = { position, stream, revision, type, reason: earlier?.reason ?? 'skipped before the log was restored' };
    const outcome = await store.append([
      controlAppend(control, { type: 'EventSkipped', data }, { id: newId(), metadata }),
    ]);
    if (outcome.kind === 'conflict')
      throw new Unusable('the log is restored, but projections were changed meanwhile: see `projections status`');
    recorded += 1;
  }
  return recorded;
}
