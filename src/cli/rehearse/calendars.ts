// The two calendars that a rehearsal compares: a running service, and this code over a read model of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../errors.ts';
import type { Json } from './differences.ts';

export interface Answer {
  readonly status: number;
  /** The text itself if it is no JSON. */
  readonly body: Json;
}

export interface Calendar {
  /** `path` is below the API's root. */
  get(path: string): Promise<Answer>;
}

/** Null: as the public. */
type Token = string | null;

const ANSWER_WITHIN_MS = 30_000;
const MAX_TRIES = 10;
const MAX_PAUSE_SECONDS = 30;

/** 429 and 503 say when to come back. */
const COME_BACK: ReadonlySet<number> = new Set([429, 503]);

const headersFor = (token: Token) => ({
  accept: 'application/json',
  ...(token !== null && { authorization: `Bearer ${token}` }),
});

function parsed(body: string): Json {
  try {
    return JSON.parse(body) as Json; // JSON has no other values.
  } catch {
    return body;
  }
}

/** A running service; `root` is the address of its API. Rejects with `UsageError` if it does not answer. */
export const serviceAt = (root: string, token: Token): Calendar => ({
  async get(path) {
    for (let tries = 1; ; tries += 1) {
      const options = { headers: headersFor(token), signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
      const answer = await fetch(root + path, options).catch((error: unknown) => {
        throw new UsageError(`${root} does not answer (${reasonOf(error)}).`, 1);
      });
      const body = await answer.text();
      if (!COME_BACK.has(answer.status) || tries === MAX_TRIES) return { status: answer.status, body: parsed(body) };
      const seconds = Number(answer.headers.get('retry-after') ?? 1) || 1;
      await sleep(Math.min(seconds, MAX_PAUSE_SECONDS) * 1_000);
    }
  },
});

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

/** An application of this process, asked as if it had the address of the other one. */
export const codeAtHand = (app: FastifyInstance, root: string, token: Token): Calendar => ({
  async get(path) {
    const { host, pathname } = new URL(root);
    const answer = await app.inject({ method: 'GET', url: pathname + path, headers: { ...headersFor(token), host } });
    return { status: answer.statusCode, body: parsed(answer.payload) };
  },
});
