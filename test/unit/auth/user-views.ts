// Users as an authenticator finds them, kept in memory and made by the projection itself.
import { usersProjection } from '../../../projections/users.ts';
import type { Json, RecordedEvent } from '../../../src/log/envelope.ts';
import type { UserFact } from '../../../src/people/users/domain/user.ts';
import type { Document, DocumentKey, UserDocument } from '../../../src/read-model/documents.ts';
import type { ReadModel } from '../../../src/read-model/read-model.ts';

export interface UserViews extends Pick<ReadModel, 'version' | 'findBySlug' | 'fetch'> {
  /** Folds facts onto a user. */
  record(id: number, ...facts: readonly UserFact[]): void;
  /** Folds what a store holds. */
  apply(events: readonly RecordedEvent[]): void;
  /** As if something else had changed. */
  touch(): void;
  /** Of the last fact of a user, whatever became of that user. */
  revisionOf(id: number): number | null;
  /** How often a document was asked for. */
  lookups(): number;
}

/** The same as a log that has nothing newer. */
export const logOf = (views: Omit<UserViews, 'version'>) => ({
  findBySlug: views.findBySlug,
  fetch: views.fetch,
  revisionOf: async ({ id }: DocumentKey) => views.revisionOf(id),
});

export function openUserViews(): UserViews {
  const projection = usersProjection();
  const documents = new Map<number, UserDocument>();
  const revisions = new Map<number, number>();
  let version = 0;
  let lookups = 0;

  function apply(events: readonly RecordedEvent[]): void {
    version++;
    for (const event of events) {
      const id = Number(event.stream.slice(projection.prefix.length));
      const state = projection.fold(documents.get(id)?.state ?? null, event);
      revisions.set(id, event.revision);
      const at = { revision: event.revision, position: event.position };
      const document = state === null ? null : projection.document(state, at);
      if (document?.kind === 'user') documents.set(id, document);
      else documents.delete(id);
    }
  }

  return {
    apply,
    record(id, ...facts) {
      for (const { type, data } of facts) {
        const revision = (revisions.get(id) ?? -1) + 1;
        const metadata = {
          actor: { id: null, name: 'test' },
          instant: '2026-06-15T13:00:00Z',
          correlationId: 'c',
          causationId: 'c',
        };
        const place = { stream: `user-${id}`, revision, position: String(revision) };
        apply([{ id: `${id}-${revision}`, type, schemaVersion: 1, data: data as Json, metadata, ...place }]);
      }
    },
    touch: () => {
      version++;
    },
    revisionOf: (id) => revisions.get(id) ?? null,
    lookups: () => lookups,
    version: async () => String(version),
    async fetch(keys) {
      lookups++;
      return keys.map(({ id }): Document | null => documents.get(id) ?? null);
    },
    async findBySlug(kind, slug) {
      lookups++;
      const has = ({ login, email }: UserDocument) => [login, email].some((name) => name.toLowerCase() === slug);
      const found = [...documents.values()].find((document) => kind === 'user' && has(document));
      // Asked for users only.
      return (found ?? null) as never;
    },
  };
}
