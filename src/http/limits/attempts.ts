// Limits of wrong attempts: credentials of an account, passwords of an event. Only wrong ones count.

import { type ApiError, rateLimited } from '../errors.ts';
import type { Attempt } from '../route.ts';
import { openWindows, type Window, type Windows } from './windows.ts';

export interface AttemptLimits {
  /** Wrong attempts from one address on one target in a minute. */
  readonly forTarget: number;
  /** Wrong attempts from one address on any target. */
  readonly fromAddress: number;
  /** Wrong attempts on one existing target, once the address has used up its own: it may be shared by many. */
  readonly beyondAddress: number;
}

export interface Tried {
  readonly name: string;
  readonly exists: boolean;
}

export interface Attempts {
  /**
   * Begins an attempt on `target`. Throws 429 after too many wrong attempts from this address, for the rest of the
   * minute; also for right ones that were not tried before. If only the address has had too many, existing targets can
   * still be tried: behind a proxy that forwards no address all clients share one. An attempt counts while it is in
   * progress, so sending many at once gains nothing.
   */
  begin(address: string, target: Tried): Attempt;
}

const MINUTE_MS = 60_000;
const MAX_NAMES = 20_000;
const MAX_ADDRESSES = 10_000;
/** Names of accounts come from clients. */
const MAX_NAME_LENGTH = 120;

export function openAttempts(
  elapsed: () => number,
  { forTarget: forThing, fromAddress, beyondAddress }: AttemptLimits,
): Attempts {
  const windows = (maxKeys: number): Windows => openWindows({ elapsed, lengthMs: MINUTE_MS, maxKeys });
  const targets = windows(MAX_NAMES);
  const addresses = windows(MAX_ADDRESSES);
  return {
    begin(address, { name, exists }) {
      const key = `${address} ${name.slice(0, MAX_NAME_LENGTH)}`;
      const ofAddress = spent(addresses, address, fromAddress);
      const most = ofAddress ? beyondAddress : forThing;
      const refusal = ofAddress && !exists ? ofAddress : spent(targets, key, most);
      if (refusal) throw refusal;
      const taken = [targets.take(key), addresses.take(address)];
      return { forgive: () => giveBack(taken) };
    },
  };
}

function spent(windows: Windows, key: string, most: number): ApiError | null {
  const window = windows.look(key);
  return window && window.count >= most ? rateLimited(windows.left(window) / 1000) : null;
}

/** Once only: a second call changes nothing. */
function giveBack(taken: Window[]): void {
  for (const window of taken.splice(0)) window.count -= 1;
}
