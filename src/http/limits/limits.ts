// Everything that one client is kept from doing too often.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { BeforeVerifying } from '../../auth/caller.ts';
import { concernsApi } from '../plugins/request-context.ts';
import type { Attempt } from '../route.ts';
import type { ShellSettings } from '../settings.ts';
import { openAttempts } from './attempts.ts';
import { clientAddress, isOwnMachine } from './client-address.ts';
import type { ProxyWatch } from './proxy-watch.ts';
import { addRequestLimit, type Refusal } from './request-limit.ts';

/** Begins to try a password on a thing that exists. Throws 429. */
export type Begin = (thing: string) => Attempt;

export interface Limits {
  /** Whether a request is to be answered at all. Without a limit for its client this takes no turn. */
  admit(request: FastifyRequest): Refusal | Promise<Refusal>;
  /** The address that this request counts for; null where it may be that of many. */
  client(request: FastifyRequest): string | null;
  /** What the client of this request may try. */
  credentials(request: FastifyRequest): BeforeVerifying;
  passwords(request: FastifyRequest): Begin;
}

export interface LimitOptions {
  readonly settings: Pick<ShellSettings, 'trustForwarded' | 'requestsPerMinute'>;
  /** Milliseconds of a clock that never goes back; only differences count. */
  readonly elapsed: () => number;
  /** Sees each request of which no proxy is trusted. */
  readonly proxyWatch?: ProxyWatch;
}

/** People mistype; who guesses needs more than that. */
const WRONG_CREDENTIALS = { forThing: 10, fromAddress: 60, beyondAddress: 3 };
/** One password on a page of fifty events is wrong for most of them. */
const WRONG_PASSWORDS = { forThing: 10, fromAddress: 300, beyondAddress: 3 };

const UNWATCHED: ProxyWatch = { look: () => {}, found: () => null, isShared: isOwnMachine };

declare module 'fastify' {
  interface FastifyRequest {
    /** The address that limits count by; null where it may be that of many. */
    client(): string | null;
  }
}

/** Gives requests of the API a refusal when their client has sent too many. */
export const requestLimit = fp(
  async (app: FastifyInstance, { limits }: { readonly limits: Pick<Limits, 'admit' | 'client'> }) => {
    app.decorateRequest('client', function () {
      return limits.client(this);
    });
    app.addHook('onRequest', (request, _reply, done) => {
      const admission = request.refusal || !concernsApi(request) ? null : limits.admit(request);
      const refuse = (refusal: Refusal): void => {
        if (refusal) request.refusal = refusal;
        done();
      };
      if (admission instanceof Promise) admission.then(refuse, done);
      else refuse(admission);
    });
  },
);

/** To be called before `app` is ready. */
export function openLimits(app: FastifyInstance, { settings, elapsed, proxyWatch = UNWATCHED }: LimitOptions): Limits {
  const source = settings.trustForwarded ? 'named' : 'own';
  const { isShared } = proxyWatch;
  const limit = addRequestLimit(app, { perMinute: settings.requestsPerMinute, source, elapsed, isShared });
  const look = source === 'own' ? proxyWatch.look : UNWATCHED.look;
  const credentials = openAttempts(elapsed, WRONG_CREDENTIALS);
  const passwords = openAttempts(elapsed, WRONG_PASSWORDS);
  return {
    admit(request) {
      look(request.raw);
      return limit(request);
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
