// Ports that fail, hang and recover when a test says so.
import { LOG_START, type Position, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { ReadAllOptions } from '../../../src/log/event-store.ts';
import {
  createHealth,
  type Health,
  type HealthOptions,
  type ProjectorState,
} from '../../../src/observability/health.ts';
import type { ParkedDocument } from '../../../src/read-model/documents.ts';
import type { Trust } from '../../../src/read-model/trust.ts';
import { metadataAt, newEvent } from '../../support/events.ts';

/** 2026-03-01 10:00:00 UTC. */
export const NOW = Date.UTC(2026, 2, 1, 10) / 1000;

export const PREFIXES = ['event-', 'venue-'];

/** The event at a place of the log, written so many seconds before `NOW`. */
export const eventAt = (place: number, stream = 'event-1', secondsAgo = 0): RecordedEvent => ({
  ...newEvent(),
  metadata: metadataAt(new Date((NOW - secondsAgo) * 1000).toISOString()),
  stream,
  revision: place,
  position: positionOf(place),
});

export const positionOf = (place: number): Position => String(place).padStart(6, '0');

/** What becomes of a question; `answer` gives the true answer. */
export type Course = <T>(answer: () => T) => Promise<T>;

export const answering: Course = async (answer) => answer();
export const hanging: Course = () => new Promise(() => {});
export const failing =
  (error: Error): Course =>
  () =>
    Promise.reject(error);

/** A log and views over it. */
export interface Ports {
  readonly log: RecordedEvent[];
  /** Where the views stand. */
  checkpoint: Position;
  storeCourse: Course;
  readCourse: Course;
  modelCourse: Course;
  writeCourse: Course;
  /** What was asked, in order. */
  readonly asked: string[];
  readonly store: HealthOptions['store'];
  readonly readModel: HealthOptions['readModel'];
}

export function openPorts(): Ports {
  const ports: Ports = {
    log: [],
    checkpoint: LOG_START,
    storeCourse: answering,
    readCourse: answering,
    modelCourse: answering,
    writeCourse: answering,
    asked: [],
    store: {
      head() {
        ports.asked.push('head');
        return ports.storeCourse(() => ports.log.at(-1)?.position ?? LOG_START);
      },
      readAll(options) {
        ports.asked.push(`readAll ${options.after}`);
        return ports.readCourse(() => matching(ports.log, options));
      },
    },
    readModel: {
      progress() {
        ports.asked.push('checkpoint');
        return ports.modelCourse(() => ({ checkpoint: ports.checkpoint, mark: '', life: 'one' }));
      },
    },
  };
  return ports;
}

const matching = (log: readonly RecordedEvent[], { after, prefixes = [''], limit }: ReadAllOptions): RecordedEvent[] =>
  log
    .filter(({ position, stream }) => position > after && prefixes.some((prefix) => stream.startsWith(prefix)))
    .slice(0, limit);

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

/** Everything that health needs, over `ports`. `elapsed` stands still until a test moves it. */
export interface Surroundings {
  readonly ports: Ports;
  readonly health: Health;
  readonly lines: LogLine[];
  readonly time: { elapsed: number };
  projector: ProjectorState;
  trust: Trust['kind'];
  parked: readonly ParkedDocument[];
}

/** A venue that is parked at an event of a position. */
export const parkedVenue = (position: number): ParkedDocument => ({
  ...{ kind: 'parked', id: 113, revision: 4, position: positionOf(position), state: null, withheld: false },
  resource: { kind: 'venue', id: 7 },
  at: {
    position: positionOf(position),
    stream: 'venue-7',
    revision: 4,
    type: 'VenueMoved',
    instant: '2026-03-01T10:00:00Z',
  },
  why: 'VenueMoved has no day',
});

export function openSurroundings(options: Partial<HealthOptions> = {}): Surroundings {
  const ports = openPorts();
  const lines: LogLine[] = [];
  const time = { elapsed: 0 };
  const at = (level: LogLine['level']) => (_details: object, message: string) => void lines.push({ level, message });
  const trustNow = (): Trust =>
    surroundings.trust === 'unknown'
      ? { kind: 'unknown' }
      : { kind: surroundings.trust, progress: { checkpoint: ports.checkpoint, mark: '', life: 'one' } };
  const surroundings: Surroundings = {
    ports,
    lines,
    time,
    projector: { kind: 'leading' },
    trust: 'usable',
    parked: [],
    health: createHealth({
      store: ports.store,
      readModel: ports.readModel,
      trust: { now: () => trustNow(), look: async () => trustNow() },
      projector: () => surroundings.projector,
      parked: async () => surroundings.parked,
      tryWriting() {
        ports.asked.push('writing');
        return ports.writeCourse(() => {});
      },
      prefixes: PREFIXES,
      now: () => NOW,
      elapsed: () => time.elapsed,
      log: { info: at('info'), warn: at('warn'), error: at('error') },
      deadlineMs: 30,
      ...options,
    }),
  };
  return surroundings;
}
