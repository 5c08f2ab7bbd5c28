import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelUnavailable } from '../../src/read-model/read-model.ts';
import { startDocumentedService } from '../support/documented.ts';
import { type Answer, type As, NOON, someEvent, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
  /** While true, nothing can be asked of the views. */
  views: { away: boolean };
}

const test = suite<Context>('history over HTTP');

test.before(async (context) => {
  const views = { away: false };
  context.views = views;
  context.daybook = await startDocumentedService({
    wrap: (stores) => {
      const guarded =
        <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
        (...args: Args): Promise<Result> =>
          views.away ? Promise.reject(new ReadModelUnavailable('away')) : ask(...args);
      const { readModel } = stores;
      const { fetch, terms, version, findBySlug, listEvents } = readModel;
      const [asked, known] = [guarded(fetch), guarded(terms)];
      return {
        ...stores,
        readModel: {
          ...readModel,
          fetch: asked,
          terms: known,
          version: guarded(async () => version()),
          findBySlug: guarded(findBySlug) as typeof findBySlug,
          listEvents: guarded(listEvents),
        },
      };
    },
  });
});
test.before.each(({ views }) => {
  views.away = false;
});
test.after(({ daybook }) => daybook.close());

const ALL_CALLERS: readonly As[] = [
  'anonymous',
  'subscriber',
  'contributor',
  'otherAuthor',
  'author',
  'editor',
  'administrator',
];
const bodyOf = (collection: string, members: object = {}): object => {
  if (collection === 'events') return someEvent(members);
  return { ...(collection === 'venues' ? { venue: 'Hall' } : { organizer: 'Choir' }), ...members };
};
const codeOf = ({ status, body }: Answer): string => `${status} ${body.code ?? ''}`;

test('a history is read by editors and by the author of the resource, in every status', async ({ daybook }) => {
  for (const collection of ['events', 'venues', 'organizers']) {
    for (const status of ['publish', 'draft', 'private', 'trash']) {
      const { id } = await daybook.created('author', collection, bodyOf(collection, { status }));
      const answers = await Promise.all(ALL_CALLERS.map((as) => daybook.get(`/${collection}/${id}/history`, as)));
      assert.equal(
        answers.map((answer) => answer.status),
        [401, 403, 403, 403, 200, 200, 200],
        `${collection} ${status}`,
      );
      assert.equal(new Set(answers.slice(4).map(({ text }) => text)).size, 1, 'they read the same');
    }
  }
});

test('what an editor has published stays readable for the contributor who wrote it', async ({ daybook }) => {
  const { id } = await daybook.created('contributor', 'events', someEvent());
  await daybook.request('editor', 'PUT', `/events/${id}`, { status: 'publish' });
  assert.is((await daybook.get(`/events/${id}/history`, 'contributor')).status, 200);
  assert.is((await daybook.get(`/events/${id}/history`, 'otherContributor')).status, 403);
  await daybook.request('editor', 'PUT', `/events/${id}`, { author: daybook.userId('author') });
  assert.is((await daybook.get(`/events/${id}/history`, 'contributor')).status, 403);
  const { body } = await daybook.get(`/events/${id}/history`, 'author');
  assert.is(body.history[0].summary, `Given to the author ${daybook.userId('author')}.`);
});

test('the history of a term is read by callers who manage its kind, of a deleted one too', async ({ daybook }) => {
  const expected = { categories: [401, 403, 403, 200, 200, 200, 200], tags: [401, 403, 403, 403, 403, 200, 200] };
  for (const [collection, statuses] of Object.entries(expected)) {
    const { id } = await daybook.created('editor', collection, { name: 'Music' });
    await daybook.request('editor', 'DELETE', `/${collection}/${id}`);
    const answers = await Promise.all(ALL_CALLERS.map((as) => daybook.get(`/${collection}/${id}/history`, as)));
    assert.equal(
      answers.map(({ status }) => status),
      statuses,
      collection,
    );
    assert.equal(
      answers.at(-1)?.body.history.map(({ summary }: { summary: string }) => summary),
      ['Deleted.', 'Created as “Music”.'],
    );
  }
});

