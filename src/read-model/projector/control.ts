// Instructions of operators to the projectors, kept in the log so that they reach every process and every later
// rebuild.
import { type Fact, UnexpectedFact } from '../../domain/decider.ts';
import type { Actor, NewEvent, Position, RecordedEvent, Revision } from '../../log/envelope.ts';
import type { StreamAppend, StreamReader } from '../../log/event-store.ts';

/** Projectors follow it, and no projection reads it. */
export const CONTROL_STREAM = 'projection-control';

/** An event that read models omit, with enough to identify it from this fact alone. */
interface SkippedEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  readonly reason: string;
}

export type ControlFact =
  | Fact<'EventSkipped', SkippedEvent>
  /** Parked resources are folded anew. `position`: the first event that could not be; `reason`: null if none was given. */
  | Fact<'ProjectionResumed', { readonly position: Position; readonly reason: string | null }>;

/** A skip, with who recorded it and when (ISO 8601). */
export interface Skip extends SkippedEvent {
  readonly actor: Actor;
  readonly instant: string;
}

export interface Control {
  /** By the position of the skipped event, in the order of recording. */
  readonly skips: ReadonlyMap<Position, Skip>;
  /** The revision of the last instruction; -1 if there is none. */
  readonly revision: Revision;
}

const NO_INSTRUCTIONS: Control = { skips: new Map(), revision: -1 };

/** The control state after one more event. Throws `UnexpectedFact`. */
function evolveControl({ skips }: Control, event: RecordedEvent): Control {
  const { revision } = event;
  // Only `controlAppend` writes to this stream.
  const fact = { type: event.type, data: event.data } as ControlFact;
  switch (fact.type) {
    case 'EventSkipped': {
      const { actor, instant } = event.metadata;
      return { skips: new Map(skips).set(fact.data.position, { ...fact.data, actor, instant }), revision };
    }
    case 'ProjectionResumed':
      return { skips, revision };
    default:
      throw new UnexpectedFact(event);
  }
}

/** All instructions so far. Rejections: those of the store. */
export async function readControl(store: StreamReader): Promise<Control> {
  return (await store.readStream(CONTROL_STREAM)).reduce(evolveControl, NO_INSTRUCTIONS);
}

/** Appends an instruction, unless another one has been appended since `control` was read. */
export function controlAppend(
  { revision }: Control,
  { type, data }: ControlFact,
  event: Omit<NewEvent, 'type' | 'data' | 'schemaVersion'>,
): StreamAppend {
  const expected = revision < 0 ? 'no_stream' : revision;
  return { stream: CONTROL_STREAM, expected, events: [{ ...event, type, schemaVersion: 1, data: { ...data } }] };
}
