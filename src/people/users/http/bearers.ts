// Admits the bearers of single sign-on tokens, if there is a single sign-on; for the desk also those whom its page names.

import { randomUUID } from 'node:crypto';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { newEventId } from '../../../log/event-ids.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { systemActor, systemMetadata } from '../../../log/writing.ts';
import type { LogDocuments } from '../../../queries/log-fallback.ts';
import type { Authenticate, Authentication } from '../../auth/caller.ts';
import { openNewestRevisions } from '../../auth/newest-revisions.ts';
import { openSignOnFlow, type SignOnFlow } from '../../auth/sign-on-flow.ts';
import { openBearers, openSingleSignOn, type SignOnSettings, withSingleSignOn } from '../../auth/single-sign-on.ts';
import { admitBearer } from '../commands/sign-on.ts';

interface BearerSources {
  readonly settings: SignOnSettings | null;
  readonly store: EventStore;
  readonly fromLog: Pick<LogDocuments, 'revisionOf'>;
  readonly clock: { now(): EpochSeconds };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Told why signing in at the issuer failed, where operators may have to mend something. */
  readonly report: (error: unknown) => void;
}

/** Signing in at the page of the issuer. */
export interface SignOnAtIssuer {
  readonly flow: SignOnFlow;
  /** Admits the ID token in which the flow ends. */
  readonly admit: (idToken: string) => Promise<Authentication>;
}

/** Also admits the bearers of single sign-on tokens, if configured. `atIssuer`: null where there is no such page. */
export function withBearers(
  authenticate: Authenticate,
  { settings, store, fromLog, clock, elapsed, report }: BearerSources,
) {
  if (settings === null) return { authenticate, atIssuer: null };
  const newest = openNewestRevisions({ revisionOf: fromLog.revisionOf, elapsed });
  const admit = openBearers({
    newest,
    admit(claims) {
      const actor = systemActor('single sign-on');
      const metadata = systemMetadata({ actor, now: clock.now(), correlationId: randomUUID() });
      return admitBearer({ store, newEventId }, metadata, claims);
    },
  });
  const options = { settings, admit, now: () => clock.now(), elapsed };
  const { issuer, client } = settings;
  return {
    authenticate: withSingleSignOn(authenticate, options),
    atIssuer: client && {
      flow: openSignOnFlow({ ...options, issuer, client, report }),
      admit: openSingleSignOn(options, client.id),
    },
  };
}
