// Detects overload of this process: @fastify/under-pressure, with a handler of our own.
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ApiError } from '../errors.ts';

export interface PressureOptions {
  /** Milliseconds by which the event loop is late on the average of a sample. */
  readonly maxDelayMs?: number;
  /** Milliseconds of a sample. */
  readonly sampleMs?: number;
}

const MAX_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;
/** Of the heap limit. Beyond it the garbage collector does little else. */
const FULL_HEAP = 0.92;
const FULL_MEMORY = 0.95;
const RETRY_AFTER_SECONDS = '10';

/**
 * Refuses requests while the process is overloaded. A single long step, as at startup on a busy machine, does not
 * count: overload lasts for longer than a sample. Probes have a handler of their own.
 */
export const pressureLimit = fp(async (app: FastifyInstance, options: PressureOptions) => {
  const { maxDelayMs = MAX_DELAY_MS, sampleMs = SAMPLE_MS } = options;
  const maxMemory = memoryLimit();
  let since = Number.POSITIVE_INFINITY;
  await app.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: maxDelayMs,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * FULL_HEAP),
    ...(maxMemory !== null && { maxRssBytes: Math.floor(maxMemory * FULL_MEMORY) }),
    pressureHandler(request) {
      const now = performance.now();
      since = Math.min(since, now);
      if (now - since >= sampleMs) request.refusal = overloaded();
    },
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!app.isUnderPressure()) since = Number.POSITIVE_INFINITY;
    done();
  });
});

/** Bytes that a container allows the process; null without a limit. */
function memoryLimit(): number | null {
  const limit = constrainedMemory();
  return limit !== undefined && limit > 0 && limit < totalmem() ? limit : null;
}

/** 503: a retry makes sense, but not at once. */
const overloaded = (): ApiError =>
  new ApiError('rest_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
