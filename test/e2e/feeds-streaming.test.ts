// Long calendars over real connections, and the same calendar from several services.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { startService } from '../../src/service.ts';
import type { Stores } from '../../src/stores.ts';
import { openStores } from '../../src/wiring.ts';
import { ask } from '../feeds/feed-client.ts';
import { readCalendar } from '../feeds/ical-reader.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { NOON, PREFIX, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const COUNT = 1_200;
/** More than connections take in on their own. */
const LONG = 'A long word of many. '.repeat(600);

const test = suite('long feeds');

let daybook: TestService;
let root: string;
/** What the read model was asked for since. */
const fetched = { pages: 0, largest: 0 };
/** Done once before the next fetch of a page of events. */
let interfere: (() => Promise<unknown>) | null = null;
const { folder, remove } = temporaryFolder();
const environment = { DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}` };

function watched(stores: Stores): Stores {
  const { readModel } = stores;
  const fetch: ReadModel['fetch'] = async (keys) => {
    if (keys.length > 1 && keys.every(({ kind }) => kind === 'event')) {
      fetched.pages += 1;
      fetched.largest = Math.max(fetched.largest, keys.length);
      const work = interfere;
      interfere = null;
      if (work) await work();
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
  Object.assign(fetched, { pages: 0, largest: 0 });
  interfere = null;
});
test.after(async () => {
  await daybook.close();
  remove();
});

async function open(target: string): Promise<IncomingMessage> {
  const sent = request(`${root}${PREFIX}${target}`, { headers: { host: 'cal.example' }, agent: false });
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
  for (let before = -1; fetched.pages !== before; ) {
    before = fetched.pages;
    await pause(100);
  }
}

test('more than a thousand events come on one page, each once, a few in memory at a time', async () => {
  const text = await all(await open('/events.ics'));
  const { events } = readCalendar(text);
  assert.is(events.length, COUNT);
  assert.is(new Set(events.map((event) => event.value('uid'))).size, COUNT);
  assert.is(fetched.largest, 50);
  assert.is(fetched.pages, COUNT / 50);
});

test('a reader that takes nothing holds back what is made', async () => {
  const response = await open('/events.ics');
  response.pause();
  await rest();
  assert.ok(fetched.pages < COUNT / 50, `${fetched.pages} pages`);
  assert.is(readCalendar(await all(response)).events.length, COUNT);
});

test('a reader that goes ends it', async () => {
  const response = await open('/events.ics');
  await once(response, 'data');
  response.destroy();
  await rest();
  assert.ok(fetched.pages < COUNT / 50, `${fetched.pages} pages`);
});

test('who has the calendar costs no event', async () => {
  const { headers } = await ask(daybook, '/events.ics', 'nobody', {}, 'HEAD');
  assert.is(fetched.pages, 0);
  const again = await ask(daybook, '/events.ics', 'nobody', { 'if-none-match': headers.etag ?? '' });
  assert.is(again.status, 304);
  assert.is(fetched.pages, 0);
});

test('what changes in the middle is told as it is by then, what is gone is left out, and nothing is told twice', async () => {
  const { events } = readCalendar((await ask(daybook, '/events.ics')).text);
  const idOf = (index: number) => Number(/\d+/.exec(events[index]?.value('uid') ?? '')?.[0]);
  const [moved, gone, named, zoned] = [idOf(0), idOf(600), idOf(700), idOf(800)];
  interfere = async () => {
    await daybook.request('editor', 'PATCH', `/events/${moved}`, { start_date: '2027-02-01', end_date: '2027-02-01' });
    await daybook.request('editor', 'DELETE', `/events/${gone}`);
    await daybook.request('editor', 'PATCH', `/events/${named}`, { title: 'Renamed' });
    await daybook.request('editor', 'PATCH', `/events/${zoned}`, { timezone: 'Pacific/Apia' });
  };
  const response = await open('/events.ics');
  const text = await all(response);
  const told = readCalendar(text);
  assert.is(told.events.length, COUNT - 1);
  assert.is(new Set(told.events.map((event) => event.value('uid'))).size, COUNT - 1);
  const byId = (id: number) => told.events.find((event) => event.value('uid') === `event-${id}@cal.example`);
  assert.is(byId(named)?.value('summary'), 'Renamed');
  assert.not.ok(told.zones.includes('Pacific/Apia'), 'its zone was not described');
  const { body } = await daybook.get(`/events/${zoned}`);
  assert.is(byId(zoned)?.startsAt, Date.parse(`${body.utc_start_date}Z`) / 1000);
  const now = await ask(daybook, '/events.ics', 'nobody', { 'if-none-match': response.headers.etag ?? '' });
  assert.is(now.status, 200, 'its tag is that of before');
});

test('a calendar that cannot be told to its end does not look as if it had been', async () => {
  interfere = async () => {
    throw new Error('the views are away');
  };
  const outcome = await open('/events.ics')
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
