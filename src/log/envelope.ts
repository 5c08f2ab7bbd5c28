// The envelope of a domain event in the log: who, when, why, and where.
import { errorText } from '../kernel/text/error-text.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';

/** Values that survive a round trip through JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A place in the whole log. Opaque; two of the same store compare as strings, later is greater. */
export type Position = string;

/** The number of an event within its stream, counted from 0. */
export type Revision = number;

/** The actor of an event. `id` is null for the system itself (imports, first start, schedules). */
export interface Actor {
  readonly id: number | null;
  readonly name: string;
}

/** On every event: who, when, why, and as part of what. */
export interface EventMetadata {
  readonly actor: Actor;
  /** ISO 8601 in UTC, to the second or finer. */
  readonly instant: string;
  /** Shared by everything that one request, import run or schedule does. */
  readonly correlationId: string;
  /** The command or event that led to this one. */
  readonly causationId: string;
  /** The proposal that it carries out, and the id of the user who made that. */
  readonly proposal?: { readonly id: number; readonly author: number };
  /** The writer's reason for the change. */
  readonly reason?: string;
  /** Why it was made without the review that the rules demand. */
  readonly bypassedReview?: string;
  /** The place of its request in a trace of OpenTelemetry, where requests are traced: see `observability/tracing.ts`. */
  readonly traceparent?: string;
  /** On what a series told of one of its dates before that had a stream of its own: the id of the series. */
  readonly ofSeries?: number;
  /**
   * Hash of this event and all before it in its stream (see `event-hash.ts`). Set by the store, whatever the writer
   * says; absent on events that were recorded before hashes were introduced.
   */
  readonly hash?: string;
}

/** An event to append. */
export interface NewEvent {
  /** UUID, chosen by the writer: an append that is repeated with the same ids is applied once. */
  readonly id: string;
  readonly type: string;
  /** Version of the shape of `data`; see `upcast.ts`. */
  readonly schemaVersion: number;
  readonly data: Json;
  readonly metadata: EventMetadata;
}

/** A stored event. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/** The position before the first event. */
export const LOG_START: Position = '';

// Recorded events as facts for deciders, and the state that they lead to.

/** What a writer says has happened. */
export interface Fact {
  readonly type: string;
  readonly data: unknown;
}

type Evolve<State, F extends Fact> = (state: State | null, fact: F, at: EpochSeconds) => State | null;

/** The log contains only what our deciders have decided, upcast to today's form. */
export const factOf = <F extends Fact>({ type, data }: RecordedEvent): F => ({ type, data }) as F;

/** When an event was recorded, or is to be. */
export const instantOf = ({ metadata: { instant } }: Pick<RecordedEvent, 'metadata'>): EpochSeconds =>
  Math.floor(Date.parse(instant) / 1000);

/** An event means nothing here: what follows from it is not guessed. */
export class CannotFold extends Error {
  override readonly name = 'CannotFold';
  readonly position: Position;

  constructor({ stream, position }: RecordedEvent, cause: unknown) {
    super(`${stream} at position ${position}: ${errorText(cause)}`, { cause });
    this.position = position;
  }
}

/** The state that recorded events lead to. Throws `CannotFold`. */
export const fold = <State, F extends Fact>(events: readonly RecordedEvent[], evolve: Evolve<State, F>): State | null =>
  events.reduce<State | null>((state, event) => {
    try {
      return evolve(state, factOf(event), instantOf(event));
    } catch (error) {
      throw new CannotFold(event, error);
    }
  }, null);
