// Admits the bearers of single sign-on tokens, if there is a single sign-on.
import { randomUUID } from 'node:crypto';
import type { Authenticate } from '../auth/caller.ts';
import { openNewestRevisions } from '../auth/newest-revisions.ts';
import { openBearers, type SignOnSettings, withSingleSignOn } from '../auth/single-sign-on.ts';
import { admitBearer } from '../commands/users/sign-on.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { systemActor, systemMetadata } from '../event-store/writing.ts';
import type { LogDocuments } from '../queries/log-fallback.ts';
import type { EpochSeconds } from '../time/zone.ts';

interface BearerSources {
  readonly settings: SignOnSettings | null;
  readonly store: EventStore;
  readonly fromLog: Pick<LogDocuments, 'revisionOf'>;
  readonly clock: { now(): EpochSeconds };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

/** Also admits the bearers of single sign-on tokens, if configured. */
export function withBearers(
  authenticate: Authenticate,
  { settings, store, fromLog, clock, elapsed }: BearerSources,
): Authenticate {
  if (settings === null) return authenticate;
  const newest = openNewestRevisions({ revisionOf: (id) => fromLog.revisionOf({ kind: 'user', id }), elapsed });
  const admit = openBearers({
    newest,
    admit(claims) {
      const actor = systemActor('single sign-on');
      const metadata = systemMetadata({ actor, now: clock.now(), correlationId: randomUUID() });
      return admitBearer({ store, newEventId: randomUUID }, metadata, claims);
    },
  });
  return withSingleSignOn(authenticate, { settings, admit, now: () => clock.now(), elapsed });
}
