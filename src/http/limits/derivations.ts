// Limits concurrent derivations of keys from passwords. Each takes 16 MiB and some 50 ms of a thread that files,
// compression and DNS also need: many passwords must not stop the rest.
import { openQueue } from '../../kernel/event-loop/shared-work.ts';
import { hashPassword, verifyPassword } from '../../people/auth/passwords.ts';
import { ApiError } from '../errors.ts';

export interface Derivations {
  readonly hashPassword: typeof hashPassword;
  readonly verifyPassword: typeof verifyPassword;
}

/** Half of the threads, unless `UV_THREADPOOL_SIZE` is set. */
const AT_ONCE = 2;
/** The last of them waits for some 2 s. */
const MAX_WAITING = 64;

/** Both reject with 503 if too many are waiting. */
export function boundedDerivations(work: Derivations = { hashPassword, verifyPassword }): Derivations {
  const inTurn = openQueue({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    refused: () => new ApiError('rest_unavailable', { headers: { 'Retry-After': '2' } }),
  });
  return {
    hashPassword: (password) => inTurn(() => work.hashPassword(password)),
    verifyPassword: (password, hash) => inTurn(() => work.verifyPassword(password, hash)),
  };
}
