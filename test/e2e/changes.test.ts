import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { revokeCredential } from '../../src/people/users/commands/users.ts';
import { ReadModelUnavailable } from '../../src/read-model/read-model.ts';
import { type EventStream, openEventStream } from '../support/event-stream.ts';
import { contextAt } from '../support/events.ts';
import {
  type Answer,
  type As,
  type Body,
  NOON,
  PREFIX,
  ROOT,
  someEvent,
  startTestService,
  type TestService,
} from '../support/service.ts';

interface Context {
  daybook: TestService;
  origin: string;
  /** While true, nothing can be asked of the views. */
  views: { away: boolean };
}

const test = suite<Context>('changes over HTTP');

test.before.each(async (context) => {
  const views = { away: false };
  const daybook = await startTestService({
    wrap: (stores) => ({
      ...stores,
      readModel: {
        ...stores.readModel,
        version: () => (views.away ? Promise.reject(new ReadModelUnavailable('away')) : stores.readModel.version()),
        fetch: (keys) => (views.away ? Promise.reject(new ReadModelUnavailable('away')) : stores.readModel.fetch(keys)),
      },
    }),
  });
  const origin = await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
  Object.assign(context, { daybook, views, origin });
});
test.after.each(({ daybook }) => daybook.close());

const listen = ({ daybook, origin }: Context, as: As, query = '', headers = {}): Promise<EventStream> =>
  openEventStream(`${origin}${PREFIX}/changes${query}`, {
    host: 'cal.example',
    authorization: daybook.authorization(as),
    ...headers,
  });

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`;
const brief = (changes: readonly Body[]): string[] => changes.map(({ kind, id, type }) => `${kind} ${id} ${type}`);

test('a write is the next change, with actor, instant and reason', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent());
  const { next } = (await daybook.get('/changes', 'editor')).body;
  const headers = { 'x-change-reason': 'the hall is taken' };
  const written = await daybook.request('editor', 'PUT', `/events/${id}`, { title: 'Concert' }, headers);
  const { status, body, headers: answered } = await daybook.get(`/changes?after=${next}`, 'author');
  assert.is(status, 200);
  assert.equal(body, {
    changes: [
      {
        position: written.headers['x-daybook-position'],
        kind: 'event',
        id,
        url: `${ROOT}/events/${id}`,
        revision: 2,
        instant: new Date(NOON * 1000).toISOString(),
        date: '2026-11-20 12:00:00',
        actor: { id: daybook.userId('editor'), name: 'editor' },
        reason: 'the hall is taken',
        type: 'EventRetitled',
        summary: 'Renamed from “Open rehearsal” to “Concert”.',
        correlation_id: written.headers['x-request-id'],
      },
    ],
    next: written.headers['x-daybook-position'],
    has_more: false,
    rest_url: `${ROOT}/changes/?after=${next}`,
  });
  assert.match(answered['cache-control'] ?? '', 'no-store');
  assert.is(answered.vary, 'Origin, Accept, Accept-Language');
  const [entry] = (await daybook.get(`/events/${id}/history`, 'author')).body.history;
  const { changes: _, ...told } = entry;
  const { position: __, kind: ___, id: ____, url: _____, ...change } = body.changes[0];
  assert.equal(change, told, 'the same as the history tells');
});

test('pages follow one another by next, and repeat the selection', async ({ daybook }) => {
  for (let count = 0; count < 7; count += 1) await daybook.created('editor', 'tags', { name: `Tag ${count}` });
  const names: string[] = [];
  let target = '/changes?types=tag&per_page=3';
  for (let pages = 0; pages < 3; pages += 1) {
    const { body } = await daybook.get(target, 'editor');
    names.push(...body.changes.map(({ summary }: Body) => summary));
    assert.is(body.has_more, pages < 2);
    target = `/changes?types=tag&per_page=3&after=${body.next}`;
  }
  assert.equal(
    names,
    [0, 1, 2, 3, 4, 5, 6].map((number) => `Created as “Tag ${number}”.`),
  );
  const { body } = await daybook.get(`${target}&wait=0`, 'editor');
  assert.equal(body.changes, []);
  assert.match(body.rest_url, /\/changes\/\?after=\d{16}&types=tag&per_page=3&wait=0$/);
  assert.is((await daybook.get('/changes?per_page=5000', 'editor')).body.changes.length, 7);
});

const ALL_CALLERS: readonly As[] = [
  'anonymous',
  'subscriber',
  'contributor',
  'author',
  'otherAuthor',
  'editor',
  'administrator',
];

test('all callers see what they may see in histories, and the public nothing', async ({ daybook }) => {
  const mine = await daybook.created('author', 'events', someEvent({ status: 'draft' }));
  const other = await daybook.created('otherAuthor', 'venues', { venue: 'Hall' });
  await daybook.created('editor', 'tags', { name: 'Music' });
  await daybook.created('editor', 'categories', { name: 'Jazz' });
  const told = async (as: As) => {
    const { status, body } = await daybook.get('/changes', as);
    return status === 200
      ? [...new Set(body.changes.map(({ kind }: Body) => kind))].join()
      : codeOf({ status, body } as Answer);
  };
  assert.equal(await Promise.all(ALL_CALLERS.map(told)), [
    '401 rest_forbidden',
    '403 rest_forbidden',
    '',
    'event,category',
    'venue,category',
    'event,venue,tag,category',
    'event,venue,tag,category',
  ]);
  assert.is(codeOf(await daybook.get('/changes?types=tag', 'author')), '403 rest_forbidden');
  assert.is(codeOf(await daybook.get('/changes?types=tag&after=x')), '401 rest_forbidden');
  assert.is(codeOf(await daybook.get('/changes?types=evnt')), '400 rest_invalid_param');
  assert.is((await daybook.get('/changes?types=tag,event', 'author')).body.changes[0].id, mine.id);
  await daybook.request('editor', 'PUT', `/events/${mine.id}`, { author: daybook.userId('otherAuthor') });
  assert.is(await told('author'), 'category');
  assert.is(await told('otherAuthor'), 'event,venue,category');
  await daybook.request('editor', 'DELETE', `/venues/${other.id}`);
  assert.is(await told('otherAuthor'), 'event,venue,category');
});

test('what makes no sense is refused by name', async ({ daybook }) => {
  await daybook.created('editor', 'tags', { name: 'Music' });
  const said = async (query: string) => {
    const { status, body } = await daybook.get(`/changes?${query}`, 'editor');
    return `${status} ${body.code} ${Object.keys(body.data?.params ?? {})}`;
  };
  for (const query of ['after=5', 'after=x', 'after=start', 'after=-1', 'after=00000000000000a1'])
    assert.is(await said(query), '400 rest_invalid_param after', query);
  assert.is(await said('types=event,evnt'), '400 rest_invalid_param types');
  for (const query of ['per_page=0', 'per_page=x']) assert.is(await said(query), '400 rest_invalid_param per_page');
  for (const query of ['wait=-1', 'wait=x', 'wait=1.5']) assert.is(await said(query), '400 rest_invalid_param wait');
  assert.match((await daybook.get('/changes?types=evnt', 'editor')).body.message, '"evnt"');
  assert.is((await daybook.get('/changes?after=9999999999999999', 'editor')).body.next, '9999999999999999');
  assert.is((await daybook.get('/changes?after=&types=', 'editor')).body.changes.length, 1);
  assert.is(codeOf(await daybook.request('editor', 'POST', '/changes', {})), '404 rest_no_route');
  const { routes } = (await daybook.get('')).body;
  const [endpoint] = routes['/calendar/events/v1/changes'].endpoints;
  assert.equal(Object.keys(endpoint.args), [
    ...['after', 'types', 'per_page', 'order', 'kind', 'actor', 'role', 'field', 'reason', 'request', 'from', 'to'],
    'wait',
  ]);
});

test('filters combine with types, rights and the order, and what they refuse is named', async ({ daybook }) => {
  const { id } = await daybook.created('author', 'events', someEvent());
  const headers = { 'x-change-reason': 'Typing error' };
  const request = await daybook.request('editor', 'PUT', `/events/${id}`, { title: 'Concert' }, headers);
  await daybook.created('administrator', 'tags', { name: 'Music' });
  const found = async (query: string, as: As = 'editor') =>
    brief((await daybook.get(`/changes?${query}`, as)).body.changes);
  assert.equal(await found('order=desc'), [
    'tag 1 TagCreated',
    `event ${id} EventRetitled`,
    `event ${id} EventPublished`,
    `event ${id} EventDrafted`,
  ]);
  assert.equal(await found('kind=event&field=title&order=desc&per_page=1'), [`event ${id} EventRetitled`]);
  assert.equal(await found(`request=${request.headers['x-request-id']}`), [`event ${id} EventRetitled`]);
  assert.equal(await found('role=administrator,editor&reason=TYPING'), [`event ${id} EventRetitled`]);
  assert.equal(await found('actor=author&from=2020-01-01&to=2999-12-31', 'author'), [
    `event ${id} EventDrafted`,
    `event ${id} EventPublished`,
  ]);
  assert.equal(await found('to=2020-01-01'), []);
  const { body } = await daybook.get('/changes?order=desc&kind=tag,event&per_page=2', 'editor');
  assert.equal([body.has_more, body.partial], [true, false]);
  assert.match(body.rest_url, /order=desc&kind=tag%2Cevent&per_page=2$/);
  assert.equal(await found(`order=desc&after=${body.next}`), [
    `event ${id} EventPublished`,
    `event ${id} EventDrafted`,
  ]);
  const said = async (query: string, as: As = 'editor') => codeOf(await daybook.get(`/changes?${query}`, as));
  for (const query of [
    'order=up',
    'order=desc&wait=5',
    'kind=evnt',
    'kind=venue&types=EventTrashed',
    'role=boss',
    'from=x',
  ])
    assert.is(await said(query), '400 rest_invalid_param', query);
  assert.is(await said('from=2027-01-02&to=2027-01-01'), '400 rest_invalid_param');
  for (const as of ['author', 'contributor'] as const)
    assert.is(await said('role=editor', as), '403 rest_forbidden', as);
});

test('a waiting client gets a write as soon as it is made', async ({ daybook }) => {
  const { next } = (await daybook.get('/changes?after=end', 'editor')).body;
  const waiting = daybook.get(`/changes?after=${next}&wait=60`, 'editor');
  const { id } = await daybook.created('author', 'events', someEvent());
  const { body } = await waiting;
  assert.is(body.changes[0].id, id);
});

test('a stream sends existing and new changes, and is resumed without a gap', async (context) => {
  const { daybook } = context;
  const first = await daybook.created('editor', 'tags', { name: 'One' });
  const stream = await listen(context, 'editor', '?types=tag');
  const one = await stream.change();
  assert.equal(brief([one.data]), [`tag ${first.id} TagCreated`]);
  assert.is(one.data.url, `${ROOT}/tags/${first.id}`);
  const second = await daybook.created('editor', 'tags', { name: 'Two\nlines' });
  const two = await stream.change();
  assert.equal([two.event, two.id, two.data.id], ['change', two.data.position, second.id]);
  stream.leave();
  await daybook.request('editor', 'PUT', `/tags/${first.id}`, { name: 'Three' });
  const again = await listen(context, 'editor', '?types=tag', { 'last-event-id': one.id });
  assert.equal((await again.change()).data, two.data);
  assert.equal(brief([(await again.change()).data]), [`tag ${first.id} TagRenamed`]);
  again.leave();
});

test('a stream needs the same rights, and refuses before it begins', async (context) => {
  const anonymous = await listen(context, 'editor', '', { authorization: '' });
  assert.equal([anonymous.status, anonymous.headers['content-type']], [401, 'application/json; charset=UTF-8']);
  assert.is((await listen(context, 'subscriber')).status, 403);
  assert.is((await listen(context, 'editor', '?after=x')).status, 400);
  await context.daybook.created('editor', 'tags', { name: 'One' });
  assert.is((await listen(context, 'editor', '', { 'last-event-id': 'x' })).status, 400);
});

test('a revoked credential ends its stream, and nothing is sent after that', async (context) => {
  const { daybook } = context;
  const stream = await listen(context, 'otherAuthor', '?after=end&types=category');
  await stream.next();
  const { store, service } = daybook;
  const revoked = await revokeCredential({ store, newEventId: randomUUID }, contextAt(NOON), 'otherAuthor', 'all');
  if (revoked.kind === 'rejected') throw new Error(revoked.rejection.code);
  await service.views.reached(revoked.written.position, 2_000);
  await daybook.created('editor', 'categories', { name: 'Jazz' });
  while ((await stream.next()) !== null);
  assert.not.match(stream.text(), 'data:');
  assert.is((await listen(context, 'otherAuthor')).status, 401);
});

test('changes contain no password, no token and no hash of either', async (context) => {
  const { daybook } = context;
  const { id } = await daybook.created('administrator', 'events', someEvent({ password: 'open sesame' }));
  await daybook.request('administrator', 'PUT', `/events/${id}`, { password: 'shut sesame' });
  const { text, body } = await daybook.get('/changes', 'administrator');
  const stream = await listen(context, 'administrator');
  for (const change of body.changes) assert.equal((await stream.change()).data, change);
  stream.leave();
  const stored = JSON.stringify(await daybook.store.readAll({ after: '', limit: 1_000 }));
  const hashes = [...stored.matchAll(/"(?:hash|passwordHash)":"([^"]+)"/g)].map(([, hash]) => hash ?? '');
  assert.ok(hashes.length >= 9, 'of seven users and two passwords');
  for (const secret of [...hashes, 'sesame', 'scrypt', 'hash', 'user-'])
    assert.not.ok(text.includes(secret) || stream.text().includes(secret), secret);
  assert.ok(body.changes.some(({ type }: Body) => type === 'EventPasswordSet'));
});

test('changes are read from the log although the read model is unavailable', async ({ daybook, views }) => {
  await daybook.created('author', 'events', someEvent());
  const before = await daybook.get('/changes', 'author');
  views.away = true;
  assert.is((await daybook.get('/changes', 'author')).text, before.text);
});

test('shutdown does not wait for listening clients', async (context) => {
  const stream = await listen(context, 'editor', '?after=end');
  await stream.next();
  await context.daybook.service.app.close();
  while ((await stream.next()) !== null);
});

test.run();
