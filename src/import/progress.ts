// Shows that something is going on: a bar on a terminal, now and then a line elsewhere.
import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** `total` is null while nobody knows it. */
  begin(what: string, total: number | null): void;
  reach(done: number): void;
  end(): void;
}

/** A line per second at most, each with how far it has come. `elapsed` counts milliseconds. */
export function lineProgress(out: (line: string) => void, elapsed: () => number): Progress {
  let label = '';
  let of = '';
  let last = elapsed();
  return {
    begin(what, total) {
      label = what;
      of = total === null ? '' : ` of ${total}`;
      last = elapsed();
    },
    reach(done) {
      if (elapsed() - last < 1000) return;
      last = elapsed();
      out(`${label}: ${done}${of}`);
    },
    end() {},
  };
}

/** A bar, drawn over and over in the last line of a terminal. */
export function barProgress(stream: NodeJS.WritableStream): Progress {
  let bar: SingleBar | null = null;
  return {
    begin(what, total) {
      const format = total === null ? `${what} {value}` : `${what} {bar} {value}/{total} {eta_formatted}`;
      bar = new SingleBar({ stream, format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
      bar.start(total ?? 0, 0);
    },
    reach: (done) => bar?.update(done),
    end() {
      bar?.stop();
      bar = null;
    },
  };
}
