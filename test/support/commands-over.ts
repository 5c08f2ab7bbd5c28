// What commands need over a bare event store.
import { randomUUID } from 'node:crypto';
import { type CommandDependencies, openCoordination } from '../../src/commands/context.ts';
import { openIdSequence } from '../../src/commands/reservations/ids.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { EDITOR, NEW_YORK, NOW } from './given.ts';

export function commandsOver(store: EventStore): CommandDependencies {
  const ids = { first: 1, blockSize: 16, newEventId: randomUUID };
  return {
    store,
    postIds: openIdSequence(store, { stream: 'ids-post', ...ids }),
    termIds: openIdSequence(store, { stream: 'ids-term', ...ids }),
    ...openCoordination(),
    newEventId: randomUUID,
    siteZone: NEW_YORK,
    hashPassword: async (password) => password,
    verifyPassword: async (password, hash) => password === hash,
  };
}

/** Of an editor's request. */
export const editorsContext = () => ({
  caller: EDITOR,
  now: NOW,
  correlationId: randomUUID(),
  reason: undefined,
  ifRevision: undefined,
  idempotencyKey: undefined,
});
