// The document of the real routes: whole, valid, and nothing but what there is.
import { Validator } from '@seriousme/openapi-schema-validator';
import Schema, { type XSchema } from 'typebox/schema';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventCreate, eventList } from '../../../../src/calendar/event/http/event-schema.ts';
import { wireSchema } from '../../../../src/http/schemas/keywords.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import { resolved } from '../../../support/documented.ts';
import { type Body, ROOT, startTestService } from '../../../support/service.ts';

const test = suite('the OpenAPI document');
const daybook = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/other/v1' } });
let rounds = 0;
let isMaking = true;
function count(): void {
  rounds += 1;
  if (isMaking) setImmediate(count);
}
setImmediate(count);
const { body: document, headers } = await daybook.get('/doc');
isMaking = false;
const index = (await daybook.get('/')).body;
const shims = (await daybook.get('//wp-json/other/v1/wp/v2')).body;
/** What the indexes of the API and of its shims list, in the order of the document. */
const listed: Body = { ...index.routes, ...shims.routes };

interface Operation {
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Body;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const operations: readonly Operation[] = Object.entries<Body>(document.paths).flatMap(([path, item]) =>
  Object.entries<Body>(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
);

const isOfShims = (path: string): boolean => path.startsWith(`/${shims.namespace}`);

/** What the index says of a path of the document. */
const inIndex = (path: string): Body => {
  const pattern = path.replace(/\{(id|credential)\}/g, '(?P<$1>\\d+)').replace('{slug}', '(?P<slug>[^/]+)');
  if (isOfShims(path)) return listed[pattern];
  return listed[`/${index.namespace}${path === '/' ? '' : pattern}`];
};

test('an independent validator accepts it', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.is(valid, true, JSON.stringify(errors)?.slice(0, 1000));
});

test('paths begin with a slash, so addresses of servers end without one', () => {
  for (const { url } of document.servers) assert.not.match(url, /\/$/);
});

const { components } = document;

function misfit(schema: Body, value: unknown): string {
  const checked = Schema.Compile({ ...schema, components } as XSchema);
  if (checked.Check(value)) return '';
  return `${JSON.stringify(value)}: ${JSON.stringify(checked.Errors(value)[1][0])}`;
}

test('every example and every default is what its schema allows', () => {
  let examples = 0;
  let defaults = 0;
  const walk = (node: Body, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const isSchema = node.type !== undefined || node.anyOf !== undefined || node.$ref !== undefined;
    if (node.example !== undefined && (isSchema || node.schema !== undefined)) {
      examples += 1;
      assert.is(misfit(node.schema ?? node, node.example), '', at);
    }
    if (node.default !== undefined && isSchema && typeof node.default !== 'object') {
      defaults += 1;
      const { default: standard, ...schema } = node;
      assert.is(misfit(schema, standard), '', at);
    }
    for (const [name, member] of Object.entries(node)) if (name !== 'example') walk(member, `${at}/${name}`);
  };
  walk(document, '#');
  assert.ok(examples > 150 && defaults > 30, `${examples} examples, ${defaults} defaults`);
});

test('what a change does not say stays as it is: only what is made has defaults', () => {
  for (const { name, path, method, operation } of operations)
    for (const media of Object.values<Body>(operation.requestBody?.content ?? {})) {
      const { properties = {} } = resolved(document, media.schema);
      const withDefaults = Object.keys(properties).filter((member) => 'default' in properties[member]);
      if (method !== 'post' || path.includes('{')) assert.equal(withDefaults, [], name);
    }
  assert.is(document.components.schemas.EventsBody.properties.all_day.default, false);
});

test('what has members is typed so, whatever its check', () => {
  const { schemas } = document.components;
  for (const body of [schemas.EventsBody, schemas.EventsByIdBody]) {
    const { recurrence } = body.properties;
    assert.equal([recurrence.type, Object.keys(recurrence.properties)], ['object', ['rrule', 'rdates', 'exdates']]);
  }
  const fits = (schema: Body, value: unknown) => misfit(schema, value) === '';
  const { policy, settings, webhooks } = {
    policy: schemas.PolicyBody.properties.events,
    settings: schemas.SettingsBody.properties,
    webhooks: schemas.WebhooksBody.properties,
  };
  assert.ok(fits(policy, { author: 'review', approvals: 2 }) && fits(policy, 'author=review'));
  assert.ok(fits(settings.links, [{ label: 'Tides', url: 'https://tides.example/' }]) && !fits(settings.links, 'x'));
  assert.ok(fits(webhooks.types, ['event']) && fits(webhooks.types, 'event,venue') && !fits(webhooks.types, 5));
  assert.not.ok(fits(schemas.EventsBody.properties.recurrence, 'FREQ=WEEKLY'));
});

test('JSON comes first where there is a body, files take a form alone, and each has an example', () => {
  for (const { name, operation } of operations) {
    if (!operation.requestBody) continue;
    const { content } = operation.requestBody;
    const isUpload = name === 'post /media' || name === 'post /wp/v2/media';
    assert.is(Object.keys(content)[0], isUpload ? 'multipart/form-data' : 'application/json', name);
    for (const [type, { example }] of Object.entries<Body>(content)) assert.type(example, 'object', `${name} ${type}`);
  }
});

test('its outline is that of the contract', () => {
  assert.equal(Object.keys(document).slice(0, 5), ['openapi', 'info', 'components', 'servers', 'paths']);
  assert.is(document.openapi, '3.1.0');
  assert.is(document.info.version, '1.0.0');
  assert.equal(document.servers, [{ url: ROOT }]);
  const named = ['ImageSize', 'CostDetails', 'Term', 'Image', 'DateDetails', 'Event', 'Venue', 'Organizer'];
  assert.equal(Object.keys(document.components.schemas).slice(0, named.length), named);
  for (const name of named) assert.is(document.components.schemas[name].type, 'object', name);
});

test('lists, reads, writes and deletions have the expected statuses', () => {
  const has = (name: string, path: string, statuses: readonly string[]): void => {
    const known = Object.keys(document.paths[path][name].responses);
    for (const status of statuses) assert.ok(known.includes(status), `${name} ${path} ${status}`);
  };
  for (const kind of ['events', 'venues', 'organizers']) {
    has('get', `/${kind}`, ['200', '400', '404']);
    has('post', `/${kind}`, ['201', '400', '401', '403']);
    for (const path of [`/${kind}/{id}`, `/${kind}/by-slug/{slug}`]) {
      has('get', path, ['200', '400', '403', '404']);
      has('post', path, ['200', '400', '403']);
      has('delete', path, ['200', '400', '403', '410', '500']);
    }
  }
});

test('every route and method of the index is documented, and nothing else', () => {
  const documented = Object.keys(document.paths).map((path) => inIndex(path));
  assert.is(documented.includes(undefined), false);
  assert.is(Object.keys(document.paths).length, Object.keys(listed).length);
  for (const [path, item] of Object.entries<Body>(document.paths)) {
    assert.equal(
      Object.keys(item),
      inIndex(path).methods.map((method: string) => method.toLowerCase()),
      path,
    );
  }
});

test('the paths are in the order of the index', () => {
  const patterns = Object.keys(document.paths).map((path) => inIndex(path));
  assert.equal(patterns, Object.values(listed));
  assert.equal(Object.keys(document.paths).slice(0, 3), ['/', '/doc', '/events']);
});

test('every declared parameter is documented: type, whether it is required, and its default', () => {
  for (const { name, path, method, operation } of operations) {
    const { args } = inIndex(path).endpoints.find((one: Body) => one.methods.includes(method.toUpperCase()));
    for (const [argument, declared] of Object.entries<Body>(args)) {
      const { schema, required, description } = documentedParameter(operation, argument);
      // Beside a slug in the path, one in the body is a new one.
      if (argument !== 'slug') assert.is(description, declared.description, `${name} ${argument}`);
      if (declared.type !== undefined) assert.is([schema.type].flat()[0], declared.type, `${name} ${argument}`);
      if (!path.includes(`{${argument}}`)) assert.is(required, declared.required, `${name} ${argument}`);
      // What a change does not say stays as it is.
      const isOfChange = operation.requestBody !== undefined && (method !== 'post' || path.includes('{'));
      assertDefault(schema, isOfChange ? { default: undefined } : declared, `${name} ${argument}`);
    }
  }
});

/** As an argument, as a variable of the path, or as a member of the body. */
function documentedParameter(operation: Body, name: string): Body {
  const parameter = operation.parameters.find((one: Body) => one.name === name);
  const { content = {} } = operation.requestBody ?? {};
  const { schema } = content['application/x-www-form-urlencoded'] ?? content['multipart/form-data'] ?? {};
  const body = resolved(document, schema);
  const member = body?.properties[name];
  if (member === undefined) return parameter ?? assert.unreachable(`${operation.operationId} lacks ${name}`);
  return { ...member, schema: member, required: body.required?.includes(name) ?? false };
}

/** Defaults of null say that there is none, and dates those of the moment. */
function assertDefault(schema: Body, declared: Body, what: string): void {
  const { default: standard } = declared;
  const isOfTheMoment = what.endsWith('start_date') || what.endsWith('end_date');
  if (standard === undefined || standard === null) assert.is('default' in schema, false, what);
  else if (isOfTheMoment) assert.is(typeof schema.default, 'string', what);
  else assert.equal(schema.default, schema.type === 'boolean' ? standard === '1' || standard === true : standard, what);
}

test('what an operation takes is declared somewhere: a table, or what all share', () => {
  for (const { name, path, method, operation } of operations) {
    const { args } = inIndex(path).endpoints.find((one: Body) => one.methods.includes(method.toUpperCase()));
    for (const parameter of operation.parameters) {
      const isShared = typeof parameter.$ref === 'string' && resolved(document, parameter) !== undefined;
      const isKnown = isShared || parameter.name in args || path.includes(`{${parameter.name}}`);
      assert.ok(isKnown, `${name} ${JSON.stringify(parameter)}`);
    }
  }
});

test('lists in a query are written with commas, and say of what they are', () => {
  const categories = document.paths['/events'].get.parameters.find((one: Body) => one.name === 'categories');
  assert.equal([categories.style, categories.explode, categories.schema.type], ['form', false, 'array']);
  assert.ok(categories.schema.items);
});

test('bodies may be forms or JSON, of POST also multipart forms', () => {
  const types = (operation: Body): string[] => Object.keys(operation.requestBody.content);
  const { post, put } = document.paths['/events/{id}'];
  assert.equal(types(post), ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']);
  assert.equal(types(put), ['application/json', 'application/x-www-form-urlencoded']);
  const create = document.paths['/events'].post.requestBody;
  assert.equal(create.content['application/x-www-form-urlencoded'].schema.required, [
    'title',
    'start_date',
    'end_date',
  ]);
  assert.is(create.required, true);
  assert.is(post.requestBody.required, false);
});

test('a parameter declared only to be refused is not documented', () => {
  const hidden = Object.entries(document.paths['/tags'].post.requestBody.content).flatMap(([, { schema }]: Body) =>
    Object.keys(resolved(document, schema).properties).filter((name) => name === 'parent'),
  );
  assert.equal(hidden, []);
});

test('operations have ids of their own', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.is(new Set(ids).size, ids.length);
  for (const id of ['getIndex', 'getEvents', 'postEvents', 'patchEventsBySlug', 'getEventsByIdHistory'])
    assert.ok(ids.includes(id), id);
});

test('everything is described: operations, answers, parameters, headers, and each member of each schema', () => {
  const bare: string[] = [];
  const see = (schema: Body, at: string): void => {
    for (const [name, member] of Object.entries<Body>(schema?.properties ?? {})) {
      // What may be null has its description beside its type.
      if (![member, ...(member.anyOf ?? [])].some((one) => one.description || one.$ref)) bare.push(`${at}.${name}`);
      see(member, `${at}.${name}`);
    }
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) see(schema, name);
  for (const { name, operation } of operations) {
    if (!operation.summary) bare.push(name);
    for (const parameter of operation.parameters)
      if (!resolved(document, parameter).description) bare.push(`${name} ${parameter.name}`);
    for (const [status, answer] of Object.entries(operation.responses))
      if (!resolved(document, answer).description) bare.push(`${name} ${status}`);
  }
  for (const [name, header] of Object.entries<Body>(document.components.headers))
    if (!header.description) bare.push(name);
  assert.equal(bare, []);
});

test('every component is referenced', () => {
  const text = JSON.stringify(document);
  const unused = Object.entries<Body>(document.components)
    .filter(([group]) => group !== 'securitySchemes')
    .flatMap(([group, named]) => Object.keys(named).map((name) => `#/components/${group}/${name}`))
    .filter((reference) => !text.includes(`"${reference}"`));
  assert.equal(unused, []);
});

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).match(/"#\/components\/[^"]+"/g) ?? [];
  for (const reference of new Set(references)) {
    assert.ok(resolved(document, { $ref: JSON.parse(reference) }) !== undefined, reference);
  }
});

