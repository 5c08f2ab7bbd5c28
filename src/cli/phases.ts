// One progress for several things that are done one after the other.
import type { Progress } from '../import/progress.ts';

export interface Phases {
  /** Ends what was under way, and begins with something else. `total` is null while nobody knows it. */
  begin(what: string, total: number | null): void;
  reach(done: number): void;
  /** Ends what is under way, if anything is. */
  end(): void;
}

/** All of them count things of one unit. */
export function phasesOf(progress: Progress, unit: string): Phases {
  let isUnderWay = false;
  function end(): void {
    if (isUnderWay) progress.end();
    isUnderWay = false;
  }
  return {
    begin(what, total) {
      end();
      progress.begin(what, unit, total);
      isUnderWay = true;
    },
    reach: (done) => progress.reach(done),
    end,
  };
}
