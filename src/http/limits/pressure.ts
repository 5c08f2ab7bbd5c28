// Whether this process has so much to do that one more answer makes all of them late.
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import fastify from 'fastify';
import { ApiError } from '../errors.ts';

export interface Pressure {
  isHigh(): boolean;
  close(): Promise<void>;
}

export interface PressureOptions {
  /** Milliseconds by which the event loop is late on the average of a sample. */
  readonly latestMs?: number;
  /** Milliseconds of a sample. */
  readonly sampleMs?: number;
}

const LATEST_MS = 1_000;
const SAMPLE_MS = 1_000;
/** Of what there may be at most. Beyond it the collector of garbage does little else. */
const FULL_HEAP = 0.92;
const FULL_MEMORY = 0.95;
const RETRY_AFTER_SECONDS = '10';

/**
 * Begins to watch the process. One is enough, for all that it answers. A single long step, as at the start on a machine that
 * is busy with something else, is none: pressure is what lasts for two samples.
 */
export async function watchPressure({
  latestMs = LATEST_MS,
  sampleMs = SAMPLE_MS,
}: PressureOptions = {}): Promise<Pressure> {
  const gauge = fastify();
  const mostMemory = memoryLimit();
  await gauge.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: latestMs,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * FULL_HEAP),
    ...(mostMemory !== null && { maxRssBytes: Math.floor(mostMemory * FULL_MEMORY) }),
  });
  await gauge.ready();
  let wasHigh = false;
  let isHigh = false;
  const watching = setInterval(() => {
    const isHighNow = gauge.isUnderPressure();
    isHigh = isHighNow && wasHigh;
    wasHigh = isHighNow;
  }, sampleMs).unref();
  return {
    isHigh: () => isHigh,
    close() {
      clearInterval(watching);
      return gauge.close();
    },
  };
}

/** Bytes that a container leaves to the process; null where only the machine ends it. */
function memoryLimit(): number | null {
  const limit = constrainedMemory();
  return limit !== undefined && limit > 0 && limit < totalmem() ? limit : null;
}

/** 503: it is worth asking again, but not at once. */
export const overloaded = (): ApiError =>
  new ApiError('rest_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