test('ids that name nothing, or something else, are refused as in single reads', async ({ daybook }) => {
  const event = await daybook.created('editor', 'events', someEvent({ venue: { venue: 'Hall' } }));
  const code = async (target: string, as: As = 'editor') => codeOf(await daybook.get(target, as));
  assert.is(await code('/events/999/history'), '404 rest-event-not-found');
  assert.is(await code(`/events/${event.venue.id}/history`), '400 rest-invalid-event-id');
  assert.is(await code('/venues/999/history'), '400 rest_invalid_param');
  assert.is(await code(`/venues/${event.id}/history`), '400 rest_invalid_param');
  assert.is(await code('/tags/999/history'), '400 rest_invalid_param');
  assert.is(await code('/events/0/history'), '404 rest-event-not-found');
  assert.is(await code('/events/99999999999999999999/history'), '404 rest-event-not-found');
  assert.is(await code('/events/999/history', 'anonymous'), '401 rest_forbidden');
  assert.is(await code('/events/abc/history'), '404 rest_no_route');
  assert.is(codeOf(await daybook.request('editor', 'POST', `/events/${event.id}/history`)), '404 rest_no_route');
});

test('pages have links, totals and the selection, and end where the history ends', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'Title 0' }));
  for (let count = 1; count <= 5; count++)
    await daybook.request('editor', 'PUT', `/events/${id}`, { title: `Title ${count}` });
  const root = `http://cal.example/calendar/events/v1/events/${id}/history/`;
  const get = (query: string) => daybook.get(`/events/${id}/history${query}`, 'editor');
  const whole = (await get('')).body;
  assert.equal(
    { ...whole, history: whole.history.map(({ revision }: { revision: number }) => revision) },
    { history: [6, 5, 4, 3, 2, 1, 0], rest_url: root, total: 7, total_pages: 1 },
  );
  const middle = await get('?per_page=3&page=2');
  assert.equal(
    middle.body.history.map(({ revision }: { revision: number }) => revision),
    [3, 2, 1],
  );
  const { history: _, ...links } = middle.body;
  assert.equal(links, {
    rest_url: `${root}?page=2&per_page=3`,
    next_rest_url: `${root}?per_page=3&page=3`,
    previous_rest_url: `${root}?per_page=3`,
    total: 7,
    total_pages: 3,
  });
  const names = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages'];
  assert.equal(
    names.map((name) => middle.headers[name]),
    ['7', '3', '7', '3'],
  );
  assert.is(codeOf(await get('?per_page=3&page=4')), '404 rest_history_page_not_found');
  assert.is((await get('?per_page=500')).body.history.length, 7);
  for (const query of ['?page=0', '?page=-1', '?per_page=0', '?per_page=x', '?page='])
    assert.is(codeOf(await get(query)), '400 rest_invalid_param', query);
});

test('a history has a tag of its last revision, answers 304, and HEAD as GET', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const target = `/events/${id}/history`;
  const first = await daybook.get(target, 'editor');
  assert.match(first.headers.etag ?? '', /^"1-[\w-]{22}"$/);
  const again = await daybook.get(target, 'editor', { 'if-none-match': first.headers.etag ?? '' });
  assert.equal([again.status, again.text], [304, '']);
  const head = await daybook.request('editor', 'HEAD', target);
  assert.equal([head.status, head.text, head.headers.etag], [200, '', first.headers.etag]);
  await daybook.request('editor', 'PUT', `/events/${id}`, { title: 'Other' });
  const later = await daybook.get(target, 'editor', { 'if-none-match': first.headers.etag ?? '' });
  assert.is(later.status, 200);
  assert.match(later.headers.etag ?? '', /^"2-/);
  assert.is(later.headers.allow, 'GET');
  assert.match(later.headers['cache-control'] ?? '', 'no-store');
});

test('a history and old states are read from the log although the read model is unavailable', async ({
  daybook,
  views,
}) => {
  const event = await daybook.created('author', 'events', someEvent({ venue: { venue: 'Hall' }, tags: 'one' }));
  await daybook.request('author', 'PUT', `/events/${event.id}`, { title: 'Other' });
  const targets = [
    `/events/${event.id}/history`,
    `/venues/${event.venue.id}/history`,
    `/events/${event.id}?revision=0`,
    `/events/${event.id}?as_of=@${NOON}`,
    `/venues/${event.venue.id}?as_of=@${NOON}`,
  ];
  const read = async () => Promise.all(targets.map((target) => daybook.get(target, 'author')));
  const before = await read();
  views.away = true;
  assert.is((await daybook.get('/events')).status, 503);
  const meanwhile = await read();
  assert.equal(
    meanwhile.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.equal(
    meanwhile.map(({ text }) => text),
    before.map(({ text }) => text),
  );
});

test('no password and no hash of one shows in a history', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent({ password: 'open sesame' }));
  await daybook.request('editor', 'PUT', `/events/${id}`, { password: 'shut sesame' });
  const { text, body } = await daybook.get(`/events/${id}/history`, 'editor');
  assert.is(body.history[0].summary, 'Password changed.');
  const stored = JSON.stringify(await daybook.store.readStream(`event-${id}`));
  const hashes = [...stored.matchAll(/"(?:hash|passwordHash)":"((?!sha256:)[^"]+)"/g)].map(([, hash]) => hash ?? '');
  assert.is(hashes.length, 2);
  for (const secret of ['sesame', ...hashes]) assert.not.match(text, secret);
});

