// A log with its keys, both in files, opened as often as there are processes.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Json, LOG_START, type NewEvent, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { createLogChecker } from '../../../src/log/hash-chain/verify.ts';
import { openSqliteEventStore } from '../../../src/log/sqlite/store.ts';
import { currentSchemaVersion } from '../../../src/log/upcasting/upcast.ts';
import {
  type KeyRing,
  openKeyRing,
  openUnreadable,
  type Unreadable,
} from '../../../src/people/personal-data/facts/key-ring.ts';
import { openSqliteKeys } from '../../../src/people/personal-data/facts/sqlite-keys.ts';
import { newEvent, temporaryDirectory } from '../../support/events.ts';
import { withHashChain, withPersonalData } from '../../support/pipelines.ts';

export interface OpenedLog {
  readonly keys: KeyRing;
  /** As it is stored. */
  readonly sealed: EventStore;
  readonly store: EventStore;
  readonly unreadable: Unreadable;
}

export interface GivenLog extends OpenedLog {
  readonly directory: string;
  readonly logFile: string;
  readonly keysFile: string;
  /** For another process, whose clock stands unless `elapsed` moves it. */
  open(elapsed?: () => number, keysFile?: string): OpenedLog;
  /** Everything as it is stored, as one text. */
  text(): Promise<string>;
  /** How many events do not fit the chain of hashes. */
  misfits(): Promise<number>;
  remove(): Promise<void>;
}

export async function givenLog(): Promise<GivenLog> {
  const { directory, remove } = await temporaryDirectory();
  const logFile = join(directory, 'log.db');
  const ownKeys = join(directory, 'keys.db');
  const opened: OpenedLog[] = [];

  function open(elapsed = () => performance.now(), keysFile = ownKeys): OpenedLog {
    const keys = openKeyRing(openSqliteKeys({ file: keysFile }), { elapsed });
    const sealed = withHashChain(openSqliteEventStore({ file: logFile }));
    const unreadable = openUnreadable();
    const one = { keys, sealed, unreadable, store: withPersonalData(sealed, keys, unreadable) };
    opened.push(one);
    return one;
  }

  const own = open();
  return {
    ...own,
    directory,
    logFile,
    keysFile: ownKeys,
    open,
    text: async () => JSON.stringify(await everything(own.sealed)),
    async misfits() {
      const checker = createLogChecker({ newestVersion: currentSchemaVersion });
      for (const event of await everything(own.sealed)) checker.check(event);
      return checker.report().misfits;
    },
    async remove() {
      for (const { store } of opened) await store.close();
      await remove();
    },
  };
}

const everything = (store: EventStore): Promise<readonly RecordedEvent[]> =>
  store.readAll({ after: LOG_START, limit: 1_000 });

export const drafted = (data: object = {}): NewEvent =>
  newEvent('OrganizerDrafted', {
    id: 7,
    name: 'Ann Archer',
    slug: 'ann-archer',
    phone: '555-0199',
    website: '',
    email: 'ann@example.org',
    description: 'A choir.',
    image: null,
    ...data,
  } as Json);

export const append = (store: EventStore, stream: string, expected: 'no_stream' | number, ...events: NewEvent[]) =>
  store.append([{ stream, expected, events }]);

/** As in a copy of the keys that is older than the subject. */
export function loseKey({ keysFile }: Pick<GivenLog, 'keysFile'>, subject: string): void {
  const db = new Sqlite(keysFile);
  db.prepare('DELETE FROM subjects WHERE subject = ?').run(subject);
  db.close();
}
