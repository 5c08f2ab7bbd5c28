// Why a poll of a source fails or is held back, beside what sources.contract.ts says of broken and shrinking answers.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import { NO_COUNTS, type PollFailure } from '../../src/exchange/sources/domain/source.ts';
import { openSourcePolls, type SourcePollsOptions } from '../../src/exchange/sources/sources.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { calendarOf, days, startElsewhere, type Told, telling } from '../support/calendar-elsewhere.ts';
import { type As, type Body, startTestService } from '../support/service.ts';

const test = suite('sources that fail');
const elsewhere = await startElsewhere();
const daybook = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });

/** A paused source, after its first poll. */
async function added(events: readonly Told[], more: object = {}): Promise<number> {
  elsewhere.answer = telling(events);
  const address = `${elsewhere.address}/${randomUUID()}.ics`;
  const { id } = await daybook.created('editor', 'sources', { address, ...more });
  while ((await source(id)).last_poll?.ended == null) await sleep(50);
  await daybook.request('editor', 'POST', `/sources/${id}/pause`, {});
  return id;
}

const source = async (id: number): Promise<Body> => (await daybook.get(`/sources/${id}`, 'editor')).body;

async function polled(id: number, body: object = {}, as: As = 'editor'): Promise<Body> {
  const answer = await daybook.request(as, 'POST', `/sources/${id}/polls`, body);
  assert.is(answer.status, 201, answer.text);
  return answer.body;
}

const numberOf = async (search: string): Promise<number> =>
  (await daybook.get(`/events?search=${search}&start_date=2027-01-01&per_page=50`)).body.total;

const reported: unknown[] = [];

/** The problem of a dry run within bounds, or on a log, of a test's own. */
async function problemOf(id: number, own: Partial<SourcePollsOptions>): Promise<PollFailure['problem'] | null> {
  const { stores, config, clock } = daybook;
  const commands = commandDependencies(stores, config);
  const polls = openSourcePolls({
    ...{ store: stores.store, display: stores.rendering, siteZone: config.siteZone, network: config.importNetwork },
    ...{ commandsFor: () => commands, dryCommandsOn: (store) => ({ ...commands, store }) },
    proposals: { ...commands, fieldsOf: () => ({}) },
    ...{ importers: config.importers, clock, newId: randomUUID, isShared: true, untilShown: async () => {} },
    report: (error) => void reported.push(error),
    ...own,
  });
  const context = { caller: null, now: clock.now(), correlationId: randomUUID() };
  const conditions = { reason: undefined, ifRevision: undefined, idempotencyKey: undefined };
  const wish = { why: 'asked', how: 'dry run', losses: 'guarded' } as const;
  const answer = await polls.poll({ ...context, ...conditions }, id, wish);
  if (answer.kind === 'rejected') throw new Error(answer.rejection.code);
  return 'problem' in answer.end ? answer.end.problem : null;
}

test('a server that knows no tags is asked since when there are changes', async () => {
  const id = await added(days(1, 'mass'));
  const at = 'Fri, 20 Nov 2026 10:00:00 GMT';
  const asked: (string | undefined)[] = [];
  elsewhere.answer = ({ headers }, response) => {
    asked.push(headers['if-modified-since']);
    const isSame = headers['if-modified-since'] === at;
    response.writeHead(isSame ? 304 : 200, { 'last-modified': at }).end(isSame ? '' : calendarOf(days(2, 'mass')));
  };
  assert.is((await polled(id)).counts.created, 1);
  assert.is((await polled(id)).outcome, 'unchanged');
  assert.equal(asked, [undefined, at]);
});

test('what is missing at another address is held back until it is confirmed', async () => {
  const id = await added(days(3, 'tour'), { on_missing: 'bin' });
  await daybook.request('editor', 'PATCH', `/sources/${id}`, { address: `${elsewhere.address}/moved.ics` });
  elsewhere.answer = telling(days(2, 'tour'));
  const poll = await polled(id);
  assert.equal([poll.outcome, poll.problem, poll.counts.missing], ['failed', 'moved', 1]);
  assert.equal([(await source(id)).to_confirm, await numberOf('tour')], ['moved', 3]);
  assert.is((await polled(id, { accept: true })).outcome, 'applied');
  assert.is(await numberOf('tour'), 2);
});

