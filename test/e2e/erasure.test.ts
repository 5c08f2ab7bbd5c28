// What is left of a person after `daybook erase`, which runs while the service does. Of organizers and of users one test each
// runs it in another process, as operators do; the others in that of the test.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { runHere } from '../support/here.ts';
import { daybook as command } from '../support/process.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import {
  type As,
  type Body,
  someEvent,
  startTestService,
  type TestService,
  temporaryFolder,
} from '../support/service.ts';

interface Place {
  readonly settings: { readonly [name: string]: string };
  /** Everything that is stored, as bytes: keys, views, the log. Ends the service where it keeps a journal. */
  bytes(daybook: TestService): Promise<Buffer>;
  remove(): Promise<void>;
}

const filesIn = (folder: string): Buffer =>
  Buffer.concat(readdirSync(folder).map((name) => readFileSync(path.join(folder, name))));

const inRedis = ({ with: using }: RedisServer, database: number): Promise<Buffer> =>
  using(async (redis) => {
    await redis.select(database);
    const contents = (await redis.keys('*')).map(async (key) => [Buffer.from(key), await redis.dumpBuffer(key)]);
    return Buffer.concat((await Promise.all(contents)).flat().filter((bytes) => bytes !== null));
  });

const logOf = async ({ stores }: TestService): Promise<Buffer> =>
  Buffer.from(JSON.stringify(await stores.rawLog.readAll({ after: LOG_START, limit: 10_000 })));

