// Long calendars over real connections, and the same calendar from several services.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { startService } from '../../src/service.ts';
import type { Stores } from '../../src/stores.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { NOON, PREFIX, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';
import { ask } from '../unit/http/feeds/feed-client.ts';
import { readCalendar } from '../unit/http/feeds/ical-reader.ts';

const COUNT = 400;
/** More than connections take in on their own. One word, because each word of a text costs its reader and its writer something. */
const LONG = 'A-long-word-of-many-'.repeat(1_200);

const test = suite('long feeds');

let daybook: TestService;
let root: string;
/** How many events the read model was asked for since. */
const fetched = { events: 0, largest: 0 };
/** Done once before the first event is written. */
let interfere: (() => Promise<unknown>) | null = null;
/** No event can be read any more once the first ones have been written. */
let isAway = false;
const { folder, remove } = temporaryFolder();
const environment = { DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}` };

function watched(stores: Stores): Stores {
  const { readModel } = stores;
  const fetch: ReadModel['fetch'] = async (keys) => {
    if (keys.length > 0 && keys.every(({ kind }) => kind === 'event')) {
      if (fetched.events >= COUNT && interfere) {
        const work = interfere;
        interfere = null;
        await work();
      }
      if (isAway && fetched.events > COUNT) throw new Error('the views are away');
      fetched.events += keys.length;
      fetched.largest = Math.max(fetched.largest, keys.length);
    }
    return readModel.fetch(keys);
  };
  return { ...stores, readModel: { ...readModel, fetch } };
}

test.before(async () => {
  daybook = await startTestService({ environment, wrap: watched });
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'];
  for (let first = 0; first < COUNT; first += 50) {
    const group = Array.from({ length: 50 }, (_, index) => first + index);
    await Promise.all(
      group.map((n) =>
        daybook.created(
          'editor',
          'events',
          someEvent({
            title: `Concert ${n}`,
            start_date: `2026-12-${String(1 + (n % 28)).padStart(2, '0')} 10:00:00`,
            end_date: `2026-12-${String(1 + (n % 28)).padStart(2, '0')} 11:00:00`,
            timezone: zones[n % zones.length],
            description: LONG,
          }),
        ),
      ),
    );
  }
  root = await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
});
test.before.each(() => {
  Object.assign(fetched, { events: 0, largest: 0 });
  interfere = null;
  isAway = false;
});
test.after(async () => {
  await daybook.close();
  remove();
});

async function open(host = 'cal.example', headers: { readonly [name: string]: string } = {}): Promise<IncomingMessage> {
  const sent = request(`${root}${PREFIX}/events.ics`, { headers: { host, ...headers }, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  return response;
}

/** Everything; throws when the connection ends before the answer does. */
async function all(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Resolves when nothing more is fetched. */
async function rest(): Promise<void> {
  for (let before = -1; fetched.events !== before; ) {
    before = fetched.events;
    await pause(100);
  }
}

/** A host of no earlier request: its links make another calendar. */
let hosts = 0;
const another = (): string => {
  hosts += 1;
  return `calendar-${hosts}.example`;
};

test('hundreds of events come on one page, each once, a few in memory at a time', async () => {
  const text = await all(await open(another()));
  const { events } = readCalendar(text);
  assert.is(events.length, COUNT);
  assert.is(new Set(events.map((event) => event.value('uid'))).size, COUNT);
  assert.ok(fetched.largest <= 50);
  assert.is(fetched.events, 2 * COUNT, 'once for the tag, once for the text');
});

test('a calendar is written once for concurrent and for later readers', async () => {
  const host = another();
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, async () => all(await open(host))));
  assert.ok(others.every((text) => text === first));
  assert.ok(fetched.events <= 2 * COUNT, `${fetched.events} events`);
  Object.assign(fetched, { events: 0 });
  assert.ok((await all(await open(host))) === first);
  assert.is(fetched.events, 0);
});

test('a write elsewhere does not make a calendar be written again', async () => {
  const host = another();
  const text = await all(await open(host));
  await daybook.created('editor', 'venues', { venue: 'Elsewhere' });
  Object.assign(fetched, { events: 0 });
  assert.ok((await all(await open(host))) === text);
  assert.is(fetched.events, COUNT, 'for the tag alone');
});

test('readers that begin again and again keep no other waiting', async () => {
  let isDone = false;
  const loop = async (): Promise<void> => {
    while (!isDone) await all(await open(another()));
  };
  const looping = Array.from({ length: 2 }, loop);
  const statuses: number[] = [];
  const waited: number[] = [];
  for (let read = 0; read < 5; read++) {
    const asked = performance.now();
    statuses.push((await ask(daybook, `/venues?per_page=${read + 1}`)).status);
    waited.push(performance.now() - asked);
  }
  isDone = true;
  await Promise.all(looping);
  assert.ok(statuses.every((status) => status === 200));
  waited.sort((one, other) => one - other);
  assert.ok((waited[2] ?? 0) < 500, `${waited[2]} ms, the median of them`);
});

test('a reader that reads nothing holds back production', async () => {
  const response = await open(another());
  response.pause();
  await rest();
  assert.ok(fetched.events < 2 * COUNT, `${fetched.events} events`);
  assert.is(readCalendar(await all(response)).events.length, COUNT);
});

test('a reader that goes ends it', async () => {
  const response = await open(another());
  await once(response, 'data');
  response.destroy();
  await rest();
  assert.ok(fetched.events < 2 * COUNT, `${fetched.events} events`);
});

test('revalidating a calendar reads no event', async () => {
  const { headers } = await ask(daybook, '/events.ics', 'anonymous', {}, 'HEAD');
  Object.assign(fetched, { events: 0 });
  const again = await ask(daybook, '/events.ics', 'anonymous', { 'if-none-match': headers.etag ?? '' });
  assert.is(again.status, 304);
  assert.is(fetched.events, 0);
});

test('events changed meanwhile are in their new state, removed ones left out, and none is sent twice', async () => {
  const { events } = readCalendar((await ask(daybook, '/events.ics')).text);
  const idOf = (index: number) => Number(/\d+/.exec(events[index]?.value('uid') ?? '')?.[0]);
  const [moved, gone, named, zoned] = [idOf(0), idOf(200), idOf(250), idOf(300)];
  interfere = async () => {
    await daybook.request('editor', 'PATCH', `/events/${moved}`, { start_date: '2027-02-01', end_date: '2027-02-01' });
    await daybook.request('editor', 'DELETE', `/events/${gone}`);
    await daybook.request('editor', 'PATCH', `/events/${named}`, { title: 'Renamed' });
    await daybook.request('editor', 'PATCH', `/events/${zoned}`, { timezone: 'Pacific/Apia' });
  };
  Object.assign(fetched, { events: 0 });
  const host = another();
  const response = await open(host);
  const text = await all(response);
  const told = readCalendar(text);
  assert.is(told.events.length, COUNT - 1);
  assert.is(new Set(told.events.map((event) => event.value('uid'))).size, COUNT - 1);
  const byId = (id: number) => told.events.find((event) => event.value('uid') === `event-${id}@${host}`);
  assert.is(byId(named)?.value('summary'), 'Renamed');
  assert.not.ok(told.zones.includes('Pacific/Apia'), 'its zone was not described');
  const { body } = await daybook.get(`/events/${zoned}`);
  assert.is(byId(zoned)?.startsAt, Date.parse(`${body.utc_start_date}Z`) / 1000);
  const now = await open(host, { 'if-none-match': response.headers.etag ?? '' });
  assert.is(now.statusCode, 200, 'its tag is that of before');
  await all(now);
});

test('a truncated calendar does not look complete', async () => {
  isAway = true;
  const outcome = await open(another())
    .then(all)
    .then(
      () => 'all of it',
      () => 'cut off',
    );
  assert.is(outcome, 'cut off');
});

test('after a restart, and with other views, the same calendar has the same bytes and the same tag', async () => {
  const redis = await startRedisServer();
  const paths = ['/events.ics', '/events.rss', '/events.atom', '/events.ics?search=concert+7'];
  const read = async (asked: Pick<TestService, 'service' | 'authorization'>) => {
    const answers = [];
    for (const target of paths) answers.push(await ask(asked, target));
    return answers.map(({ text, headers }) => ({ text, etag: headers.etag }));
  };
  const expected = await read(daybook);
  for (const readModel of ['sqlite::memory:', redis.url]) {
    const config = readConfig({ ...environment, DAYBOOK_READ_MODEL: readModel, DAYBOOK_LOG_LEVEL: 'silent' });
    const stores = await openStores(config);
    const service = await startService(config, stores, pino({ level: 'silent' }), { clock: { now: () => NOON } });
    const told = await read({ service, authorization: () => '' });
    for (const [index, { text, etag }] of told.entries()) {
      assert.is(etag, expected[index]?.etag, `${readModel} ${paths[index]}`);
      assert.ok(text === expected[index]?.text, `${readModel} ${paths[index]}`);
    }
    await service.close();
  }
  await redis.stop();
});

test.run();
