// The users of the API: how requests are authenticated, how users sign in, and what manages them.

import { openCoordination } from '../../../commands/context.ts';
import type { Derivations } from '../../../http/limits/derivations.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { newEventId } from '../../../log/event-ids.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { Log } from '../../../observability/log.ts';
import type { LogDocuments } from '../../../queries/log-fallback.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import { openAuthenticator } from '../../auth/credentials.ts';
import { newSecret } from '../../auth/passwords.ts';
import { openSessions } from '../../auth/sessions.ts';
import type { SignOnSettings } from '../../auth/single-sign-on.ts';
import { openAdministrators } from '../commands/user-changes.ts';
import type { UserDependencies } from '../commands/users.ts';
import { openDirectory } from '../queries/list-users.ts';
import { withBearers } from './bearers.ts';
import { openDeskAccess } from './desk-access.ts';

/** For how long a verified credential is not verified again. */
const CREDENTIAL_CACHE_MS = 60_000;

interface AccountOptions {
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly fromLog: LogDocuments;
  readonly derivations: Derivations;
  /** Null: there is no single sign-on. */
  readonly signOn: SignOnSettings | null;
  readonly clock: { now(): EpochSeconds };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  readonly log: Pick<Log, 'warn'>;
}

export function openAccounts(options: AccountOptions) {
  const { store, readModel, fromLog, derivations, signOn, clock, elapsed, log } = options;
  const { hashPassword, verifyPassword: verify } = derivations;
  const directory = openDirectory(readModel);
  const users: UserDependencies = {
    ...openCoordination(),
    store,
    newEventId,
    newSecret,
    hashSecret: hashPassword,
    administrators: openAdministrators(directory, store),
  };
  const { authenticate, atIssuer } = withBearers(
    openAuthenticator({ readModel, log: fromLog, elapsed, verify, cacheForMs: CREDENTIAL_CACHE_MS }),
    {
      settings: signOn,
      store,
      fromLog,
      clock,
      elapsed,
      report: (error) => log.warn({ err: error }, 'single sign-on failed'),
    },
  );
  const sessions = openSessions({ readModel, log: fromLog, elapsed });
  const access = openDeskAccess({ users, authenticate, accounts: fromLog, verify, sessions });
  return {
    users,
    directory,
    authenticate,
    /** Null: there is no page of a single sign-on to sign in at. */
    atIssuer,
    access,
  };
}
