// Recorded events as facts for deciders, and the state that they lead to.
import type { Evolve, Fact } from '../domain/decider.ts';
import type { EpochSeconds } from '../time/zone.ts';
import type { RecordedEvent } from './envelope.ts';

/** The log contains only what our deciders have decided, upcast to today's form. */
export const factOf = <F extends Fact>({ type, data }: RecordedEvent): F => ({ type, data }) as F;

/** When an event was recorded. */
export const instantOf = ({ metadata }: RecordedEvent): EpochSeconds => Math.floor(Date.parse(metadata.instant) / 1000);

/** The state that recorded events lead to. */
export const fold = <State, F extends Fact>(events: readonly RecordedEvent[], evolve: Evolve<State, F>): State | null =>
  events.reduce<State | null>((state, event) => evolve(state, factOf<F>(event), instantOf(event)), null);
