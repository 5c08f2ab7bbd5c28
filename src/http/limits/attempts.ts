// What may be wrong so many times: credentials of an account, passwords of an event. Only what was wrong counts.

import { type ApiError, rateLimited } from '../errors.ts';
import type { Attempt } from '../route.ts';
import { openWindows, type Window, type Windows } from './windows.ts';

export interface AttemptLimits {
  /** Wrong ones from one address for one thing in a minute. */
  readonly forThing: number;
  /** Wrong ones from one address for whatever it is. */
  readonly fromAddress: number;
  /** Wrong ones for one thing that exists, once the address has no more: it may be that of many. */
  readonly beyondAddress: number;
}

export interface Tried {
  readonly name: string;
  readonly exists: boolean;
}

export interface Attempts {
  /**
   * Begins to try something on `thing`. Throws 429 when too much from this address was wrong, for the rest of the minute;
   * what is right but was not tried before is refused, too. Where the address alone has had too much, things that exist
   * can still be tried: behind a proxy that forwards no address all clients share one. An attempt counts while it is under way: who sends many at
   * once gets no more of them.
   */
  begin(address: string, thing: Tried): Attempt;
}

const MINUTE_MS = 60_000;
const MAX_NAMES = 20_000;
const MAX_ADDRESSES = 10_000;
/** Names of accounts come from clients. */
const MAX_NAME_LENGTH = 120;

export function openAttempts(elapsed: () => number, { forThing, fromAddress, beyondAddress }: AttemptLimits): Attempts {
  const windows = (mostKeys: number): Windows => openWindows({ elapsed, lengthMs: MINUTE_MS, mostKeys });
  const things = windows(MAX_NAMES);
  const addresses = windows(MAX_ADDRESSES);
  return {
    begin(address, { name, exists }) {
      const key = `${address} ${name.slice(0, MAX_NAME_LENGTH)}`;
      const ofAddress = spent(addresses, address, fromAddress);
      const most = ofAddress ? beyondAddress : forThing;
      const refusal = ofAddress && !exists ? ofAddress : spent(things, key, most);
      if (refusal) throw refusal;
      const taken = [things.take(key), addresses.take(address)];
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
