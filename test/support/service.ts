// The whole service in one process, over SQLite, with a clock that stands where the test puts it.
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import { openStores } from '../../src/composition.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { ZoneRules } from '../../src/kernel/time/zone.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { ROLES, type Role } from '../../src/people/auth/caller.ts';
import { newSecret } from '../../src/people/auth/passwords.ts';
import { addUser, passwordOf } from '../../src/people/users/commands/users.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { type Service, startService } from '../../src/service.ts';
import type { Stores } from '../../src/stores.ts';
import { cheapHash } from './cheap-hash.ts';
import { contextAt } from './events.ts';

/** 2026-11-20 12:00:00 UTC. */
export const NOON = Date.UTC(2026, 10, 20, 12) / 1000;
export const PREFIX = '/calendar/events/v1';
export const ROOT = 'http://cal.example/calendar/events/v1';

/** The caller: one of the users that every service starts with, or anonymous. `other…` share a role, not the posts. */
export type As = Role | 'anonymous' | 'otherAuthor' | 'otherContributor';

/** What JSON.parse makes of a body whose shape the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly text: string;
  /** The parsed body; undefined when there is none, and of pages. */
  readonly body: Body;
}

type Settings = { readonly [name: string]: string };

export interface ServiceOptions {
  readonly environment?: Settings;
  /** Puts something between the service and its stores. */
  readonly wrap?: (stores: Stores) => Stores;
  /** Of the process; without them it does not follow any. */
  readonly zoneRules?: ZoneRules;
  /** When its users were added; `NOON` when not given. */
  readonly usersSince?: number;
  /** The service from whose log this one's was copied: its users are there. */
  readonly copiedFrom?: Pick<TestService, 'userId' | 'authorization'>;
}

export type SendHeaders = { readonly [name: string]: string };

export interface TestService {
  readonly config: Config;
  readonly service: Service;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  readonly stores: Stores;
  /** Lines that the service logged, parsed. */
  readonly logged: Body[];
  /** The service's time, in UTC seconds; a test sets it. */
  readonly clock: { at: number; now(): number };
  /** `target` below the prefix, or a whole path when it begins with `//`. A body that is no text or bytes goes as JSON. */
  request(as: As, method: string, target: string, body?: unknown, headers?: SendHeaders): Promise<Answer>;
  get(target: string, as?: As, headers?: SendHeaders): Promise<Answer>;
  /** Creates something that must be created, and answers its body. */
  created(as: As, collection: string, body: object): Promise<Body>;
  userId(as: As): number;
  authorization(as: As): string;
  close(): Promise<void>;
}

const USERS: readonly (readonly [As, Role])[] = [
  ...ROLES.map((role) => [role, role] as const),
  ['otherAuthor', 'author'],
  ['otherContributor', 'contributor'],
];

interface Signed {
  readonly id: number;
  readonly authorization: string;
}

const SECRET = newSecret();
const HASH = cheapHash(SECRET);

async function addUsers(store: EventStore, since: number): Promise<Map<As, Signed>> {
  const users = new Map<As, Signed>();
  const dependencies = { store, newEventId: randomUUID, newSecret: () => SECRET, hashSecret: async () => HASH };
  for (const [login, role] of USERS) {
    const added = await addUser(dependencies, contextAt(since), { login, email: '', name: login, label: 'test', role });
    if (added.kind === 'rejected') throw new Error(`cannot add ${login}: ${added.rejection.code}`);
    const { written } = added;
    users.set(login, { id: written.id, authorization: `Bearer ${passwordOf(written)}` });
  }
  return users;
}

const usersOf = ({ userId, authorization }: Pick<TestService, 'userId' | 'authorization'>): Map<As, Signed> =>
  new Map(USERS.map(([as]) => [as, { id: userId(as), authorization: authorization(as) }]));

/** A folder that is gone when `remove` has been called. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

let keysFolder: string | null = null;

/** The keys of a log on a server, for all services on it; a file in the project would be that of the next log as well. */
function keysBeside({ DAYBOOK_EVENT_STORE: eventStore = '', DAYBOOK_DATA_DIR: dataDir }: Settings): Settings {
  if (eventStore === '' || eventStore.startsWith('sqlite:') || dataDir !== undefined) return {};
  if (keysFolder === null) {
    const { folder, remove } = temporaryFolder();
    keysFolder = folder;
    process.once('exit', remove);
  }
  return {
    DAYBOOK_KEYS: `sqlite:${path.join(keysFolder, `${createHash('sha256').update(eventStore).digest('hex')}.db`)}`,
  };
}

/** Starts a service on an empty log. Views stand in memory, the log in a file unless the environment says otherwise. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const { environment = {}, wrap = (stores: Stores) => stores, zoneRules = null, usersSince = NOON } = options;
  const { copiedFrom } = options;
  const config = readConfig({
    DAYBOOK_EVENT_STORE: 'sqlite::memory:',
    DAYBOOK_READ_MODEL: 'sqlite::memory:',
    DAYBOOK_LOG_LEVEL: 'error',
    DAYBOOK_MEDIA: path.join(tmpdir(), `daybook-test-media-${randomUUID()}`),
    ...keysBeside(environment),
    ...environment,
  });
  const stores = await openStores(config);
  const users = copiedFrom ? usersOf(copiedFrom) : await addUsers(stores.store, usersSince);
  const logged: Body[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const clock = { at: NOON, now: () => clock.at };
  const service = await startService(config, wrap(stores), log, { clock, zoneRules });

  function signed(as: As): Signed {
    const user = users.get(as);
    if (!user) throw new Error(`${as} is no user`);
    return user;
  }

  async function request(as: As, method: string, target: string, body?: unknown, headers: SendHeaders = {}) {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const injected: InjectOptions = {
      // biome-ignore lint/suspicious/noExplicitAny: unknown methods are tried, too
      method: method as any,
      url: target.startsWith('//') ? target.slice(1) : PREFIX + target,
      headers: {
        host: 'cal.example',
        ...(as === 'anonymous' ? {} : { authorization: signed(as).authorization }),
        ...(isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: isRaw ? Buffer.from(body as string | Uint8Array) : JSON.stringify(body) }),
    };
    const answer = await service.app.inject(injected);
    const texts = Object.entries(answer.headers).map(([name, value]) => [name, value && String(value)]);
    const text = answer.payload;
    const isJson = String(answer.headers['content-type'] ?? 'json').includes('json');
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(texts) as Answer['headers'],
      text,
      body: text === '' || !isJson ? undefined : JSON.parse(text),
    };
  }

  return {
    config,
    service,
    store: stores.store,
    readModel: stores.readModel,
    stores,
    logged,
    clock,
    request,
    get: (target, as = 'anonymous', headers = {}) => request(as, 'GET', target, undefined, headers),
    async created(as, collection, body) {
      const answer = await request(as, 'POST', `/${collection}`, body);
      if (answer.status !== 201) throw new Error(`POST /${collection} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    userId: (as) => signed(as).id,
    authorization: (as) => signed(as).authorization,
    async close() {
      await service.close();
      if (environment.DAYBOOK_MEDIA === undefined) rmSync(config.mediaDir, { recursive: true, force: true });
    },
  };
}

/** Of a list: without it `someEvent` is in lists of processes, which live on the day of the run, until it is over. */
export const ON_ANY_DAY = 'start_date=2000-01-01&end_date=2100-01-01';

/** An event's required fields; what matters to the test goes on top. */
export const someEvent = (members: object = {}): object => ({
  title: 'Open rehearsal',
  start_date: '2026-12-21 10:00:00',
  end_date: '2026-12-21 12:00:00',
  ...members,
});
