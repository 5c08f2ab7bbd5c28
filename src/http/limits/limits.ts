// Everything that one client is kept from doing too often.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BeforeVerifying } from '../../auth/caller.ts';
import type { Attempt } from '../route.ts';
import type { ShellSettings } from '../settings.ts';
import { openAttempts } from './attempts.ts';
import { clientAddress, isOwnMachine } from './client-address.ts';
import { overloaded, type Pressure } from './pressure.ts';
import type { ProxyWatch } from './proxy-watch.ts';
import { addRequestLimit, type Refusal } from './request-limit.ts';

/** Begins to try a password on a thing that exists. Throws 429. */
export type Begin = (thing: string) => Attempt;

export interface Limits {
  /** Whether a request is to be answered at all. Without a limit for its client this takes no turn. */
  admit(request: FastifyRequest): Refusal | Promise<Refusal>;
  /** The address that this request counts for; null where it may be that of many. */
  client(request: FastifyRequest): string | null;
  /** What whoever sent this request may try. */
  credentials(request: FastifyRequest): BeforeVerifying;
  passwords(request: FastifyRequest): Begin;
}

export interface LimitOptions {
  readonly settings: Pick<ShellSettings, 'trustForwarded' | 'requestsPerMinute'>;
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  readonly pressure?: Pick<Pressure, 'isHigh'>;
  /** Sees each request of which no proxy is trusted. */
  readonly proxyWatch?: ProxyWatch;
}

/** People mistype; who guesses needs more than that. */
const WRONG_CREDENTIALS = { forThing: 10, fromAddress: 60, beyondAddress: 3 };
/** One password on a page of fifty events is wrong for most of them. */
const WRONG_PASSWORDS = { forThing: 10, fromAddress: 300, beyondAddress: 3 };

const CALM = { isHigh: () => false };
const UNWATCHED: ProxyWatch = { look: () => {}, found: () => null, isShared: isOwnMachine };

/** To be called before `app` is ready. */
export function openLimits(
  app: FastifyInstance,
  { settings, elapsed, pressure = CALM, proxyWatch = UNWATCHED }: LimitOptions,
): Limits {
  const source = settings.trustForwarded ? 'named' : 'own';
  const { isShared } = proxyWatch;
  const limit = addRequestLimit(app, { perMinute: settings.requestsPerMinute, source, elapsed, isShared });
  const look = source === 'own' ? proxyWatch.look : UNWATCHED.look;
  const credentials = openAttempts(elapsed, WRONG_CREDENTIALS);
  const passwords = openAttempts(elapsed, WRONG_PASSWORDS);
  return {
    admit(request) {
      look(request.raw);
      return pressure.isHigh() ? overloaded() : limit(request);
    },
    client({ raw }) {
      const address = clientAddress(raw, source);
      return isShared(address) ? null : address;
    },
    credentials:
      ({ raw }) =>
      (account) =>
        credentials.begin(clientAddress(raw, source), account),
    passwords:
      ({ raw }) =>
      (thing) =>
        passwords.begin(clientAddress(raw, source), { name: thing, exists: true }),
  };
}
