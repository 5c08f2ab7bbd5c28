// Everything that one client is kept from doing too often.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Attempt } from '../api.ts';
import type { ShellSettings } from '../settings.ts';
import { openAttempts } from './attempts.ts';
import { clientAddress } from './client-address.ts';
import { overloaded, type Pressure } from './pressure.ts';
import { addRequestLimit, type Refusal } from './request-limit.ts';

/** Begins to try something on a thing (an account, an event). Throws 429. */
export type Begin = (thing: string) => Attempt;

export interface Limits {
  /** Whether a request is to be answered at all. Without a limit for its client this takes no turn. */
  admit(request: FastifyRequest): Refusal | Promise<Refusal>;
  /** What whoever sent this request may try. */
  credentials(request: FastifyRequest): Begin;
  passwords(request: FastifyRequest): Begin;
}

export interface LimitOptions {
  readonly settings: Pick<ShellSettings, 'trustForwarded' | 'requestsPerMinute'>;
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  readonly pressure?: Pick<Pressure, 'isHigh'>;
}

/** People mistype; who guesses needs more than that. */
const WRONG_CREDENTIALS = { forThing: 10, fromAddress: 60 };
/** One password on a page of fifty events is wrong for most of them. */
const WRONG_PASSWORDS = { forThing: 10, fromAddress: 300 };

const CALM = { isHigh: () => false };

/** To be called before `app` is ready. */
export function openLimits(app: FastifyInstance, { settings, elapsed, pressure = CALM }: LimitOptions): Limits {
  const source = settings.trustForwarded ? 'named' : 'own';
  const limit = addRequestLimit(app, { perMinute: settings.requestsPerMinute, source, elapsed });
  const credentials = openAttempts(elapsed, WRONG_CREDENTIALS);
  const passwords = openAttempts(elapsed, WRONG_PASSWORDS);
  return {
    admit: (request) => (pressure.isHigh() ? overloaded() : limit(request)),
    credentials:
      ({ raw }) =>
      (account) =>
        credentials.begin(clientAddress(raw, source), account),
    passwords:
      ({ raw }) =>
      (thing) =>
        passwords.begin(clientAddress(raw, source), thing),
  };
}
