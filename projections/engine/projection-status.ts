// How far a read model is, and whether it can continue: found out by folding the next events without applying them.
import type { Position, RecordedEvent, Revision } from '../../src/event-store/envelope.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { type AnyProjection, changesOf, ProjectionError, withSkips } from '../projection.ts';
import { type Control, readControl } from './control.ts';

/** The event at which projectors stop. */
export interface PoisonEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  /** When it was recorded, ISO 8601. */
  readonly instant: string;
  readonly why: string;
}

export interface ProjectionStatus {
  readonly checkpoint: Position;
  readonly control: Control;
  /** The next events, as far as they were examined; empty if the read model is up to date. */
  readonly next: readonly RecordedEvent[];
  /** The first of them that this version cannot fold. */
  readonly poisonEvent: PoisonEvent | null;
}

export interface ProjectionStatusSources {
  readonly store: EventStore;
  readonly readModel: Pick<ReadModel, 'checkpoint' | 'fetch'>;
  /** Without skips: these are read from the log. */
  readonly projections: readonly AnyProjection[];
}

/** As many as a runner takes at once. */
const LOOK_AHEAD = 500;
const ATTEMPTS = 10;

/** Changes nothing. Rejections: those of the stores. */
export async function projectionStatusOf(sources: ProjectionStatusSources): Promise<ProjectionStatus> {
  for (let attempt = 1; ; attempt += 1) {
    const status = await look(sources);
    if (status.poisonEvent === null || attempt === ATTEMPTS) return status;
    // Documents that are newer or older than the checkpoint can make an event seem impossible to fold.
    if ((await sources.readModel.checkpoint()) === status.checkpoint) return status;
  }
}

/** Whether this version cannot fold the very next event. Changes nothing. Rejections: those of the stores. */
export async function isStopped({ store, readModel, projections }: ProjectionStatusSources): Promise<boolean> {
  const { skips } = await readControl(store);
  const prefixes = projections.map(({ prefix }) => prefix);
  const next = await store.readAll({ after: await readModel.checkpoint(), prefixes, limit: 1 });
  return (await firstFailure(next, withSkips(projections, skips), readModel)) !== null;
}

async function look({ store, readModel, projections }: ProjectionStatusSources): Promise<ProjectionStatus> {
  const control = await readControl(store);
  const checkpoint = await readModel.checkpoint();
  const prefixes = projections.map(({ prefix }) => prefix);
  const next = await store.readAll({ after: checkpoint, prefixes, limit: LOOK_AHEAD });
  const failure = await firstFailure(next, withSkips(projections, control.skips), readModel);
  const event = failure && next.find(({ position }) => position === failure.position);
  return { checkpoint, control, next, poisonEvent: event && failure ? poisonEventOf(event, failure) : null };
}

async function firstFailure(
  events: readonly RecordedEvent[],
  projections: readonly AnyProjection[],
  readModel: Pick<ReadModel, 'fetch'>,
): Promise<ProjectionError | null> {
  try {
    await changesOf(events, projections, readModel);
    return null;
  } catch (error) {
    if (!(error instanceof ProjectionError)) throw error;
    const before = events.filter(({ position }) => position < error.position);
    return (await firstFailure(before, projections, readModel)) ?? error;
  }
}

const poisonEventOf = (
  { position, stream, revision, type, metadata }: RecordedEvent,
  failure: ProjectionError,
): PoisonEvent => ({
  position,
  stream,
  revision,
  type,
  instant: metadata.instant,
  why: failure.message,
});
