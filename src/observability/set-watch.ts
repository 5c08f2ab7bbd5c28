// How long the application of a set has been under way: until it ends, nothing that was written behind its beginning is shown.
import type { EpochSeconds } from '../kernel/time/zone.ts';

interface Begun {
  readonly set: number;
  readonly at: EpochSeconds;
}

export interface SetUnderWay {
  readonly set: number;
  readonly seconds: number;
}

export type SetWatch = ReturnType<typeof watchSets>;

export function watchSets({ now }: { now(): EpochSeconds }) {
  let begun: Begun | null = null;
  return {
    /** The set that has begun and has not ended; null for none. */
    look(set: Begun | null) {
      begun = set;
    },
    /** Null: none is under way, as far as this process knows. */
    current: (): SetUnderWay | null => begun && { set: begun.set, seconds: Math.max(0, now() - begun.at) },
  };
}