test('an operation that the public may use asks for no credentials, any other does', () => {
  assert.equal(document.paths['/events'].get.security, [{}, { basic: [] }, { bearer: [] }]);
  assert.equal(document.paths['/events'].post.security, [{ basic: [] }, { bearer: [] }]);
  assert.equal(Object.keys(document.components.securitySchemes), ['basic', 'bearer']);
});

test('the address of the server is that which the request used', async () => {
  const other = await daybook.get('//wp-json/other/v1/doc', 'anonymous', { host: 'elsewhere.example:8080' });
  assert.equal(other.body.servers, [{ url: 'http://elsewhere.example:8080/wp-json/other/v1' }]);
  assert.is.not(other.headers.etag, headers.etag);
});

test('shims have the address of the alias that they are beside, and are absent without one', async () => {
  for (const { name, path, operation } of operations) {
    const expected = isOfShims(path) ? [{ url: 'http://cal.example/wp-json/other/v1' }] : undefined;
    assert.equal(operation.servers, expected, name);
  }
  const ids = operations.filter(({ path }) => isOfShims(path)).map(({ operation }) => operation.operationId);
  for (const id of ['getWpV2UsersMe', 'postWpV2Tags', 'deleteWpV2MediaById']) assert.ok(ids.includes(id), id);
  const plain = await startTestService();
  const without = await plain.get('/doc');
  assert.not.match(without.text, /wp\/v2|ShimTag/);
  await plain.close();
  const known = await startTestService({ environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1,other' } });
  const { paths } = (await known.get('/doc')).body;
  assert.equal(paths['/wp/v2/tags'].get.servers, [{ url: 'http://cal.example/wp-json' }]);
  await known.close();
});

test('revalidating the document is a 304', async () => {
  const { status, text } = await daybook.get('/doc', 'anonymous', { 'if-none-match': headers.etag ?? '' });
  assert.equal([status, text], [304, '']);
  assert.is((await daybook.get('/doc')).headers.etag, headers.etag);
});

test('the document speaks the language of the reader', async () => {
  const german = await daybook.get('/doc', 'anonymous', { 'accept-language': 'de' });
  assert.is(german.headers['content-language'], 'de');
  assert.match(german.headers.vary ?? '', /Accept-Language/);
  assert.is.not(german.headers.etag, headers.etag);
  const page = (of: Body) => of.paths['/events'].get.parameters.find((one: Body) => one.name === 'page').description;
  assert.is(page(document), ENGLISH.describe(wireSchema(eventList({ perPage: 12 }).properties.page).description ?? ''));
  assert.is.not(page(german.body), page(document));
  const notFound = (of: Body) => of.components.responses['Error403.rest_forbidden'].description;
  assert.is.not(notFound(german.body), notFound(document));
});

test('others have their turn while the document is made', () => {
  assert.ok(rounds >= 20, `it was made in ${rounds} steps`);
});

test('the document has no method but to be read', async () => {
  const { status, body } = await daybook.request('editor', 'POST', '/doc', {});
  assert.equal([status, body.code], [404, 'rest_no_route']);
  assert.equal(Object.keys(document.paths['/doc']), ['get']);
  assert.ok(operations.every(({ method }) => METHODS.includes(method)));
});

test('the body of a creation has the members of its table', () => {
  const { schema } = document.paths['/events'].post.requestBody.content['application/x-www-form-urlencoded'];
  assert.equal(Object.keys(schema.properties), [...Object.keys(eventCreate.properties), '_reason']);
});

test.after(() => daybook.close());
test.run();