test('the reason of a change is one line of text, from a header or the body', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  let count = 0;
  const put = (headers: { readonly [name: string]: string }, members: object = {}) =>
    daybook.request('editor', 'PUT', `/events/${id}`, { title: `Title ${++count}`, ...members }, headers);
  const reasonFor = async (header: string | null, member?: unknown) => {
    const sent = await put(header === null ? {} : { 'x-change-reason': header }, { _reason: member });
    if (sent.status !== 200) return codeOf(sent);
    return (await daybook.get(`/events/${id}/history?per_page=1`, 'editor')).body.history[0].reason;
  };
  assert.is(await reasonFor('rain forecast'), 'rain forecast');
  assert.is(await reasonFor('f%C3%BCr die G%C3%A4ste'), 'für die Gäste');
  assert.is(await reasonFor(Buffer.from('für die Gäste').toString('latin1')), 'für die Gäste');
  assert.is(await reasonFor('50% off'), '50% off');
  assert.is(await reasonFor('%FF%FE'), '%FF%FE', 'what is no UTF-8 stays as it is');
  assert.is(await reasonFor('one%0D%0Atwo%00%1b[31m'), 'one two [31m');
  assert.is(await reasonFor('header', 'body'), 'header');
  assert.is(await reasonFor(null, 'over\n\ntwo lines '), 'over two lines');
  assert.is(await reasonFor(null, '\u202egnirts'), 'gnirts');
  assert.is(await reasonFor(null, ' \n '), null);
  assert.is(await reasonFor(null, 7), null);
  assert.is(await reasonFor('x'.repeat(1_000)), 'x'.repeat(1_000));
  assert.is(await reasonFor('x'.repeat(1_001)), '400 rest_invalid_param');
  const refused = await put({ 'x-change-reason': '%C3%BC'.repeat(1_001) });
  assert.equal(Object.keys(refused.body.data.params), ['X-Change-Reason']);
  assert.is(codeOf(await put({}, { _reason: 'x'.repeat(1_001) })), '400 rest_invalid_param');
  const trashed = await daybook.request('editor', 'DELETE', `/events/${id}`, undefined, { 'x-change-reason': 'spam' });
  assert.is(trashed.status, 200);
  const [last] = (await daybook.get(`/events/${id}/history`, 'editor')).body.history;
  assert.equal([last.type, last.reason], ['EventTrashed', 'spam']);
});

test('what one request did has an entry each, tied together by one correlation id', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'events', someEvent());
  const changed = await daybook.request('editor', 'PUT', `/events/${id}`, {
    title: 'Other',
    featured: true,
    cost: '7',
  });
  const { history } = (await daybook.get(`/events/${id}/history`, 'editor')).body;
  assert.equal(
    history.slice(0, 3).map(({ summary }: { summary: string }) => summary),
    ['Featured.', 'Cost set to $7.', 'Renamed from “Open rehearsal” to “Other”.'],
  );
  const ids = new Set(history.slice(0, 3).map((entry: { correlation_id: string }) => entry.correlation_id));
  assert.equal([...ids], [changed.headers['x-request-id']]);
});

test('the index lists histories and time travel', async ({ daybook }) => {
  const { routes } = (await daybook.get('')).body;
  for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    const route = `/calendar/events/v1/${collection}/(?P<id>\\d+)`;
    assert.equal(Object.keys(routes[`${route}/history`].endpoints[0].args), ['id', 'page', 'per_page']);
    const { as_of: asOf, revision } = routes[route].endpoints[0].args;
    assert.equal([asOf.type, asOf.format, asOf.required], ['string', 'date-time', false]);
    assert.is(revision.type, 'integer');
  }
});

test.run();
