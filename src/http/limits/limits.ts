// All limits per client: of requests, and of wrong attempts.
// decision 18

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { BeforeVerifying } from '../../people/auth/caller.ts';
import { type ApiError, rateLimited } from '../errors.ts';
import { SITE_HEADERS } from '../forwarded.ts';
import { concernsApi } from '../plugins/request-context.ts';
import type { Attempt, Begin } from '../route.ts';
import type { ShellLog, ShellSettings } from '../settings.ts';
import { clientAddress, isOwnMachine } from './client-address.ts';
import { openWindows, type Window, type Windows } from './windows.ts';

export type Limits = ReturnType<typeof openLimits>;

interface LimitOptions {
  readonly settings: Pick<ShellSettings, 'trustForwarded' | 'requestsPerMinute'>;
  /** Milliseconds of a monotonic clock; only differences matter. */
  readonly elapsed: () => number;
  /** Through which others reach this machine; null if it is not known. */
  readonly gateway?: string | null;
  /** Told once of a proxy that is not trusted. */
  readonly log: Pick<ShellLog, 'warn'>;
}

/** People mistype; guessing needs more than that. */
const WRONG_CREDENTIALS = { forTarget: 10, fromAddress: 60, beyondAddress: 3 };
/** One password on a page of fifty events is wrong for most of them. */
const WRONG_PASSWORDS = { forTarget: 10, fromAddress: 300, beyondAddress: 3 };

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
      const refusal = request.refusal || !concernsApi(request) ? null : limits.admit(request);
      if (refusal) request.refusal = refusal;
      done();
    });
  },
);

const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export function openLimits({ settings, elapsed, gateway = null, log }: LimitOptions) {
  const { requestsPerMinute } = settings;
  const source = settings.trustForwarded ? 'named' : 'own';
  /** Behind a proxy that forwards no address, and behind the gateway of a container, they are all clients. */
  const isShared = (address: string): boolean => address === gateway || isOwnMachine(address);
  const requests = openWindows({ elapsed, lengthMs: MINUTE_MS, maxKeys: MAX_ADDRESSES });
  const addressOf = ({ raw }: FastifyRequest): string | null => {
    const address = clientAddress(raw, source);
    return isShared(address) ? null : address;
  };
  let isWarned = settings.trustForwarded;
  const credentials = openAttempts(elapsed, WRONG_CREDENTIALS);
  const passwords = openAttempts(elapsed, WRONG_PASSWORDS);
  return {
    /** Counts a request, and says why it is not answered; null: it is. */
    admit(request: FastifyRequest): ApiError | null {
      if (!isWarned) isWarned = warnOfProxy(log, request.raw);
      const address = requestsPerMinute === 0 ? null : addressOf(request);
      const window = address === null ? null : requests.take(address);
      return window && window.count > requestsPerMinute ? rateLimited(requests.left(window) / 1000) : null;
    },
    /** The address that this request counts for; null if it may be shared by many. */
    client: addressOf,
    /** The attempts of this request's client. */
    credentials:
      ({ raw }: FastifyRequest): BeforeVerifying =>
      (account) =>
        credentials.begin(clientAddress(raw, source), account),
    passwords:
      ({ raw }: FastifyRequest): Begin =>
      (resource) =>
        passwords.begin(clientAddress(raw, source), { name: resource, exists: true }),
  };
}

const FORWARDED = ['x-forwarded-for', 'forwarded', ...SITE_HEADERS, 'x-real-ip'] as const;

/** Says that a request has come through a proxy that is not trusted: all clients behind it count as one. Whether it has. */
function warnOfProxy(log: LimitOptions['log'], request: IncomingMessage): boolean {
  const header = FORWARDED.find((name) => request.headers[name] !== undefined);
  if (header === undefined) return false;
  log.warn(
    { setting: 'DAYBOOK_TRUST_PROXY' },
    `A request from ${clientAddress(request, 'own')} carries ${header}, but no proxy is trusted: all its clients count as one. ` +
      'If it is your proxy, set DAYBOOK_TRUST_PROXY=1; see docs/operations/deploy.md#behind-a-proxy.',
  );
  return true;
}

// Limits of wrong attempts: credentials of an account, passwords of an event. Only wrong ones count.

interface AttemptLimits {
  /** Wrong attempts from one address on one target in a minute. */
  readonly forTarget: number;
  /** Wrong attempts from one address on any target. */
  readonly fromAddress: number;
  /** Wrong attempts on one existing target, once the address has used up its own: it may be shared by many. */
  readonly beyondAddress: number;
}

interface Tried {
  readonly name: string;
  readonly exists: boolean;
}

const MAX_NAMES = 20_000;
/** Names of accounts come from clients. */
const MAX_NAME_LENGTH = 120;

export function openAttempts(
  elapsed: () => number,
  { forTarget: forThing, fromAddress, beyondAddress }: AttemptLimits,
) {
  const windows = (maxKeys: number): Windows => openWindows({ elapsed, lengthMs: MINUTE_MS, maxKeys });
  const targets = windows(MAX_NAMES);
  const addresses = windows(MAX_ADDRESSES);
  return {
    /**
     * Begins an attempt on `target`. Throws 429 after too many wrong attempts from this address, for the rest of the
     * minute; also for right ones that were not tried before. If only the address has had too many, existing targets can
     * still be tried: behind a proxy that forwards no address all clients share one. An attempt counts while it is in
     * progress, so sending many at once gains nothing.
     */
    begin(address: string, { name, exists }: Tried): Attempt {
      const key = `${address} ${name.slice(0, MAX_NAME_LENGTH)}`;
      const ofAddress = spent(addresses, address, fromAddress);
      const most = ofAddress ? beyondAddress : forThing;
      const refusal = ofAddress && !exists ? ofAddress : spent(targets, key, most);
      if (refusal) throw refusal;
      const windows = [targets.take(key), addresses.take(address)];
      return { forgive: () => giveBack(windows) };
    },
  };
}

function spent(windows: Windows, key: string, most: number): ApiError | null {
  const window = windows.look(key);
  return window && window.count >= most ? rateLimited(windows.left(window) / 1000) : null;
}

/** Once only: a second call changes nothing. */
function giveBack(windows: Window[]): void {
  for (const window of windows.splice(0)) window.count -= 1;
}
