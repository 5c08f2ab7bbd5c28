import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDeployment } from '../support/deployment.ts';
import { daybook as startDaybook } from '../support/process.ts';
import { type Answer, type As, type Body, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService }>('the calendar at an instant to come');

test.before.each(async (context) => {
  context.daybook = await startTestService({ environment: { DAYBOOK_TIMEZONE: 'Europe/Berlin' } });
});
test.after.each(({ daybook }) => daybook.close());

const DAY = 86_400;
const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');
const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`;
const titles = ({ body }: Answer): string[] => body.events.map(({ title }: Body) => title);

const dates = (at: number) => ({ start_date: iso(at), end_date: iso(at + 3_600), timezone: 'UTC' });

/** An event that becomes public at an instant. */
const scheduled = ({ clock }: TestService, title: string, at: number, more: object = {}) => ({
  ...{ title, status: 'publish', date: iso(at) },
  ...dates(clock.at + 30 * DAY),
  ...more,
});

test('editors see a scheduled event in lists and by its id from its instant on, and not before', async ({
  daybook,
}) => {
  const at = daybook.clock.at + DAY;
  const event = await daybook.created('editor', 'events', scheduled(daybook, 'Premiere', at, { tags: ['Stage'] }));
  assert.is(event.status, 'future');
  assert.equal(titles(await daybook.get(`/events?status=publish&as_of=${iso(at)}`, 'editor')), ['Premiere']);
  assert.equal(titles(await daybook.get(`/events?status=publish&tags=stage&as_of=${iso(at)}`, 'editor')), ['Premiere']);
  assert.is((await daybook.get(`/events?status=publish&as_of=${iso(at - 1)}`, 'editor')).body.total, 0);
  assert.is((await daybook.get(`/events/${event.id}?as_of=${iso(at)}`, 'administrator')).body.status, 'publish');
  assert.is((await daybook.get(`/events/${event.id}?as_of=${iso(at - 1)}`, 'editor')).body.status, 'future');
  assert.is((await daybook.get(`/tags?as_of=${iso(at)}`, 'editor')).body.tags[0]?.count, 1);
});

test('others get the refusal of an instant in the future, as ever', async ({ daybook }) => {
  const at = iso(daybook.clock.at + DAY);
  for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] satisfies As[]) {
    assert.is(codeOf(await daybook.get(`/events?as_of=${at}`, as)), '400 rest_invalid_param', as);
    assert.is(codeOf(await daybook.get('/events?with=proposal:1', as)), '400 rest_invalid_param', as);
  }
});

test('`with` carries out proposals, alone and together, and writes nothing', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', {
    ...{ title: 'Concert', status: 'publish' },
    ...dates(daybook.clock.at + DAY),
  });
  const propose = async (target: string, body: object): Promise<number> => {
    const { status, text, body: answer } = await daybook.request('author', 'POST', target, body);
    assert.is(status, 201, text);
    return answer.id;
  };
  const renamed = await propose(`/events/${event.id}/proposals`, { title: 'Gala', venue: { venue: 'Hall' } });
  const added = await propose('/events/proposals', {
    ...{ title: 'Matinee', status: 'publish', venue: { venue: 'Foyer' } },
    ...dates(daybook.clock.at + 2 * DAY),
  });
  const before = await daybook.stores.store.head();
  const list = await daybook.get(`/events?with=proposal:${renamed},proposal:${added}`, 'editor');
  assert.equal(titles(list), ['Gala', 'Matinee'], list.text);
  assert.equal(
    list.body.events.map(({ venue }: Body) => venue.venue),
    ['Hall', 'Foyer'],
  );
  assert.match(list.body.rest_url, /with=proposal/);
  assert.is((await daybook.get(`/events/${event.id}?with=proposal:${renamed}`, 'editor')).body.title, 'Gala');
  assert.equal(titles(await daybook.get('/events', 'editor')), ['Concert']);
  assert.is(await daybook.stores.store.head(), before);
  assert.is(codeOf(await daybook.get('/events?with=proposal:99', 'editor')), '404 rest_proposal_not_found');
  assert.is(codeOf(await daybook.get('/events?with=set:spring;', 'editor')), '400 rest_invalid_param');
  await daybook.request('editor', 'PATCH', `/events/${event.id}`, { title: 'Recital' });
  assert.is(codeOf(await daybook.get(`/events?with=proposal:${renamed}`, 'editor')), '409 rest_proposal_conflict');
  assert.equal(titles(await daybook.get(`/events?with=proposal:${added}`, 'editor')), ['Recital', 'Matinee']);
  assert.is((await daybook.request('editor', 'POST', `/proposals/${added}/approve`, {})).status, 200);
  assert.is(codeOf(await daybook.get(`/events?with=proposal:${added}`, 'editor')), '409 rest_proposal_closed');
});

test('a proposal of another slug is shown at the slug of today', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', { title: 'Concert', ...dates(daybook.clock.at + DAY) });
  const { body } = await daybook.request('author', 'POST', `/events/${event.id}/proposals`, { slug: 'gala' });
  const { text, body: shown } = await daybook.get(`/events/by-slug/concert?with=proposal:${body.id}`, 'editor');
  assert.is(shown.id, event.id, text);
  assert.is(shown.slug, 'gala');
});

test('what is written after a question is in the next answer', async ({ daybook }) => {
  const at = daybook.clock.at + DAY;
  const one = await daybook.created('editor', 'events', scheduled(daybook, 'One', at));
  assert.equal(titles(await daybook.get(`/events?status=publish&as_of=${iso(at)}`, 'editor')), ['One']);
  await daybook.created('editor', 'events', scheduled(daybook, 'Two', at + DAY));
  assert.equal(titles(await daybook.get(`/events?status=publish&as_of=${iso(at + DAY)}`, 'editor')), ['One', 'Two']);
  assert.equal(titles(await daybook.get(`/events?status=publish&as_of=${iso(at)}`, 'editor')), ['One']);
  await daybook.request('editor', 'PATCH', `/events/${one.id}`, { date: iso(at + 3 * DAY) });
  assert.is((await daybook.get(`/events?status=publish&as_of=${iso(at)}`, 'editor')).body.total, 0);
});

test('a scheduled set is applied at its instant, and a set that is not scheduled as if it were applied now', async ({
  daybook,
}) => {
  const { id } = await daybook.created('editor', 'events', { title: 'Old', ...dates(daybook.clock.at + DAY) });
  const { body: proposal } = await daybook.request('author', 'POST', `/events/${id}/proposals`, { title: 'New' });
  const { body: set } = await daybook.request('editor', 'POST', '/sets', { name: 'Spring', proposals: [proposal.id] });
  const titleAt = async (query: string): Promise<string> =>
    (await daybook.get(`/events/${id}?${query}`, 'editor')).body.title;
  assert.is(await titleAt(`with=set:spring`), 'New');
  assert.is(await titleAt(`with=set:${set.id}`), 'New');
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'Old', 'nothing was written');
  assert.is(codeOf(await daybook.get(`/events/${id}?with=set:winter`, 'editor')), '404 rest_set_not_found');
  const at = daybook.clock.at + DAY / 2;
  const scheduled = await daybook.request('editor', 'POST', `/sets/${set.id}/schedule`, { at: iso(at) });
  assert.is(scheduled.status, 200, scheduled.text);
  assert.is(await titleAt(`as_of=${iso(at - 1)}`), 'Old');
  assert.is(await titleAt(`as_of=${iso(at)}`), 'New');
  assert.equal(titles(await daybook.get(`/events?status=publish&as_of=${iso(at)}`, 'editor')), ['New']);
  const { body } = await daybook.get('/schedule', 'editor');
  assert.equal(
    body.schedule.map(({ kind, action, title }: Body) => [kind, action, title]),
    [['set', 'apply', 'Spring']],
  );
  assert.is((await daybook.get('/schedule', 'author')).body.total, 0);
});

test('feeds, the question why and comparisons show what will be', async ({ daybook }) => {
  const at = daybook.clock.at + DAY;
  const event = await daybook.created('editor', 'events', scheduled(daybook, 'Premiere', at));
  const { body: proposal } = await daybook.request('administrator', 'POST', `/events/${event.id}/proposals`, {
    title: 'Gala',
  });
  const { body: set } = await daybook.request('editor', 'POST', '/sets', { name: 'Spring', proposals: [proposal.id] });
  const [before, then] = [iso(at - 1), iso(at)];
  const get = async (target: string) => {
    const answer = await daybook.get(target, 'editor');
    assert.is(answer.status, 200, `${target}: ${answer.text}`);
    return answer;
  };
  for (const feed of ['/events.ics?status=publish', '/events.rss?', '/events.atom?']) {
    assert.not.match((await get(`${feed}&as_of=${before}`)).text, /Premiere/, feed);
    assert.match((await get(`${feed}&as_of=${then}`)).text, /Premiere/, feed);
    assert.match((await get(`${feed}&as_of=${then}&with=set:spring`)).text, /Gala/, feed);
  }
  assert.is((await get(`/events.ics?status=publish&as_of=${then}`)).headers['x-tec-total'], '1');
  assert.match((await get(`/events/${event.id}.ics?with=proposal:${proposal.id}`)).text, /SUMMARY:Gala/);
  const why = `/events/${event.id}/why?status=publish`;
  assert.is((await get(`${why}&as_of=${before}`)).body.listed, false);
  assert.is((await get(`${why}&as_of=${then}`)).body.listed, true);
  assert.is((await get(`${why}&as_of=${then}&role=public`)).body.listed, true);
  assert.is((await get(`${why}&search=gala&as_of=${then}`)).body.listed, false);
  assert.is((await get(`${why}&search=gala&as_of=${then}&with=set:${set.id}`)).body.listed, true);
  const fields = async (query: string) =>
    (await get(`/events/${event.id}/compare?${query}`)).body.changes.map(({ field }: Body) => field).sort();
  assert.equal(await fields(`from=0&to=${then}`), ['status']);
  assert.equal(await fields('from=0&to=set:spring'), ['status', 'title']);
  assert.equal(await fields(`from=set:spring&to=${then}`), ['status', 'title']);
  const { to } = (await get(`/events/${event.id}/compare?from=0&to=${then}`)).body;
  assert.equal([to.instant, to.actor.name, to.event.status], [`${then.slice(0, -1)}.000Z`, 'schedule', 'publish']);
  const reversed = await daybook.get(`/events/${event.id}/compare?from=${then}`, 'editor');
  assert.is(codeOf(reversed), '400 rest_invalid_param');
  for (const target of [why, '/events.ics?', '/events.rss?', '/events.atom?', `/events/${event.id}.ics?`])
    for (const when of [`as_of=${then}`, `as_of=2026-11-19`, `with=proposal:${proposal.id}`]) {
      // Of the past, why is answered to all.
      if (target === why && when.includes('19')) continue;
      const refused = await daybook.get(`${target}&${when}`, 'author');
      assert.ok([400, 403].includes(refused.status), `${target} ${when}: ${refused.text}`);
    }
  for (const side of [then, 'set:spring'])
    assert.is(
      codeOf(await daybook.get(`/events/${event.id}/compare?from=0&to=${side}`, 'anonymous')).slice(0, 2),
      '40',
    );
});

test('a list is compared with the one of an instant to come, and with what is not scheduled', async ({ daybook }) => {
  const { request, created, clock } = daybook;
  const at = clock.at + DAY;
  const event = await created('editor', 'events', { title: 'Concert', ...dates(clock.at + 30 * DAY) });
  await created('editor', 'events', scheduled(daybook, 'Premiere', at));
  await created('editor', 'events', { title: 'Draft', status: 'draft', ...dates(clock.at + 30 * DAY) });
  const wishes = [{ title: 'Gala concert' }, { status: 'private' }];
  const [gala, closing] = await Promise.all(
    wishes.map(async (wish) => (await request('author', 'POST', `/events/${event.id}/proposals`, wish)).body.id),
  );
  await request('editor', 'POST', '/sets', { name: 'Spring', proposals: [gala] });
  const now = iso(clock.at);
  const compare = async (query: string, as: As = 'editor'): Promise<Answer> =>
    daybook.get(`/events/compare?from=${now}&${query}`, as);
  const found = async (query: string): Promise<string[]> => {
    const { status, body, text } = await compare(query);
    assert.is(status, 200, text);
    return body.events.map(({ what, event: { title } }: Body) => `${what} ${title}`);
  };
  assert.equal(await found(`to=${now}`), []);
  assert.equal(await found(`to=${iso(at - 1)}`), []);
  assert.equal(await found(`to=${iso(at)}`), ['added Premiere']);
  assert.equal(await found('with=set:spring'), ['changed Gala concert']);
  assert.equal(await found(`with=set:spring&to=${iso(at)}`), ['changed Gala concert', 'added Premiere']);
  assert.equal(await found(`with=set:spring&to=${iso(at)}&search=premiere`), ['added Premiere']);
  assert.equal(await found(`with=proposal:${closing}`), ['cancelled Concert'], 'private is not public');
  const page = (await compare(`with=set:spring&to=${iso(at)}&per_page=1&words=1`)).body;
  assert.equal([page.total, page.total_pages, page.totals.added, page.totals.changed], [2, 2, 1, 1]);
  assert.equal(page.events[0].changes, [
    {
      ...{ field: 'title', before: 'Concert', after: 'Gala concert' },
      words: [
        { change: 'removed', text: 'Concert' },
        { change: 'added', text: 'Gala concert' },
      ],
    },
  ]);
  const next = await daybook.get(page.next_rest_url.slice(page.next_rest_url.indexOf('/events/compare')), 'editor');
  assert.equal(next.body.events[0]?.event.title, 'Premiere', next.text);
  assert.not.match((await compare('with=set:spring')).body.rest_url, 'to=', 'the present of the next request');
  const before = await daybook.store.head();
  for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] satisfies As[])
    for (const query of [`to=${iso(at)}`, 'with=set:spring', `to=${iso(at)}&with=proposal:${gala}`])
      assert.is(codeOf(await compare(query, as)), '400 rest_invalid_param', `${as} ${query}`);
  assert.is(codeOf(await compare('with=set:unknown')), '404 rest_set_not_found');
  clock.at += 60;
  assert.is(codeOf(await compare(`with=proposal:${gala}&to=${now}`)), '400 rest_invalid_param');
  assert.is(await daybook.store.head(), before, 'nothing is written');
});

test('two instants to come are compared, the later one also with what is not scheduled', async ({ daybook }) => {
  const { request, created, clock } = daybook;
  const [first, second] = [clock.at + DAY, clock.at + 2 * DAY];
  const concert = await created('editor', 'events', { title: 'Concert', ...dates(clock.at + 30 * DAY) });
  const hall = await created('editor', 'venues', { venue: 'Hall' });
  await created('editor', 'events', scheduled(daybook, 'Premiere', first));
  await created('editor', 'events', scheduled(daybook, 'Finale', second));
  const propose = async (target: string, wish: object): Promise<number> =>
    (await request('author', 'POST', `${target}/proposals`, wish)).body.id;
  // Both will be the next revision of the concert, the one in the first calendar, the other in the second.
  const gala = await propose(`/events/${concert.id}`, { title: 'Gala concert' });
  const evening = await propose(`/events/${concert.id}`, { title: 'Evening concert' });
  const moved = await propose(`/events/${concert.id}`, { venue: hall.id });
  const set = await request('editor', 'POST', '/sets', { name: 'Spring', proposals: [gala] });
  const scheduledSet = await request('administrator', 'POST', `/sets/${set.body.id}/schedule`, { at: iso(first) });
  assert.is(scheduledSet.status, 200, scheduledSet.text);
  const compare = (from: number, query: string, as: As = 'editor'): Promise<Answer> =>
    daybook.get(`/events/compare?from=${iso(from)}&${query}`, as);
  const found = async (from: number, query: string): Promise<string[]> => {
    const { status, body, text } = await compare(from, query);
    assert.is(status, 200, text);
    return body.events.map(({ what, event: { title } }: Body) => `${what} ${title}`);
  };
  const head = await daybook.store.head();
  assert.equal(await found(clock.at, `to=${iso(first)}`), ['changed Gala concert', 'added Premiere']);
  assert.equal(await found(first, `to=${iso(first)}`), []);
  assert.equal(await found(first, `to=${iso(second)}`), ['added Finale']);
  assert.equal(await found(first, `to=${iso(second)}&search=gala`), []);
  assert.equal(await found(first - 1, `to=${iso(first)}&with=proposal:${moved}`), [
    'moved Gala concert',
    'added Premiere',
  ]);
  // What conflicts with a proposal of `with` is not applied.
  assert.equal(await found(first, `to=${iso(first)}&with=proposal:${evening}`), ['changed Evening concert']);
  assert.is(codeOf(await compare(first, '')), '400 rest_invalid_param', 'the later one is now');
  assert.is(codeOf(await compare(second, `to=${iso(first)}`)), '400 rest_invalid_param');
  for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] satisfies As[])
    assert.is(codeOf(await compare(first, `to=${iso(second)}`, as)), '400 rest_invalid_param', as);
  const answers = await Promise.all([
    compare(first, `to=${iso(second)}`),
    compare(clock.at, `to=${iso(second)}`),
    compare(second, `to=${iso(second)}&with=proposal:${moved}`),
  ]);
  assert.equal(
    answers.map(({ status, body }) => [status, body.total]),
    [
      [200, 1],
      [200, 3],
      [200, 1],
    ],
  );
  assert.is(await daybook.store.head(), head, 'nothing is written');
});

test('on EventStoreDB and Redis a list ahead is the list of then, and trails, filters and the schedule answer', async () => {
  const deployment = await startDeployment();
  const daybook = await startTestService({ environment: deployment.settings });
  try {
    const at = daybook.clock.at + DAY;
    await daybook.created('editor', 'events', scheduled(daybook, 'Premiere', at));
    const { id } = await daybook.created('editor', 'events', { title: 'Old', ...dates(daybook.clock.at + DAY) });
    const { body: proposal } = await daybook.request('author', 'POST', `/events/${id}/proposals`, { title: 'New' });
    const { body: set } = await daybook.request('editor', 'POST', '/sets', {
      name: 'Spring',
      proposals: [proposal.id],
    });
    const list = '/events?status=publish';
    assert.equal(titles(await daybook.get(`${list}&with=set:spring`, 'editor')), ['New']);
    await daybook.request('editor', 'POST', `/sets/${set.id}/schedule`, { at: iso(at - 60) });
    const ahead = titles(await daybook.get(`${list}&as_of=${iso(at)}`, 'editor'));
    assert.equal(ahead, ['New', 'Premiere']);
    const { body: schedule } = await daybook.get('/schedule?kind=set', 'editor');
    assert.equal([schedule.total, schedule.schedule[0].title], [1, 'Spring']);
    const { body: changes } = await daybook.get('/changes?actor=author&order=desc', 'administrator');
    assert.equal([...new Set(changes.changes.map(({ actor }: Body) => actor.name))], ['author']);
    daybook.clock.at = at;
    const deadline = Date.now() + 20_000;
    let then: string[] = [];
    while (then.length < 2 || then[0] !== 'New') {
      then = titles(await daybook.get(list, 'editor'));
      assert.ok(Date.now() < deadline, `still ${then}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(then, ahead);
    const trail = path.join(String(deployment.settings.DAYBOOK_DATA_DIR), 'trail.jsonl');
    for (const args of [
      ['export', '--out', trail],
      ['verify', trail],
    ]) {
      const run = startDaybook(['audit', ...args], deployment.settings);
      assert.is(await run.ended, 0, run.errors());
    }
  } finally {
    await daybook.close();
    await deployment.close();
  }
});

test.run();
