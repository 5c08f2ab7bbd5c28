import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventCreate, eventList, eventRead } from '../../../../src/calendar/event/http/event-schema.ts';
import { tagTables } from '../../../../src/calendar/term/http/term-schema.ts';
import { echo, type FakeEndpoint, type FakeRoute, shellOf } from '../shell.ts';

const test = suite('index');
const ROOT = '/calendar/events/v1';

const endpoint = (
  methods: FakeEndpoint['methods'],
  parameters: FakeEndpoint['parameters'] = Type.Object({}),
): FakeEndpoint => ({
  methods,
  parameters,
  handle: echo,
});

const ROUTES: readonly FakeRoute[] = [
  {
    path: '/events',
    endpoints: [endpoint(['GET'], eventList({ perPage: 12 })), endpoint(['POST'], eventCreate)],
    allow: () => ['GET'],
  },
  {
    path: '/events/{id}',
    endpoints: [endpoint(['GET'], eventRead), endpoint(['DELETE']), endpoint(['POST', 'PUT', 'PATCH'])],
    allow: () => ['GET'],
  },
  { path: '/events/by-slug/{slug}', endpoints: [endpoint(['GET'])], allow: () => ['GET'] },
  { path: '/tags', endpoints: [endpoint(['POST'], tagTables.create)], allow: () => ['GET'] },
];

const { app } = shellOf(ROUTES, { siteUrl: 'https://cal.example', prefixAliases: ['wp-json/other/v1'] });
const get = async (url: string) => {
  const answer = await app.inject(url);
  return { status: answer.statusCode, json: answer.json(), headers: answer.headers };
};

test('the index lists itself and every route, in order, as patterns', async () => {
  const { status, json, headers } = await get(ROOT);
  assert.is(status, 200);
  assert.is(headers.allow, 'GET');
  assert.equal(Object.keys(json), ['namespace', 'routes', '_links']);
  assert.is(json.namespace, 'calendar/events/v1');
  assert.equal(Object.keys(json.routes), [
    '/calendar/events/v1',
    '/calendar/events/v1/doc',
    '/calendar/events/v1/events',
    '/calendar/events/v1/events/(?P<id>\\d+)',
    '/calendar/events/v1/events/by-slug/(?P<slug>[^/]+)',
    '/calendar/events/v1/tags',
  ]);
  assert.equal(json._links, { up: [{ href: 'https://cal.example/' }] });
});

test('a route lists its methods in order, and a link if its path is fixed', async () => {
  const { routes } = (await get(`${ROOT}/`)).json;
  const single = routes['/calendar/events/v1/events/(?P<id>\\d+)'];
  assert.equal(single.methods, ['GET', 'DELETE', 'POST', 'PUT', 'PATCH']);
  assert.is(single.namespace, 'calendar/events/v1');
  assert.is(single._links, undefined);
  assert.equal(single.endpoints[1], { methods: ['DELETE'], args: [] });
  assert.equal(routes['/calendar/events/v1/events']._links, {
    self: [{ href: 'https://cal.example/calendar/events/v1/events' }],
  });
});

test('parameters contain what is declared and nothing else', async () => {
  const { routes } = (await get(ROOT)).json;
  const [list, create] = routes['/calendar/events/v1/events'].endpoints;
  const { description: _words, ...page } = list.args.page;
  assert.equal(page, { required: false, default: 1, type: 'integer' });
  assert.is(list.args.per_page.default, 12);
  assert.is(list.args.strict_dates.default, 'false');
  assert.is(list.args.strict_dates.type, undefined);
  assert.equal(list.args.categories.items, { type: 'integer' });
  assert.is(list.args.categories.type, undefined);
  assert.is(create.args.title.required, true);
  assert.is('default' in create.args.title, false);
  assert.is(create.args.website.default, null);
  assert.is('alsoTakes' in create.args.venue, false);
  for (const [name, argument] of Object.entries(create.args))
    assert.ok((argument as { description?: string }).description, name);
});

test('the default dates of the event list are those of the moment', async () => {
  const { args } = (await get(ROOT)).json.routes['/calendar/events/v1/events'].endpoints[0];
  assert.is(args.start_date.default, '2026-06-14 23:59:00');
  assert.is(args.end_date.default, '2028-06-15 13:00:00');
});

test('a parameter declared only to be refused is not listed', async () => {
  const { args } = (await get(ROOT)).json.routes['/calendar/events/v1/tags'].endpoints[0];
  assert.equal(Object.keys(args), ['name', 'description', 'slug']);
});

test('another namespace is not found', async () => {
  assert.is((await get(`${ROOT}?namespace=calendar/events/v1&context=edit`)).status, 200);
  const { status, json } = await get(`${ROOT}?namespace=other/v1`);
  assert.is(status, 404);
  assert.is(json.code, 'rest_invalid_namespace');
  assert.is((await get('/wp-json/other/v1?namespace=other/v1')).status, 200);
  assert.is((await get(`${ROOT}?namespace[]=x`)).status, 404);
});

test('links of the index follow the prefix that was used', async () => {
  const { routes } = (await get('/wp-json/other/v1')).json;
  assert.is(routes['/calendar/events/v1/events']._links.self[0].href, 'https://cal.example/wp-json/other/v1/events');
});

test('OPTIONS answers the same object', async () => {
  const { routes } = (await get(ROOT)).json;
  const options = await app.inject({ method: 'OPTIONS', url: `${ROOT}/events` });
  assert.equal(options.json(), routes['/calendar/events/v1/events']);
});

test.after(() => app.close());
test.run();
