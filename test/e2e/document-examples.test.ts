// Every example of the document, sent as it stands, in every media type.
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RECEIVER } from '../support/documented-calendar.ts';
import { formWith, png } from '../support/pictures.ts';
import { type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('examples of the document');
const daybook = await startTestService({ environment: { DAYBOOK_PRIVATE_HOSTS: RECEIVER } });
const document: Body = (await daybook.get('/doc')).body;

interface Sent {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly example: Body;
}

const SENT: readonly Sent[] = Object.entries<Body>(document.paths).flatMap(([path, item]) =>
  Object.entries<Body>(item).flatMap(([method, { requestBody }]) =>
    Object.entries<Body>(requestBody?.content ?? {}).map(([type, { example }]) => ({
      ...{ name: `${method} ${path} as ${type}`, method: method.toUpperCase(), path, type, example },
    })),
  ),
);

let made = 0;

/** Steps that a proposal's author takes; all others are those of a reviewer. */
const BY_ITS_AUTHOR: ReadonlySet<string> = new Set(['/proposals/{id}/withdraw']);

/** Steps that are not for the author of a set. */
const BY_ANOTHER: ReadonlySet<string> = new Set(['/sets/{id}/approve', '/sets/{id}/request-changes']);

async function proposal(excerpt: string, by: 'administrator' | 'editor'): Promise<Body> {
  const event = await daybook.created('administrator', 'events', someEvent({ title: excerpt }));
  const { body } = await daybook.request(by, 'POST', `/events/${event.id}/proposals`, { excerpt });
  return { id: body.id, slug: '' };
}

/** The slug in the examples of merges; there is one of it after the first of them. */
const STAYS = 'the-one-that-stays';
const STAYING: { readonly [collection: string]: object } = {
  venues: { venue: STAYS },
  organizers: { organizer: STAYS },
};

async function picture(): Promise<Body> {
  const form = await formWith(await png(9, 9));
  return (await daybook.request('administrator', 'POST', '/media', form.body, form.headers)).body;
}

/** Something of a collection that an example may be sent to. */
async function target(collection: string, path: string): Promise<Body> {
  made += 1;
  const name = `Something ${made}`;
  const bodies: { readonly [collection: string]: object } = {
    events: someEvent({ title: name }),
    venues: { venue: name },
    organizers: { organizer: name },
    users: { login: `user-${made}`, role: 'author' },
    webhooks: { url: `http://${RECEIVER}/` },
    sources: { address: `http://${RECEIVER}/` },
  };
  if (collection === 'media') return picture();
  if (collection === 'series') {
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=2' };
    return (await daybook.created('administrator', 'events', someEvent({ recurrence }))).series;
  }
  if (collection === 'proposals') return proposal(name, BY_ITS_AUTHOR.has(path) ? 'administrator' : 'editor');
  if (path.endsWith('/merge'))
    await daybook.request('administrator', 'POST', `/${collection}`, STAYING[collection] ?? { name: STAYS });
  if (collection === 'sets') {
    const { id } = await proposal(name, 'editor');
    const opener = BY_ANOTHER.has(path) ? 'editor' : 'administrator';
    return daybook.created(opener, 'sets', { name, proposals: [id] });
  }
  if (path.includes('{event}')) return parkedDelivery();
  const { id, slug, user } = await daybook.created('administrator', collection, bodies[collection] ?? { name });
  return { id: id ?? user.id, slug };
}

/** Of a webhook that has one. */
const EVENT = randomUUID();
async function parkedDelivery(): Promise<Body> {
  const { id, created } = await daybook.created('administrator', 'webhooks', { url: `http://${RECEIVER}/` });
  const fact = {
    ...{ id: randomUUID(), type: 'DeliveryParked', schemaVersion: 1 },
    data: { event: EVENT, stream: 'venue-1', revision: 0 },
    metadata: { actor: { id: null, name: 'test' }, instant: created, correlationId: 'x', causationId: 'x' },
  };
  await daybook.store.append([{ stream: `deliveries-${id}`, expected: 'no_stream', events: [fact] }]);
  return { id, slug: '' };
}

/** Reverts need a request that there was. */
const REVERTS = '/reverts';

async function example(path: string, documented: Body): Promise<Body> {
  if (path !== REVERTS) return documented;
  made += 1;
  const { headers } = await daybook.request('administrator', 'POST', '/tags', { name: `Something ${made}` });
  return { ...documented, request: headers['x-request-id'] };
}

const BOUNDARY = '----7MA4YWxkTrZu0gW';

const part = (name: string, value: unknown): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What no example can say: the smallest picture that there is. */
const FILE = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n`),
  Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  Buffer.from('\r\n'),
]);

/** Members of an object as words. */
const inWords = (value: Body): string =>
  typeof value !== 'object' || Array.isArray(value)
    ? String(value)
    : Object.entries(value)
        .map(([member, one]) => `${member}=${one}`)
        .join(' ');

/** The body in a media type. Lists are separated by commas in forms. */
function encoded(type: string, path: string, example: Body): { readonly type: string; readonly body: string | Buffer } {
  if (type === 'application/json') return { type, body: JSON.stringify(example) };
  const members = Object.entries(example).flatMap(([name, value]) =>
    path === '/media' && name === 'file' ? [] : [[name, inWords(value)] as const],
  );
  if (type === 'application/x-www-form-urlencoded')
    return { type, body: new URLSearchParams(Object.fromEntries(members)).toString() };
  assert.is(type, 'multipart/form-data');
  const fields = Buffer.from(members.map(([name, value]) => part(name, value)).join(''));
  const file = path === '/media' ? [FILE] : [];
  return {
    type: `${type}; boundary=${BOUNDARY}`,
    body: Buffer.concat([fields, ...file, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}

test('there is one for every request with a body', () => assert.ok(SENT.length > 60, String(SENT.length)));

for (const { name, method, path, type, example: documented } of SENT)
  test(`${name} works`, async () => {
    const [, collection = ''] = path.split('/');
    const { id, slug } = path.includes('{') ? await target(collection, path) : { id: 0, slug: '' };
    const where = path.replace('{id}', String(id)).replace('{slug}', slug).replace('{event}', EVENT);
    const { type: contentType, body } = encoded(type, path, await example(path, documented));
    const {
      status,
      body: answer,
      text,
    } = await daybook.request('administrator', method, where, body, {
      'content-type': contentType,
    });
    const isNew = path === `/${collection}` && path !== REVERTS && path !== '/policy' && path !== '/settings';
    const isCreating = isNew || /\/(credentials|proposals|polls)$/.test(path);
    assert.is(status, isCreating ? 201 : 200, `${where}: ${text}`);
    if (!isNew || path === '/imports') return;
    // The next media type creates the same.
    const created = answer.id ?? answer.user.id;
    assert.is((await daybook.request('administrator', 'DELETE', `/${collection}/${created}`)).status, 200);
  });

test.after(() => daybook.close());
test.run();
