// Shows progress, speed and remaining time: a bar on a terminal, lines elsewhere.
import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../exchange/import/progress.ts';
import { elapsed } from '../kernel/time/system.ts';
import { interruption, warn } from './terminal.ts';
import { SURROUNDINGS, type Surroundings } from './with-log.ts';

/** Interval of lines in milliseconds. The speed is that of the task so far, so that one slow second moves it little. */
const LINE_EVERY_MS = 1_000;

export const openProgress = (): Progress =>
  process.stderr.isTTY ? rateBar(process.stderr, elapsed) : rateLines(warn, elapsed);

/** What commands take from their process that work for long, and can be interrupted. */
export interface LongWork extends Surroundings {
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
  /** Milliseconds, for durations. */
  readonly elapsed: () => number;
}

export const longWork = (): LongWork => ({
  ...SURROUNDINGS,
  progress: openProgress(),
  signal: interruption(),
  elapsed,
});

const whole = (number: number): string => String(Math.round(number));

/** `1 min 5 s`, `12 s`. */
export function duration(seconds: number): string {
  const rounded = Math.ceil(seconds);
  const minutes = Math.floor(rounded / 60);
  return minutes === 0 ? `${rounded} s` : `${minutes} min ${rounded % 60} s`;
}

interface Figures {
  /** A task, and how many milliseconds ago it began. */
  readonly done: number;
  readonly total: number | null;
  readonly ms: number;
}

const rateOf = ({ done, ms }: Figures): number => (ms > 0 ? (done * 1_000) / ms : 0);

function timeLeft(figures: Figures): string | null {
  const rate = rateOf(figures);
  if (figures.total === null || rate === 0) return null;
  return duration(Math.max(0, figures.total - figures.done) / rate);
}

function line(what: string, unit: string, figures: Figures): string {
  const of = figures.total === null ? '' : ` of ${Math.max(figures.total, figures.done)}`;
  const left = timeLeft(figures);
  return `${what}: ${figures.done}${of} ${unit}, ${whole(rateOf(figures))} ${unit}/s${left === null ? '' : `, ${left} left`}`;
}

/** A line per second at most, and one at the end. `elapsed` counts milliseconds. */
export function rateLines(out: (line: string) => void, elapsed: () => number): Progress {
  let label = { what: '', unit: '' };
  let figures: Omit<Figures, 'ms'> = { done: 0, total: null };
  let begun = 0;
  let last = 0;
  const write = (): void => out(line(label.what, label.unit, { ...figures, ms: elapsed() - begun }));
  return {
    begin(what, unit, total) {
      label = { what, unit };
      figures = { done: 0, total };
      begun = elapsed();
      last = begun;
    },
    reach(done) {
      figures = { ...figures, done };
      if (elapsed() - last < LINE_EVERY_MS) return;
      last = elapsed();
      write();
    },
    end: write,
  };
}

/** A bar, redrawn in the last line of a terminal. */
export function rateBar(stream: NodeJS.WritableStream, elapsed: () => number): Progress {
  let bar: SingleBar | null = null;
  let begun = 0;
  let expected: number | null = null;
  const payload = (done: number) => {
    const figures = { done, total: expected, ms: elapsed() - begun };
    return { rate: whole(rateOf(figures)), left: timeLeft(figures) ?? '?' };
  };
  return {
    begin(what, unit, total) {
      begun = elapsed();
      expected = total;
      const format =
        total === null
          ? `${what} {value} ${unit}, {rate} ${unit}/s`
          : `${what} {bar} {value}/{total} ${unit}, {rate} ${unit}/s, {left} left`;
      bar = new SingleBar({ stream, format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
      bar.start(total ?? 0, 0, payload(0));
    },
    reach(done) {
      if (expected !== null && done > expected) bar?.setTotal(done);
      bar?.update(done, payload(done));
    },
    end() {
      bar?.stop();
      bar = null;
    },
  };
}

export type Phases = ReturnType<typeof phasesOf>;

/** One progress for several tasks in sequence, all counted in one unit. */
export function phasesOf(progress: Progress, unit: string) {
  let isUnderWay = false;
  function end(): void {
    if (isUnderWay) progress.end();
    isUnderWay = false;
  }
  return {
    /** Ends the present task and begins another. `total` is null while unknown. */
    begin(what: string, total: number | null) {
      end();
      progress.begin(what, unit, total);
      isUnderWay = true;
    },
    reach: (done: number) => progress.reach(done),
    /** Ends the present task, if there is one. */
    end,
  };
}
