// Everything that an audit asks for, change by change in the order of the log: of resources, their review, and users.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import type { Zone } from '../../../kernel/time/zone.ts';
import { instantOf, LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import { type ActorRole, openActors } from '../../../people/users/facts/actors.ts';
import type { HistoryEntry } from '../../history/queries/history.ts';
import { userHistory } from '../../history/queries/user-history.ts';
import type { ChangeFilter } from './change-filter.ts';
import { changeOf } from './change-of.ts';
import { openChangedResources } from './changed-resources.ts';
import { type ChangesDependencies, isReview, keyOf, prefixOf } from './changes.ts';
import type { ConcernDependencies } from './concerned.ts';
import { openReviewChanges } from './review-changes.ts';
import { CHANGE_KINDS, type ChangeKind } from './selection.ts';

const USER_PREFIX = 'user-';

type AuditedKind = ChangeKind | 'user';

export interface AuditEntry extends HistoryEntry {
  readonly kind: AuditedKind;
  readonly id: number;
  /** The role of the actor at that time. */
  readonly role: ActorRole | null;
  readonly event: RecordedEvent;
}

export interface AuditDependencies extends ChangesDependencies {
  readonly siteZone: Zone;
}

const PORTION = 250;
/** Users whose histories are cached. */
const MAX_USERS = 100;

/**
 * The whole log up to its present end, for operators. Memory grows with the users, not with the log. `onRead` gets
 * the number of events read.
 */
export async function* auditEntries(
  dependencies: AuditDependencies,
  { from = -Infinity, to = Infinity }: Pick<ChangeFilter, 'from' | 'to'>,
  upTo: Position,
  onRead: (events: number) => void,
): AsyncGenerator<AuditEntry> {
  const { store } = dependencies;
  const actors = openActors(store);
  const describe = openDescriptions({ ...dependencies, actors });
  const prefixes = [...CHANGE_KINDS.map((kind) => prefixOf(dependencies, kind)), USER_PREFIX];
  let count = 0;
  for (let after = LOG_START; after < upTo; ) {
    const events = await store.readAll({
      after,
      prefixes,
      limit: PORTION,
      maxCharacters: 1_000_000,
      occurrences: 'in their series',
    });
    for (const event of events) {
      if (event.position > upTo) return;
      const at = instantOf(event);
      const entry = at < from || at > to ? null : await describe(event, upTo);
      if (entry) yield { ...entry, role: await actors.roleOf(event), event };
    }
    count += events.length;
    onRead(count);
    after = events.at(-1)?.position ?? upTo;
    await nextTurn();
  }
}

type Described = Omit<AuditEntry, 'role' | 'event'>;

function openDescriptions(dependencies: AuditDependencies & ConcernDependencies) {
  const reviews = openReviewChanges(dependencies);
  const resources = openChangedResources(dependencies);
  const historyOf = askedOnce(
    (id: number) => userHistory(dependencies, id),
    new LRUCache<number, Promise<HistoryEntry[]>>({ max: MAX_USERS }),
  );

  /** Null for streams that merely begin like those of a kind. */
  return async (event: RecordedEvent, upTo: Position): Promise<Described | null> => {
    if (event.stream.startsWith(USER_PREFIX)) return ofUser(event);
    const key = keyOf(dependencies, event.stream);
    if (!key) return null;
    const { kind, id } = key;
    if (isReview(kind)) return { changes: [], ...(await reviews.describe({ kind, id, event })), kind, id };
    return { ...(await changeOf(dependencies, resources, { kind, id, event }, upTo, 'operator')), kind, id };
  };

  async function ofUser(event: RecordedEvent): Promise<Described | null> {
    const id = Number(event.stream.slice(USER_PREFIX.length));
    if (!Number.isSafeInteger(id)) return null;
    const entry = (await historyOf(id)).find(({ revision }) => revision === event.revision);
    return entry ? { ...entry, kind: 'user', id } : null;
  }
}
