// Sources over the API: a calendar elsewhere that changes, breaks off, shrinks, comes back, and gives its events new ids. Run
// over each pair of engines.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarOf, days, type Elsewhere, startElsewhere, type Told, telling } from '../support/calendar-elsewhere.ts';
import { type As, type Body, type ServiceOptions, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  elsewhere: Elsewhere;
}

/** The stores of a service; each is closed with it. */
export interface SourceStores {
  readonly environment: NonNullable<ServiceOptions['environment']>;
  close(): Promise<void>;
}

const NETWORK = { DAYBOOK_IMPORT_NETWORK: 'any' };

/** A paused source, after its first poll, which is due at once. */
async function added({ daybook, elsewhere }: Context, events: readonly Told[], more: object = {}): Promise<number> {
  elsewhere.answer = telling(events);
  const address = `${elsewhere.address}/${Math.random()}.ics`;
  const { body } = await daybook.request('editor', 'POST', '/sources', { address, name: 'Theatre', ...more });
  for (;;) {
    const { last_poll: last } = (await daybook.get(`/sources/${body.id}`, 'editor')).body;
    if (last && last.ended !== null) break;
    await sleep(50);
  }
  await daybook.request('editor', 'POST', `/sources/${body.id}/pause`, {});
  return body.id;
}

async function polled({ daybook }: Context, id: number, body: object = {}, as: As = 'editor'): Promise<Body> {
  const answer = await daybook.request(as, 'POST', `/sources/${id}/polls`, body);
  assert.is(answer.status, 201, answer.text);
  return answer.body;
}

const found = async ({ daybook }: Context, search: string): Promise<Body[]> =>
  (await daybook.get(`/events?search=${search}&start_date=2027-01-01&per_page=50&status=publish,draft`, 'editor')).body
    .events ?? [];

const titles = async (context: Context, search: string): Promise<string[]> =>
  (await found(context, search)).map(({ title }) => title).toSorted();

