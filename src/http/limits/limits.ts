// All limits per client.
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

/** Begins to try a password on an existing resource. Throws 429. */
export type Begin = (target: string) => Attempt;

export interface Limits {
  /** Whether to answer a request at all. Synchronous for clients without a limit. */
  admit(request: FastifyRequest): Refusal | Promise<Refusal>;
  /** The address that this request counts for; null if it may be shared by many. */
  client(request: FastifyRequest): string | null;
  /** The attempts of this request's client. */
  credentials(request: FastifyRequest): BeforeVerifying;
  passwords(request: FastifyRequest): Begin;
}

export interface LimitOptions {
  readonly settings: Pick<ShellSettings, 'trustForwarded' | 'requestsPerMinute'>;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** Sees each request while no proxy is trusted. */
  readonly proxyWatch?: ProxyWatch;
}

/** People mistype; guessing needs more than that. */
const WRONG_CREDENTIALS = { forTarget: 10, fromAddress: 60, beyondAddress: 3 };
/** One password on a page of fifty events is wrong for most of them. */
const WRONG_PASSWORDS = { forTarget: 10, fromAddress: 300, beyondAddress: 3 };

const UNWATCHED: ProxyWatch = { look: () => {}, found: () => null, isShared: isOwnMachine };

declare module 'fastify' {
  interface FastifyRequest {
    /** The address that limits count by; null if it may be shared by many. */
    client(): string | null;
  }
}

/** Refuses requests of the API if their client has sent too many. */
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

/** Call it before `app` is ready. */
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
      (resource) =>
        passwords.begin(clientAddress(raw, source), { name: resource, exists: true }),
  };
}
