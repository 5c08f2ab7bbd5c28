// A real Varnish between readers and a service, and `daybook purge` beside it. Left out where Varnish is not installed.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { purgeCommand } from '../../src/cli/purge.ts';
import { type Front, installed, VARNISH } from '../support/fronts.ts';
import { perform } from '../support/perform.ts';
import { type Body, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const test = suite('Varnish in front');
const isThere = installed([VARNISH]).here.length > 0;

const PREFIX = '/calendar/events/v1';
const { folder, remove } = temporaryFolder();
const stopping = new AbortController();
const purged: string[] = [];
let varnish: Front;
let daybook: TestService;
let front = '';
let own = '';
let purging: Promise<unknown> = Promise.resolve();

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly isFromCache: boolean;
}

async function get(target: string, headers: { readonly [name: string]: string } = {}): Promise<Got> {
  const answer = await fetch(`${front}${PREFIX}${target}`, { headers });
  const isFromCache = VARNISH.isFromCache(answer.headers);
  return { status: answer.status, text: await answer.text(), headers: answer.headers, isFromCache };
}

const purge = () =>
  perform(purgeCommand, [front, '--state', path.join(folder, 'position')], {
    calendar: { root: `${own}${PREFIX}`, token: daybook.authorization('administrator').replace('Bearer ', '') },
    ...{ ownState: '', pauseMs: 20, signal: stopping.signal },
    out: (line) => void purged.push(line),
    warn: () => {},
  });

/**
 * Waits for the last purge: that of an event just created. Each purge is repeated, and only then its position written:
 * the repetition drops what was read in between.
 */
async function purgedTwice(last: number): Promise<void> {
  await until(() => purged.some((line) => line.includes(`event-${last}`)));
  await until(() => readFileSync(path.join(folder, 'position'), 'utf8') === purged.at(-1)?.split(':')[0]);
}

const change = async (target: string, body: object): Promise<void> => {
  const { status } = await daybook.request('administrator', 'PATCH', target, body);
  assert.is(status, 200);
};

if (isThere) {
  test.before(async () => {
    daybook = await startTestService({ environment: { DAYBOOK_CACHE_SECONDS: '3600' } });
    await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = daybook.service.app.server.address() as { readonly port: number };
    own = `http://127.0.0.1:${port}`;
    varnish = await VARNISH.start(port, folder);
    front = varnish.address;
    purging = purge();
    await until(() => purged.length > 0);
  });

  test('the public is answered from the cache, each reader with credentials is not', async () => {
    const created: Body = await daybook.created('editor', 'events', someEvent({ title: 'Concert' }));
    const draft: Body = await daybook.created(
      'editor',
      'events',
      someEvent({ title: 'Secret plans', status: 'draft' }),
    );
    const locked: Body = await daybook.created(
      'editor',
      'events',
      someEvent({ title: 'Locked', password: 'open', description: 'Hidden' }),
    );
    await until(() => purged.some((line) => line.includes(`event-${locked.id}`)));
    const authorization = daybook.authorization('editor');
    const targets = [
      '/events',
      `/events/${created.id}`,
      '/events?search=plans',
      '/events?status=any',
      `/events/${draft.id}`,
    ];
    for (const target of [...targets, `/events/${locked.id}`, `/events/${locked.id}?password=open`]) {
      // The public before and after a reader with rights: neither gets what is the other's.
      const before = await get(target);
      const signed = await get(target, { authorization });
      assert.is(signed.isFromCache, false, target);
      assert.match(signed.headers.get('cache-control') ?? '', /no-store/, target);
      const after = await get(target);
      assert.is(after.status, before.status, target);
      assert.is(after.text, before.text, target);
      assert.not.match(after.text, /Secret plans/);
      if (!target.includes('password')) assert.not.match(after.text, /Hidden/);
    }
    assert.is((await get('/events')).isFromCache, true);
    assert.is((await get(`/events/${created.id}`)).isFromCache, true);
    assert.is((await get(`/events/${locked.id}?password=open`)).isFromCache, false);
    assert.is((await get('/events', { cookie: 'visitor=1' })).isFromCache, true);
  });

  test('a change is seen although an hour is allowed, and what it does not touch stays', async () => {
    const venue = await daybook.created('editor', 'venues', { venue: 'Town Hall' });
    const event = await daybook.created('editor', 'events', someEvent({ title: 'Reading', venue: venue.id }));
    const other = await daybook.created('editor', 'events', someEvent({ title: 'Lecture' }));
    await purgedTwice(other.id);
    for (const target of ['/events', `/events/${event.id}`, `/events/${other.id}`]) await get(target);
    await change(`/venues/${venue.id}`, { venue: 'Great Hall' });
    await until(async () => (await get(`/events/${event.id}`)).text.includes('Great Hall'));
    await until(async () => (await get('/events')).text.includes('Great Hall'));
    assert.is((await get(`/events/${other.id}`)).isFromCache, true);
    await change(`/events/${event.id}`, { title: 'Poetry' });
    await until(async () => (await get('/events')).text.includes('Poetry'));
    await change(`/events/${event.id}`, { status: 'draft' });
    await until(async () => (await get(`/events/${event.id}`)).status === 403);
    await until(async () => !(await get('/events')).text.includes('Poetry'));
  });

  test('only this machine may purge, and only by names', async () => {
    const asked = (key: string) => fetch(front, { method: 'PURGE', headers: { 'surrogate-key': key } });
    assert.is((await asked('list')).status, 200);
    assert.is((await asked('list) || obj.status ~ (')).status, 400);
    assert.is((await asked('')).status, 400);
  });

  test('readers go on while the service is away', async () => {
    const last: Body = await daybook.created('editor', 'events', someEvent({ title: 'Farewell' }));
    await purgedTwice(last.id);
    const { text } = await get('/events');
    await daybook.service.app.close();
    for (let round = 0; round < 20; round += 1) {
      const answer = await get('/events');
      assert.is(answer.status, 200);
      assert.is(answer.text, text);
    }
    assert.is((await get('/events?page=7')).status, 503);
  });

  test.after(async () => {
    stopping.abort();
    await purging;
    await varnish.stop();
    await daybook.close().catch(() => {});
    remove();
  });
} else console.log('Left out: varnishd is not installed.');

test.run();
