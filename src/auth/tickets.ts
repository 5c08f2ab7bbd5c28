// Tickets: the desk asks the API within this process, in the name of the user who is signed in. Each is for one request.
import { randomBytes } from 'node:crypto';
import type { Authenticate, User } from './caller.ts';

export interface Tickets {
  /** Does something with an `Authorization` that stands for this user until it is done, for one request. */
  lend<Answer>(user: User, use: (authorization: string) => Promise<Answer>): Promise<Answer>;
  /** Also admits tickets. */
  admitting(authenticate: Authenticate): Authenticate;
}

const SCHEME = 'Desk ';
const BYTES = 32;

export function openTickets(): Tickets {
  const lent = new Map<string, User>();
  return {
    async lend(user, use) {
      const ticket = SCHEME + randomBytes(BYTES).toString('base64url');
      lent.set(ticket, user);
      try {
        return await use(ticket);
      } finally {
        // It was not shown if the request was refused before.
        lent.delete(ticket);
      }
    },
    admitting: (authenticate) => async (authorization, beforeVerifying) => {
      const caller = authorization === undefined ? undefined : lent.get(authorization);
      if (authorization === undefined || caller === undefined) return authenticate(authorization, beforeVerifying);
      lent.delete(authorization);
      return { kind: 'caller', caller };
    },
  };
}