test('a source of nine events that has none any more is held back like a large one', async () => {
  const id = await added(days(9, 'quiz'), { on_missing: 'bin' });
  elsewhere.answer = telling([]);
  assert.is((await polled(id)).problem, 'empty');
  assert.is(await numberOf('quiz'), 9);
});

test('a user who may not import any more stops it, and nothing is written', async () => {
  const id = await added(days(1, 'choir'));
  const { id: user } = await daybook.created('administrator', 'users', { login: 'helper', role: 'editor' });
  await daybook.request('administrator', 'PATCH', `/sources/${id}`, { user });
  await daybook.request('administrator', 'PATCH', `/users/${user}`, { role: 'author' });
  elsewhere.answer = telling(days(2, 'choir'));
  const poll = await polled(id, {}, 'administrator');
  assert.equal([poll.outcome, poll.problem], ['failed', 'user']);
  assert.is(await numberOf('choir'), 1);
});

test('more than one poll takes is told, and so is what takes too long to read', async () => {
  const id = await added(days(1, 'market'));
  elsewhere.answer = telling(days(5, 'market'));
  const bounds = (resources: number, late = new AbortController()) => ({ resources, reading: () => late.signal });
  assert.is(await problemOf(id, { bounds: bounds(20) }), null);
  assert.is(await problemOf(id, { bounds: bounds(3) }), 'too_many');
  const late = new AbortController();
  const first = { id: 1, title: 'Page', start_date: '2027-08-01 10:00:00', end_date: '2027-08-01 11:00:00' };
  elsewhere.answer = ({ url }, response) => {
    if (url?.includes('page=2')) return late.abort();
    const page = { events: [first], next_rest_url: `${elsewhere.address}${url}?page=2` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  };
  assert.is(await problemOf(id, { bounds: bounds(20, late) }), 'too_large');
});

test('a fault of ours is reported, and no failure of what the source says', async () => {
  const id = await added(days(1, 'parade'));
  const { store } = daybook;
  const fault = new TypeError('a fault of ours');
  const readStream: EventStore['readStream'] = (stream, options) =>
    stream === `sourced-${id}` ? Promise.reject(fault) : store.readStream(stream, options);
  assert.is(await problemOf(id, { store: { ...store, readStream } }), 'fault');
  assert.equal(reported, [fault]);
});

test('a server that switches to another protocol is a failure at once, in whatever network', async () => {
  const id = await added(days(1, 'regatta'));
  elsewhere.answer = ({ socket }) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  for (const network of ['any', { privateHosts: new Set(['127.0.0.1']) }] as const) {
    const problem = await Promise.race([problemOf(id, { network }), sleep(10_000, 'never', { ref: false })]);
    assert.is(problem, 'unreadable', JSON.stringify(network));
  }
});

test('servers that never answer hold up no other source, neither at the first page nor at the next', async () => {
  const first = { id: 1, title: 'Page', start_date: '2027-08-01 10:00:00', end_date: '2027-08-01 11:00:00' };
  elsewhere.answer = (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/hangs') || url.includes('page=2')) return;
    if (!url.startsWith('/pages')) return telling(days(1, 'fair'))(request, response);
    const page = { events: [first], next_rest_url: `${elsewhere.address}${url}?page=2` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  };
  const ids: number[] = [];
  for (const name of ['hangs/1', 'hangs/2', 'hangs/3', 'hangs/4', 'pages/1', 'pages/2', 'answers'])
    ids.push((await daybook.created('editor', 'sources', { address: `${elsewhere.address}/${name}` })).id);
  const outcomes = async () =>
    (await Promise.all(ids.map(source))).map(({ last_poll }) => last_poll?.outcome ?? 'waiting');
  for (let look = 0; look < 500 && (await outcomes()).at(-1) !== 'applied'; look += 1) await sleep(20);
  assert.equal(await outcomes(), [...Array.from({ length: 6 }, () => 'running'), 'applied']);
  assert.is(await numberOf('fair'), 1);
  for (const id of ids) await daybook.request('editor', 'DELETE', `/sources/${id}`);
});

test('a source that is removed while it is read adds nothing', async () => {
  const id = await added(days(1, 'lecture'));
  elsewhere.answer = (request, response) =>
    void daybook
      .request('editor', 'DELETE', `/sources/${id}`)
      .then(() => telling(days(2, 'lecture'))(request, response));
  await daybook.request('editor', 'POST', `/sources/${id}/polls`, {});
  assert.is(await numberOf('lecture'), 1);
});

test('sources that use the same UIDs, or ids of each other, change nothing of each other', async () => {
  const uid = '1';
  const theatre = await added([{ uid, title: 'Hamlet', day: '20270801' }]);
  const museum = await added([{ uid, title: 'Dinosaurs', day: '20270901' }], { on_missing: 'bin' });
  assert.equal([await numberOf('hamlet'), await numberOf('dinosaurs')], [1, 1]);
  elsewhere.answer = telling([{ uid: '2', title: 'Mammoths', day: '20270902' }]);
  await polled(museum, { accept: true });
  assert.equal([await numberOf('hamlet'), await numberOf('dinosaurs')], [1, 0]);
  elsewhere.answer = telling([{ uid, title: 'Hamlet at last', day: '20270802' }]);
  assert.equal((await polled(theatre)).counts, { ...NO_COUNTS, changed: 1 });
  const times = { start_date: '2027-08-01 10:00:00', end_date: '2027-08-01 11:00:00' };
  const event = (title: string) => ({ id: 7, global_id: 'theatre.example?id=7', title, ...times });
  const api =
    (title: string): typeof elsewhere.answer =>
    (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ events: [event(title)], total: 1 }));
  const other = await startElsewhere();
  for (const [site, title] of [
    [elsewhere, 'Genuine'],
    [other, 'Forged'],
  ] as const) {
    site.answer = api(title);
    const { id } = await daybook.created('editor', 'sources', { address: `${site.address}/${randomUUID()}` });
    while ((await source(id)).last_poll?.ended == null) await sleep(50);
  }
  other.server.close();
  assert.equal([await numberOf('genuine'), await numberOf('forged')], [1, 1]);
  await daybook.request('editor', 'PATCH', `/sources/${theatre}`, { address: `${elsewhere.address}/elsewhere.ics` });
  elsewhere.answer = telling([{ uid, title: 'Hamlet moved', day: '20270802' }]);
  assert.is((await polled(theatre)).counts.changed, 1, 'a source that moves keeps what is its own');
});