async function files(): Promise<Place> {
  const { folder, remove } = temporaryFolder();
  const settings = {
    DAYBOOK_DATA_DIR: folder,
    DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'log.db')}`,
    DAYBOOK_READ_MODEL: `sqlite:${path.join(folder, 'views.db')}`,
  };
  return {
    settings,
    async bytes(daybook) {
      await daybook.close();
      return filesIn(folder);
    },
    remove: async () => remove(),
  };
}

async function servers(): Promise<Place> {
  const [events, redis] = await Promise.all([startEventStoreDb(), startRedisServer('--rdbcompression', 'no')]);
  const settings = {
    DAYBOOK_EVENT_STORE: events.connectionString,
    DAYBOOK_READ_MODEL: redis.url,
    DAYBOOK_KEYS: `${redis.url}/1`,
  };
  return {
    settings,
    bytes: async (daybook) => Buffer.concat([await logOf(daybook), await inRedis(redis, 0), await inRedis(redis, 1)]),
    async remove() {
      await redis.stop();
      await events.stop();
    },
  };
}

const OLD = [
  'Ann Archer',
  'ann-archer',
  'Archer',
  '555-0199',
  'ann@example.org',
  'second@example.org',
  'third@example.org',
];

interface Context {
  place: Place;
  daybook: TestService;
}

for (const [name, open] of Object.entries({ 'SQLite files': files, 'EventStoreDB and Redis': servers })) {
  const test = suite<Context>(`erasure over ${name}`);

  test.before.each(async (context) => {
    context.place = await open();
    context.daybook = await startTestService({ environment: context.place.settings });
    // The other process has a clock of its own.
    context.daybook.clock.at = Math.floor(Date.now() / 1000) - 3_600;
  });
  test.after.each(async ({ daybook, place }) => {
    await daybook.close();
    await place.remove();
  });

  /** What does not depend on where events and documents are stored is tried in one place. */
  const once: typeof test | (() => void) = open === files ? test : () => {};

  async function runElsewhere({ place }: Context, ...args: string[]): Promise<string> {
    const { ended, out, errors } = command(args, place.settings);
    assert.is(await ended, 0, errors());
    return out();
  }

  async function run({ place }: Context, ...args: string[]): Promise<string> {
    const { code, out } = await runHere(args, place.settings);
    assert.is(code, 0, out);
    return out;
  }

  const nextYear = (): object => {
    const year = new Date().getUTCFullYear() + 1;
    return { start_date: `${year}-12-21 10:00:00`, end_date: `${year}-12-21 12:00:00` };
  };

  const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');

  /** An organizer whose e-mail address was changed twice, an event that shows it, and an instant before all that ended. */
  async function someHistory({ daybook }: Context) {
    const organizer = await daybook.created('editor', 'organizers', {
      organizer: 'Ann Archer',
      phone: '555-0199',
      email: 'ann@example.org',
      description: 'A choir.',
    });
    const event = await daybook.created('editor', 'events', someEvent({ ...nextYear(), organizer: organizer.id }));
    const { id } = organizer;
    const before = iso(daybook.clock.at);
    for (const email of ['second@example.org', 'third@example.org']) {
      daybook.clock.at += 60;
      assert.is((await daybook.request('editor', 'PUT', `/organizers/${id}`, { email })).status, 200);
    }
    daybook.clock.at += 60;
    return { id, event: event.id, before };
  }

  /** Every way in which the organizer is shown. */
  const shownAt = (id: number, event: number, before: string): readonly string[] => [
    `/organizers/${id}`,
    '/organizers',
    '/organizers?search=archer',
    `/events/${event}`,
    '/events',
    `/organizers/${id}/history`,
    `/events/${event}/history`,
    '/changes',
    ...[0, 1, 2].map((revision) => `/organizers/${id}?revision=${revision}`),
    `/organizers/${id}?as_of=${before}`,
    `/events/${event}?as_of=${before}`,
    `/organizers?as_of=${before}`,
    `/organizers?as_of=${before}&search=archer`,
    `/events?as_of=${before}`,
  ];

  test('nothing shows an erased organizer any more, wherever it was shown', async (context) => {
    const { daybook } = context;
    const { id, event, before } = await someHistory(context);
    const isTold = (text: string): boolean => OLD.some((old) => text.includes(old));
    for (const target of shownAt(id, event, before)) {
      const { status, text } = await daybook.get(target, 'editor');
      assert.is(status, 200, text);
      assert.ok(isTold(text), `${target} tells of it before`);
    }
    assert.match(await runElsewhere(context, 'erase', 'organizer', String(id), '--reason', 'asked for'), /is erased/);
    for (const target of shownAt(id, event, before)) {
      const { status, text } = await daybook.get(target, 'editor');
      if (!target.includes('search=')) assert.match(text, '[erased]', target);
      assert.ok(status === 200 || target.includes('search='), `${status} ${text}`);
      assert.not.ok(isTold(text), `${target}: ${text}`);
    }
    const { body } = await daybook.get(`/organizers/${id}`);
    assert.equal(
      [body.organizer, body.phone, body.email, body.slug, body.description],
      ['[erased]', '[erased]', '[erased]', `erased-${id}`, '<p>A choir.</p>'],
    );
    const [newest, , third] = (await daybook.get(`/organizers/${id}/history`, 'editor')).body.history;
    assert.equal([newest.summary, newest.reason], ['Personal data erased.', 'asked for']);
    assert.equal(
      third.changes.find(({ field }: Body) => field === 'email'),
      { field: 'email', before: '[erased]', after: '[erased]' },
    );
  });

  test('nothing personal is stored any more, and log and views fit and can be rebuilt', async (context) => {
    const { daybook, place } = context;
    const { id } = await someHistory(context);
    await run(context, 'erase', 'organizer', String(id), '--reason', 'asked for');
    assert.match(await run(context, 'verify'), 'No problems found.');
    // Views keep what they replace in free pages; built anew they have none.
    assert.match(await run(context, 'rebuild'), 'No difference.');
    assert.match(await run(context, 'erase', 'organizer', String(id), '--reason', 'again'), 'erased before');
    const bytes = await place.bytes(daybook);
    assert.ok(bytes.includes(`erased-${id}`), 'these are the bytes that tell of it');
    for (const old of OLD) assert.not.ok(bytes.includes(old), old);
  });

  test('what a proposal wished of an erased organizer is neither shown nor stored any more', async (context) => {
    const { daybook, place } = context;
    const { id } = await daybook.created('editor', 'organizers', { organizer: 'Choir', email: 'ann@example.org' });
    const propose = async (target: string, members: object): Promise<Body> => {
      const answer = await daybook.request('contributor', 'POST', `/${target}/proposals`, members);
      assert.is(answer.status, 201, answer.text);
      return answer.body;
    };
    const open = await propose(`organizers/${id}`, { organizer: 'Ann Archer', phone: '555-0199' });
    const applied = await propose(`organizers/${id}`, { email: 'second@example.org' });
    assert.is((await daybook.request('editor', 'POST', `/proposals/${applied.id}/approve`, {})).status, 200);
    const views = async (): Promise<string> =>
      JSON.stringify(await daybook.readModel.fetch([open, applied].map((one) => ({ kind: 'proposal', id: one.id }))));
    assert.match(await views(), '"target"');
    for (const old of OLD) assert.not.ok((await views()).includes(old), `views: ${old}`);
    await run(context, 'erase', 'organizer', String(id), '--reason', 'asked for');
    for (const target of ['/proposals', `/proposals/${open.id}`, `/proposals/${applied.id}`, '/changes']) {
      const { status, text } = await daybook.get(target, 'editor');
      assert.is(status, 200, text);
      for (const old of OLD) assert.not.ok(text.includes(old), `${target}: ${old}`);
    }
    assert.match(await run(context, 'verify'), 'No problems found.');
    assert.match(await run(context, 'rebuild'), 'No difference.');
    const bytes = await place.bytes(daybook);
    for (const old of OLD) assert.not.ok(bytes.includes(old), old);
  });

  test('texts of a review are erased with who wrote them, and with the organizer that they are about', async (context) => {
    const { daybook, place } = context;
    const { id } = await daybook.created('editor', 'organizers', { organizer: 'Choir' });
    const event = await daybook.created('editor', 'events', someEvent(nextYear()));
    const send = async (who: 'contributor' | 'otherAuthor' | 'editor', target: string, sent: object): Promise<Body> => {
      const answer = await daybook.request(who, 'POST', target, sent);
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    const own = await send('otherAuthor', `/events/${event.id}/proposals`, { title: 'X', note: 'note of otherAuthor' });
    const about = await send('contributor', `/organizers/${id}/proposals`, {
      organizer: 'Y',
      note: 'note about Choir',
    });
    await send('editor', `/proposals/${own.id}/comments`, { text: 'comment of editor' });
    await send('editor', `/proposals/${about.id}/request-changes`, { text: 'comment about Choir' });
    const shown = async (): Promise<string> => {
      const targets = ['/proposals', `/proposals/${own.id}`, `/proposals/${about.id}`];
      return (await Promise.all(targets.map(async (target) => (await daybook.get(target, 'editor')).text))).join();
    };
    const texts = ['note of otherAuthor', 'note about Choir', 'comment of editor', 'comment about Choir'];
    for (const text of texts) assert.match(await shown(), text);
    await run(context, 'erase', 'user', String(daybook.userId('otherAuthor')), '--reason', 'has left');
    await run(context, 'erase', 'organizer', String(id), '--reason', 'asked for');
    const after = await shown();
    assert.equal(
      texts.filter((text) => after.includes(text)),
      ['comment of editor'],
    );
    assert.match(after, '"note":"[erased]"');
    await send('editor', `/proposals/${about.id}/reject`, { text: 'rejected since' });
    assert.match(await shown(), 'rejected since');
    assert.match(await run(context, 'verify'), 'No problems found.');
    assert.match(await run(context, 'rebuild'), 'No difference.');
    const bytes = await place.bytes(daybook);
    for (const text of texts) assert.not.ok(bytes.includes(text), text);
  });

  test('once the command has ended, those who read all the time are shown nothing of it', async (context) => {
    const { daybook } = context;
    const notes: string[] = [];
    for (const number of [1, 2]) {
      const { id } = await daybook.created('editor', 'organizers', { organizer: `Choir ${number}` });
      const proposed = { organizer: 'Y', note: `note about Choir ${number}` };
      const { body } = await daybook.request('contributor', 'POST', `/organizers/${id}/proposals`, proposed);
      const shown = async (): Promise<boolean> =>
        (await daybook.get(`/proposals/${body.id}`, 'editor')).text.includes(proposed.note);
      assert.ok(await shown());
      const ending = new AbortController();
      const reading = (async () => {
        while (!ending.signal.aborted) {
          await shown();
          await sleep(20);
        }
      })();
      await runElsewhere(context, 'erase', 'organizer', String(id), '--reason', 'asked for');
      if (await shown()) notes.push(proposed.note);
      ending.abort();
      await reading;
    }
    assert.equal(notes, []);
  });

  once('sets that wait say nothing of erased people, and are applied or told not to', async (context) => {
    const { daybook, place } = context;
    const { body: added } = await daybook.request('administrator', 'POST', '/users', {
      ...{ login: 'edda-quill', name: 'Edda Quill', role: 'editor' },
    });
    const edda = { authorization: `Basic ${Buffer.from(`edda-quill:${added.password}`).toString('base64')}` };
    const send = async (target: string, sent: object, as: As = 'editor', headers = {}): Promise<Body> => {
      const answer = await daybook.request(as, 'POST', target, sent, headers);
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    const organizer = await daybook.created('editor', 'organizers', { organizer: 'Choir' });
    const events: number[] = [];
    for (const _ of [1, 2])
      events.push((await daybook.created('editor', 'events', someEvent({ ...nextYear(), title: 'Before' }))).id);
    const retitle = (event: number | undefined, note: string) =>
      send(`/events/${event}/proposals`, { title: 'After', note }, 'otherContributor');
    const [one, due] = [await retitle(events[0], 'note of a leaver'), await retitle(events[1], '')];
    const wish = { organizer: 'Ann Archer', phone: '555-0199', note: 'note about Choir' };
    const about = await send(`/organizers/${organizer.id}/proposals`, wish, 'contributor');
    const set = await send(
      '/sets',
      { name: 'Spring', description: 'description of Edda', proposals: [one.id, about.id] },
      ...(['editor', edda] as const),
    );
    await send(`/sets/${set.id}/comments`, { text: 'comment of Edda' }, 'editor', edda);
    const later = await send('/sets', { name: 'Later', proposals: [due.id] }, 'editor', edda);
    await send(`/sets/${later.id}/schedule`, { at: iso(daybook.clock.at + 60) }, 'editor', edda);
    for (const [kind, id] of [
      ['user', daybook.userId('otherContributor')],
      ['user', added.id],
      ['organizer', organizer.id],
    ])
      await run(context, 'erase', String(kind), String(id), '--reason', 'asked for');
    const texts = [
      ...OLD,
      'note of a leaver',
      'note about Choir',
      'of Edda',
      'Edda Quill',
      'edda-quill',
      'otherContributor',
    ];
    const tried = await daybook.request('editor', 'POST', `/sets/${set.id}/apply`, { dry_run: true });
    assert.equal(
      [tried.body.fits, tried.body.problems.map(({ proposal }: Body) => proposal), tried.body.author.name],
      [false, [about.id], '[erased]'],
      tried.text,
    );
    const refused = await daybook.request('editor', 'POST', `/sets/${set.id}/apply`, {});
    assert.is(refused.status, 409, refused.text);
    daybook.clock.at += 61;
    for (const begun = performance.now(); performance.now() - begun < 30_000; await sleep(20))
      if ((await daybook.get(`/sets/${later.id}`, 'editor')).body.state !== 'scheduled') break;
    const applied = (await daybook.get(`/sets/${later.id}`, 'editor')).body;
    assert.equal([applied.state, applied.decided_by.name], ['applied', '[erased]'], 'what was scheduled takes place');
    const titles = () => Promise.all(events.map(async (id) => (await daybook.get(`/events/${id}`)).body.title));
    assert.equal(await titles(), ['Before', 'After']);
    const read = [
      ...['/sets', `/sets/${set.id}`, `/sets/${later.id}`, '/proposals', '/schedule', '/changes'],
      ...[one, about, due].map(({ id }) => `/proposals/${id}`),
    ];
    for (const target of read) {
      const { status, text } = await daybook.get(target, 'editor');
      assert.is(status, 200, text);
      for (const old of texts) assert.not.ok(text.includes(old), `${target}: ${old}`);
    }
    const shrunk = await daybook.request('editor', 'PATCH', `/sets/${set.id}`, { proposals: [one.id] });
    assert.is(shrunk.status, 200, shrunk.text);
    await send(`/sets/${set.id}/apply`, {});
    assert.equal(await titles(), ['After', 'After']);
    assert.match(await run(context, 'verify'), 'No problems found.');
    assert.match(await run(context, 'rebuild'), 'No difference.');
    const bytes = await place.bytes(daybook);
    for (const old of texts) assert.not.ok(bytes.includes(old), old);
  });

  test('an erased user is shown as [erased] in histories, and cannot sign in', async (context) => {
    const { daybook, place } = context;
    const event = await daybook.created('otherAuthor', 'events', someEvent(nextYear()));
    const history = async (): Promise<Body> => (await daybook.get(`/events/${event.id}/history`, 'editor')).text;
    const userId = daybook.userId('otherAuthor');
    assert.match(await history(), `"actor":{"id":${userId},"name":"otherAuthor"}`);
    assert.is((await daybook.get('/events', 'otherAuthor')).status, 200);
    await runElsewhere(context, 'erase', 'user', String(userId), '--reason', 'has left');
    assert.match(await history(), `"actor":{"id":${userId},"name":"[erased]"}`);
    assert.match((await daybook.get('/changes', 'editor')).text, `"actor":{"id":${userId},"name":"[erased]"}`);
    assert.match(await run(context, 'history', `events/${event.id}`), `[erased] (user ${userId})`);
    assert.is((await daybook.request('otherAuthor', 'POST', '/events', someEvent())).status, 401);
    assert.match(await run(context, 'verify'), 'No problems found.');
    assert.match(await run(context, 'rebuild'), 'No difference.');
    assert.not.ok((await place.bytes(daybook)).includes('otherAuthor'));
  });

  test.run();
}