export function sourcesContract(engines: string, open: () => Promise<SourceStores>): void {
  const test = suite<Context & { stores: SourceStores }>(`sources over ${engines}`);
  /** What is about the answers of a source, and not about what is stored of them, is tried over one pair. */
  const once: typeof test | (() => void) = engines === 'SQLite' ? test : () => {};

  test.before(async (context) => {
    context.stores = await open();
    context.daybook = await startTestService({ environment: { ...NETWORK, ...context.stores.environment } });
    context.elsewhere = await startElsewhere();
  });
  test.after(async ({ daybook, elsewhere, stores }) => {
    elsewhere.server.close();
    await daybook.close();
    await stores.close();
  });

  test('a new source is polled at once, and again when it is due; what has not changed is not sent again', async (context) => {
    const { daybook, elsewhere } = context;
    const id = await added(context, days(3, 'concert'));
    assert.equal(await titles(context, 'concert'), ['concert 0', 'concert 1', 'concert 2']);
    const asked: (string | undefined)[] = [];
    elsewhere.answer = (request, response) => {
      asked.push(request.headers['if-none-match']);
      const isSame = request.headers['if-none-match'] === '"1"';
      response.writeHead(isSame ? 304 : 200, { etag: '"1"' }).end(isSame ? '' : calendarOf(days(4, 'concert')));
    };
    const changed = await polled(context, id);
    assert.equal([changed.outcome, changed.counts.created, changed.counts.unchanged], ['applied', 1, 3]);
    assert.is((await polled(context, id)).outcome, 'unchanged');
    assert.equal(asked, [undefined, '"1"']);
    await daybook.request('editor', 'POST', `/sources/${id}/resume`, {});
    daybook.clock.at += 3_601;
    for (let polls = 0; polls < 4; await sleep(50))
      polls = (await daybook.get(`/sources/${id}/polls`, 'editor')).body.polls.length;
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('what an editor has changed stays until the source says something else there', async (context) => {
    const { daybook, elsewhere } = context;
    const id = await added(context, days(2, 'reading'));
    const [event] = await found(context, 'reading%200');
    await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'reading by hand', cost: '7' });
    const more = ['DESCRIPTION:With an interval'];
    elsewhere.answer = telling(days(2, 'reading').map((one) => ({ ...one, more })));
    assert.is((await polled(context, id)).counts.changed, 2);
    const { body } = await daybook.get(`/events/${event.id}`, 'editor');
    assert.equal([body.title, body.cost], ['reading by hand', '$7']);
    assert.match(body.description, /interval/);
    elsewhere.answer = telling(days(2, 'reading').map((one) => ({ ...one, more, title: `${one.title} again` })));
    await polled(context, id);
    assert.equal(await titles(context, 'reading'), ['reading 0 again', 'reading 1 again']);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('an answer that cannot be trusted changes nothing', async (context) => {
    const { daybook, elsewhere } = context;
    const all = days(12, 'play');
    const id = await added(context, all, { on_missing: 'bin' });
    const lies: readonly (readonly [string, Elsewhere['answer']])[] = [
      ['unreadable', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
      ['unreadable', (_, response) => void response.end(calendarOf(all).slice(0, 900))],
      ['unreadable', (_, response) => void response.end('{"code":"down","message":"Try again later"}')],
      ['empty', telling([])],
      ['shrank', telling(all.slice(0, 5))],
    ];
    for (const [problem, answer] of lies) {
      elsewhere.answer = answer;
      const poll = await polled(context, id);
      assert.equal([poll.outcome, poll.problem], ['failed', problem]);
      assert.is((await found(context, 'play')).length, 12, problem);
    }
    const { body } = await daybook.get(`/sources/${id}`, 'editor');
    assert.equal([body.failures, body.to_confirm], [lies.length, 'shrank']);
    await daybook.request('editor', 'POST', `/sources/${id}/resume`, {});
    await polled(context, id);
    daybook.clock.at += 600;
    const ready = async (): Promise<Body> => (await daybook.get('//readyz', 'anonymous')).body;
    while ((await ready()).sources === undefined) await sleep(50);
    const { status, sources } = await ready();
    assert.is(status, 'ready');
    assert.equal(sources.failing, [{ source: id, problem: 'shrank', failures: 1, seconds: 600 }]);
    const { text: metrics } = await daybook.get('//metrics', 'anonymous');
    assert.match(metrics, /^daybook_sources_failing 1$/m);
    assert.match(metrics, /^daybook_source_failing_seconds 600$/m);
    assert.match(metrics, /^daybook_source_polls_total\{outcome="failed"\} [1-9]/m);
    await daybook.request('editor', 'POST', `/sources/${id}/pause`, {});
    const confirmed = await polled(context, id, { accept: true });
    assert.equal([confirmed.outcome, confirmed.counts.missing], ['applied', 7]);
    assert.is((await found(context, 'play')).length, 5);
    elsewhere.answer = telling(all);
    await polled(context, id);
    assert.is((await found(context, 'play')).length, 12, 'what comes back is out of the trash again');
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('one record that cannot be read neither disappears nor keeps others from doing so', async (context) => {
    const { daybook, elsewhere } = context;
    const all = days(4, 'lecture');
    const id = await added(context, all);
    elsewhere.answer = telling(all.slice(1));
    assert.is((await polled(context, id)).counts.missing, 1);
    assert.is((await polled(context, id)).counts.missing, 0);
    assert.is((await titles(context, 'lecture')).length, 4, 'left');
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { on_missing: 'bin' });
    elsewhere.answer = (_, response) =>
      void response.end(calendarOf(all.slice(1)).replace('DTSTART:20270803', 'DTSTART:no day'));
    const poll = await polled(context, id);
    assert.equal([poll.outcome, poll.counts.refused, poll.counts.missing], ['applied', 1, 1]);
    assert.equal(await titles(context, 'lecture'), ['lecture 1', 'lecture 2', 'lecture 3']);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  test('a series that disappears comes back as it was; what an editor has put into the trash stays there', async (context) => {
    const { daybook, elsewhere } = context;
    const weekly = { uid: 'course', title: 'course weekly', day: '20270901', more: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
    const all = [weekly, ...days(3, 'course')];
    const id = await added(context, all, { on_missing: 'bin' });
    const before = (await found(context, 'course%20weekly')).map((event) => event.id).toSorted();
    const [byHand] = await found(context, 'course%200');
    await daybook.request('editor', 'DELETE', `/events/${byHand.id}`);
    elsewhere.answer = telling(all.slice(2));
    assert.is((await polled(context, id)).counts.missing, 2);
    assert.equal(await titles(context, 'course'), ['course 1', 'course 2']);
    elsewhere.answer = telling(all);
    await polled(context, id);
    const after = (await found(context, 'course%20weekly')).map((event) => event.id).toSorted();
    assert.equal([before.length, after], [3, before]);
    assert.equal(await titles(context, 'course%200'), []);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('what disappears is canceled if that is wanted, and what was over is not missing', async (context) => {
    const { daybook, elsewhere } = context;
    const all = [...days(4, 'film'), { uid: 'past', title: 'film of old', day: '20261101' }];
    const id = await added(context, all, { on_missing: 'cancel' });
    elsewhere.answer = telling(all.slice(1, 4));
    assert.is((await polled(context, id)).counts.missing, 1);
    const of = async () =>
      Object.fromEntries((await found(context, 'film')).map(({ title, event_status: status }) => [title, status]));
    assert.is((await of())['film 0'], 'canceled');
    elsewhere.answer = telling(all);
    await polled(context, id);
    assert.is((await of())['film 0'], 'scheduled');
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('events keep what they are when all their ids change elsewhere', async (context) => {
    const { daybook, elsewhere } = context;
    const id = await added(context, days(11, 'dance'), { on_missing: 'bin' });
    const before = (await found(context, 'dance')).map((event) => event.id).toSorted();
    elsewhere.answer = telling(days(11, 'dance').map((one) => ({ ...one, uid: `again-${one.uid}` })));
    const poll = await polled(context, id);
    assert.equal([poll.outcome, poll.counts.created, poll.counts.missing], ['applied', 0, 0]);
    assert.equal((await found(context, 'dance')).map((event) => event.id).toSorted(), before);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  test('a poll is reverted as a whole by its request', async (context) => {
    const { daybook, elsewhere } = context;
    const id = await added(context, days(2, 'walk'));
    elsewhere.answer = telling([...days(3, 'walk').map((one) => ({ ...one, title: `${one.title} changed` }))]);
    const { request } = await polled(context, id);
    const reverted = await daybook.request('editor', 'POST', '/reverts', { request });
    assert.is(reverted.status, 200, reverted.text);
    assert.equal(await titles(context, 'walk'), ['walk 0', 'walk 1']);
    assert.is((await polled(context, id)).outcome, 'unchanged');
    assert.equal(await titles(context, 'walk'), ['walk 0', 'walk 1']);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  test('what a source says is proposed once, and revised while it waits', async (context) => {
    const { daybook, elsewhere } = context;
    const waiting = async (): Promise<Body[]> =>
      (await daybook.get('/proposals?state=open&per_page=50', 'administrator')).body.proposals;
    const id = await added(context, days(2, 'opera'), { mode: 'propose' });
    assert.equal([(await titles(context, 'opera')).length, (await waiting()).length], [0, 2]);
    elsewhere.answer = telling(days(2, 'opera').map((one) => ({ ...one, more: ['DESCRIPTION:New'] })));
    assert.is((await polled(context, id)).counts.proposed, 2);
    assert.is((await waiting()).length, 2);
    for (const proposal of await waiting()) {
      const { status, text } = await daybook.request('administrator', 'POST', `/proposals/${proposal.id}/approve`, {});
      assert.is(status, 200, text);
    }
    assert.equal(await titles(context, 'opera'), ['opera 0', 'opera 1']);
    elsewhere.answer = telling(days(1, 'opera').map((one) => ({ ...one, more: ['DESCRIPTION:New'] })));
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { on_missing: 'bin' });
    assert.is((await polled(context, id)).counts.proposed, 1);
    assert.equal(
      (await waiting()).map(({ action }) => action),
      ['delete'],
    );
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { mode: 'apply' });
    elsewhere.answer = telling(days(2, 'opera').map((one) => ({ ...one, title: `${one.title} today` })));
    await polled(context, id);
    assert.equal(await titles(context, 'opera'), ['opera 0 today', 'opera 1 today']);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once(
    'what is still proposed is withdrawn when it disappears, and so is its removal when it comes back',
    async (context) => {
      const { daybook, elsewhere } = context;
      const open = async (): Promise<Body[]> =>
        (await daybook.get('/proposals?state=open&per_page=50', 'administrator')).body.proposals;
      const earlier = new Set((await open()).map((proposal) => proposal.id));
      const ours = async (): Promise<Body[]> => (await open()).filter((proposal) => !earlier.has(proposal.id));
      const waiting = async (): Promise<string[]> =>
        (await ours()).map(({ action, target }) => `${action} ${target.id}`).toSorted();
      const approved = async (): Promise<void> => {
        const [proposal] = await ours();
        await daybook.request('administrator', 'POST', `/proposals/${proposal.id}/approve`, {});
      };
      const all = days(2, 'ballet');
      const id = await added(context, all, { mode: 'propose', on_missing: 'cancel' });
      const [first = '', second = ''] = await waiting();
      elsewhere.answer = telling(all.slice(0, 1));
      await polled(context, id);
      assert.equal(await waiting(), [first]);
      await approved();
      elsewhere.answer = telling([]);
      await polled(context, id, { accept: true });
      const event = first.replace('create ', '');
      assert.equal(await waiting(), [`change ${event}`]);
      elsewhere.answer = telling(all.slice(0, 1));
      await polled(context, id);
      assert.equal(await waiting(), []);
      elsewhere.answer = telling([]);
      await polled(context, id, { accept: true });
      await approved();
      assert.is((await daybook.get(`/events/${event}`, 'editor')).body.event_status, 'canceled');
      elsewhere.answer = telling(all.slice(0, 1));
      await polled(context, id);
      assert.equal(await waiting(), [`change ${event}`]);
      assert.is.not(first, second);
      await daybook.request('editor', 'DELETE', `/sources/${id}`);
    },
  );

  once('all pages of the API of another calendar are read, and none counts if one of them fails', async (context) => {
    const { daybook, elsewhere } = context;
    const all = Array.from({ length: 7 }, (_, index) => ({
      ...{ id: 7_000 + index, title: `fair ${index}`, status: 'publish', timezone: 'UTC' },
      ...{ start_date: `2027-08-0${index + 1} 10:00:00`, end_date: `2027-08-0${index + 1} 12:00:00` },
    }));
    const pages =
      (events: readonly object[], broken = 0): Elsewhere['answer'] =>
      (request, response) => {
        const page = Number(new URL(request.url ?? '', elsewhere.address).searchParams.get('page') ?? 1);
        if (page === broken) return void response.writeHead(200).end('{"events":[{"id":70');
        const next =
          page * 3 < events.length ? `${elsewhere.address}/wp-json/tribe/events/v1/events?page=${page + 1}` : '';
        const body = { events: events.slice(page * 3 - 3, page * 3), ...(next && { next_rest_url: next }) };
        response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end(JSON.stringify(body));
      };
    elsewhere.answer = pages(all);
    const { body } = await daybook.request('editor', 'POST', '/sources', {
      ...{ address: `${elsewhere.address}/wp-json/tribe/events/v1/events`, on_missing: 'bin', every: 10_080 },
    });
    while ((await daybook.get(`/sources/${body.id}`, 'editor')).body.last_poll?.ended == null) await sleep(50);
    assert.is((await titles(context, 'fair')).length, 7);
    assert.is((await polled(context, body.id)).outcome, 'unchanged');
    elsewhere.answer = pages(all.slice(0, 4), 2);
    assert.equal((await polled(context, body.id)).problem, 'unreadable');
    assert.is((await titles(context, 'fair')).length, 7);
    elsewhere.answer = pages(all.slice(1));
    assert.is((await polled(context, body.id)).counts.missing, 1);
    assert.is((await titles(context, 'fair')).length, 6);
    await daybook.request('editor', 'DELETE', `/sources/${body.id}`);
  });

  once('a source that never answers does not hold up the end of the process', async ({ elsewhere }) => {
    elsewhere.answer = () => {};
    const asked = new Promise((resolve) => elsewhere.server.once('request', resolve));
    const stores = await open();
    const other = await startTestService({ environment: { ...NETWORK, ...stores.environment } });
    await other.request('editor', 'POST', '/sources', { address: elsewhere.address });
    await asked;
    const late = new AbortController();
    const ended = await Promise.race([
      other.close().then(() => 'ended'),
      sleep(15_000, 'held up', { signal: late.signal }).catch(() => ''),
    ]);
    late.abort();
    await stores.close();
    assert.is(ended, 'ended');
  });

  once('a dry run and a source that is only looked at change nothing', async (context) => {
    const { daybook } = context;
    const id = await added(context, days(3, 'match'), { mode: 'ignore' });
    const { last_poll: last } = (await daybook.get(`/sources/${id}`, 'editor')).body;
    assert.equal([last.outcome, last.counts.created], ['looked', 3]);
    const dry = await polled(context, id, { dry_run: true });
    assert.equal([dry.outcome, dry.counts.created], ['looked', 3]);
    assert.is((await daybook.get(`/sources/${id}/polls`, 'editor')).body.polls.length, 1);
    assert.equal(await titles(context, 'match'), []);
    await daybook.request('editor', 'PATCH', `/sources/${id}`, { mode: 'apply' });
    await polled(context, id);
    assert.is((await titles(context, 'match')).length, 3);
    await daybook.request('editor', 'DELETE', `/sources/${id}`);
  });

  once('sources are for those who may import, and in the name of one of them', async ({ daybook }) => {
    const address = 'https://theatre.example/programme.ics';
    for (const [as, status] of [
      ['anonymous', 401],
      ['author', 403],
      ['contributor', 403],
      ['subscriber', 403],
    ] as const) {
      assert.is((await daybook.request(as, 'POST', '/sources', { address })).status, status);
      assert.is((await daybook.get('/sources', as)).status, status);
    }
    const refused = async (body: object, as: As = 'editor') =>
      (await daybook.request(as, 'POST', '/sources', body)).status;
    assert.is(await refused({ address, user: daybook.userId('administrator') }), 400, 'another user');
    assert.is(
      await refused({ address, user: daybook.userId('author') }, 'administrator'),
      400,
      'one who may not import',
    );
    assert.is(await refused({ address: 'ftp://theatre.example' }), 400);
    assert.is(await refused({ address: 'http://cal.example/calendar/events/v1/events' }), 400, 'this calendar itself');
    assert.is(await refused({ address, every: 1 }), 400);
    const { body, headers } = await daybook.request('editor', 'POST', '/sources', { address });
    const path = `/sources/${body.id}`;
    await daybook.request('editor', 'POST', `${path}/pause`, {});
    const stale = { 'if-match': headers.etag ?? '' };
    assert.is((await daybook.request('editor', 'PATCH', path, { name: 'Late' }, stale)).status, 412);
    const etag = { 'if-match': (await daybook.get(path, 'editor')).headers.etag ?? '' };
    assert.is((await daybook.request('editor', 'PATCH', path, { mode: 'ignore' }, etag)).status, 200);
    await daybook.request('editor', 'DELETE', path);
  });

  test.run();
}