test('what is private, protected or a draft at a source is not made public by the status chosen for new events', async () => {
  const times = { start_date: '2027-08-01 10:00:00', end_date: '2027-08-01 11:00:00' };
  const masked = { id: 7, title: 'Cellar', ...times, all_day: null, show_map: null };
  const open = { id: 8, title: 'Cellar open', ...times, status: 'pending' };
  const draft = { id: 9, title: 'Cellar in spring', ...times, status: 'draft' };
  elsewhere.answer = (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ events: [masked, open, draft] }));
  const address = `${elsewhere.address}/${randomUUID()}`;
  const { id } = await daybook.created('editor', 'sources', { address, status: 'publish' });
  while ((await source(id)).last_poll?.ended == null) await sleep(50);
  assert.is(await numberOf('cellar'), 1);
  assert.match((await source(id)).last_poll.notes[0].reason, /^it is protected by a password there/);
});

test('the removal of a source destroys the key of its address', async () => {
  const id = await added(days(1, 'circus'));
  const subject = `source-${id}`;
  const state = async () => (await daybook.stores.keys.look(new Set(), new Set([subject])))(subject);
  assert.is.not(await state(), 'destroyed');
  await daybook.request('editor', 'DELETE', `/sources/${id}`);
  assert.is(await state(), 'destroyed');
  const stored = await daybook.stores.rawLog.readStream(subject);
  assert.not.match(JSON.stringify(stored), elsewhere.address);
});

test.after(async () => {
  elsewhere.server.close();
  await daybook.close();
});
test.run();
