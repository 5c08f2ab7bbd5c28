// Tickets: the desk asks the API within this process, in the name of the user who is signed in. Each is for one request.
// decision 28
import { randomBytes } from 'node:crypto';
import type { Authenticate, User } from './caller.ts';

interface TicketTerms {
  readonly user: User;
  /** The id of the request of the desk. */
  readonly requestId: string;
}

export type Tickets = ReturnType<typeof openTickets>;

const SCHEME = 'Desk ';
const BYTES = 32;

export function openTickets() {
  const lent = new Map<string, TicketTerms>();
  return {
    /** Does something with an `Authorization` that stands for this user until it is done, for one request. */
    async lend<Answer>(terms: TicketTerms, use: (authorization: string) => Promise<Answer>): Promise<Answer> {
      const ticket = SCHEME + randomBytes(BYTES).toString('base64url');
      lent.set(ticket, terms);
      try {
        return await use(ticket);
      } finally {
        // It was not shown if the request was refused before.
        lent.delete(ticket);
      }
    },
    /** The id of the request that this `Authorization` was lent for: what it does is one with it. */
    requestOf: (authorization: string | undefined): string | undefined =>
      authorization === undefined ? undefined : lent.get(authorization)?.requestId,
    /** Also admits tickets. */
    admitting:
      (authenticate: Authenticate): Authenticate =>
      async (authorization, beforeVerifying) => {
        const terms = authorization === undefined ? undefined : lent.get(authorization);
        if (authorization === undefined || terms === undefined) return authenticate(authorization, beforeVerifying);
        lent.delete(authorization);
        return { kind: 'caller', caller: terms.user };
      },
  };
}
