// A log in memory that is really one, and readers of its feed.
import { randomUUID } from 'node:crypto';
import { allProjections } from '../../../projections/catalogue.ts';
import {
  type ChangeEntry,
  type Changes,
  type ChangesDependencies,
  openChanges,
} from '../../../src/editorial/audit/queries/changes.ts';
import { EVERYTHING, type Selection, selectionOf } from '../../../src/editorial/audit/queries/selection.ts';
import type { HistoryReader } from '../../../src/editorial/history/queries/reference-names.ts';
import type { EventMetadata, Json, Position, RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import type { Role } from '../../../src/people/auth/caller.ts';
import { endOf } from '../../support/ends.ts';
import { NOW } from '../../support/given.ts';
import { DISPLAY, eventDrafted, termCreated, venueDrafted } from './history/given-log.ts';

export interface ChangesLog {
  readonly store: EventStore;
  readonly dependencies: ChangesDependencies;
  readonly changes: Changes;
  add(stream: string, type: string, data?: object, metadata?: Partial<EventMetadata>): Promise<Position>;
  /** What lies in the log, all streams. */
  all(): Promise<readonly RecordedEvent[]>;
}

/** `wrap` puts something between the log and its readers. */
export function openChangesLog(
  wrap: (store: EventStore) => EventStore = (store) => store,
  store: EventStore = openSqliteEventStore({ file: ':memory:' }),
): ChangesLog {
  const dependencies = { store: wrap(store), foldings: allProjections(DISPLAY), display: DISPLAY };
  // Tests add many facts without waiting for each, and each continues its stream where the one before it ended.
  let before: Promise<unknown> = Promise.resolve();
  return {
    store,
    dependencies,
    changes: openChanges(dependencies),
    add(stream, type, data = {}, metadata = {}) {
      const event = {
        id: randomUUID(),
        type,
        schemaVersion: 1,
        data: data as Json,
        metadata: {
          actor: { id: 2, name: 'ann' },
          instant: new Date(NOW * 1000).toISOString(),
          correlationId: 'request-1',
          causationId: 'request-1',
          ...metadata,
        },
      };
      const position = before.then(async () => {
        const outcome = await store.append([{ stream, expected: await endOf(store, stream), events: [event] }]);
        if (outcome.kind === 'conflict') throw new Error(`conflict on ${stream}`);
        return outcome.written[0]?.position ?? '';
      });
      before = position;
      return position;
    },
    all: () => store.readAll({ after: '', limit: 100_000 }),
  };
}

export const reader = (role: Role, id: number): HistoryReader => ({
  caller: { id, login: `${role}${id}`, name: role, role },
});

export const EDITOR = reader('editor', 2);

export function select(...words: string[]): Selection {
  const selection = selectionOf(words);
  if ('unknown' in selection) throw new Error(`${selection.unknown} is nothing to select`);
  return selection;
}

interface Reading {
  readonly after?: Position;
  readonly selection?: Selection;
  readonly limit?: number;
}

/** All that the feed tells this reader, page after page. */
export async function readOn(changes: Changes, who: HistoryReader, reading: Reading = {}): Promise<ChangeEntry[]> {
  const { selection = EVERYTHING, limit = 100 } = reading;
  const told: ChangeEntry[] = [];
  let after = reading.after ?? '';
  for (;;) {
    const page = await changes.page({ after, selection, reader: who, limit });
    if (page.next < after || page.changes.length > limit) throw new Error('a page goes back, or on for too long');
    told.push(...page.changes);
    after = page.next;
    if (!page.hasMore) return told;
  }
}

/** A venue, a tag and the events 1 and 2 of the authors 3 and 4, with registers and users between them. */
export async function fillSome({ add }: ChangesLog): Promise<void> {
  await add('user-3', 'UserAdded', { hash: 'scrypt$secret' });
  await add('ids-post', 'IdsReserved');
  await add('venue-4', 'VenueDrafted', venueDrafted({ author: 3 }));
  await add('tag-9', 'TagCreated', termCreated());
  await add('slug-event-open-rehearsal', 'SlugReserved');
  await add('event-1', 'EventDrafted', eventDrafted({ id: 1, author: 3 }));
  await add('event-2', 'EventDrafted', eventDrafted({ id: 2, author: 4 }));
  await add('event-1', 'EventRetitled', { title: 'Concert' }, { reason: 'a slip' });
  await add('event-2', 'EventPasswordSet', { hash: 'scrypt$1' });
  await add('tag-9', 'TagRenamed', { name: 'Noise' });
  await add('event-1', 'EventMoved', { venues: [{ id: 4, life: 0 }] });
  await add('ids-post', 'IdsReserved');
}
