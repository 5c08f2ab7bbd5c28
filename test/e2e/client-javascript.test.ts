// The client for JavaScript, over HTTP: what it does by itself, and the two examples that use it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Daybook, DaybookError, openDaybook } from '../../clients/javascript/client.js';
import { tellNews } from '../../examples/newsletter/newsletter.js';
import { buildSite } from '../../examples/static-site/build.js';
import { clientOf } from '../../scripts/client-types.mjs';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

interface Context {
  service: TestService;
  origin: string;
  editor: Daybook;
  reader: Daybook;
}

const test = suite<Context>('client for JavaScript');
const FOLDER = path.resolve(import.meta.dirname, '../../clients/javascript');

test.before(async (context) => {
  const service = await startTestService();
  const origin = await service.service.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `${origin}/calendar/events/v1`;
  const token = service.authorization('editor').replace('Bearer ', '');
  Object.assign(context, { service, origin, editor: openDaybook({ url, token }), reader: openDaybook({ url }) });
});
test.after(({ service }) => service.close());

/** What is said of operations may be worded anew. */
const withoutComments = (types: string): string => types.replace(/^ *\/\*\*.*\n/gm, '');

test('it knows the API as the document has it', async ({ service }) => {
  const { types, operations } = clientOf((await service.get('/doc')).body);
  const written = readFileSync(path.join(FOLDER, 'types.d.ts'), 'utf8');
  assert.is(withoutComments(written), withoutComments(types), 'write it by `npm run client`');
  assert.is(readFileSync(path.join(FOLDER, 'operations.js'), 'utf8'), operations, 'write it by `npm run client`');
});

test('its code has at most 25 kB', () => {
  const code = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  const bytes = code.reduce((sum, name) => sum + statSync(path.join(FOLDER, name)).size, 0);
  assert.ok(bytes <= 25_000, `${bytes} bytes`);
});

test('what it writes it reads, with the position of the write', async ({ editor, reader }) => {
  const made = await editor.postEvents({ title: 'Regatta', start_date: '2031-07-01', end_date: '2031-07-02' });
  assert.is(made.kind, 'answer');
  if (made.kind !== 'answer' || !('title' in made.value) || made.position === null) return assert.unreachable();
  const read = await reader.getEventsById({ id: made.value.id }, { atLeast: made.position });
  assert.is(read.value.title, 'Regatta');
});

test('a conflict is a value, and any other refusal an error', async ({ service, editor, reader }) => {
  const { id } = await service.created('editor', 'venues', { venue: 'Pier' });
  const { etag } = await editor.getVenuesById({ id });
  assert.ok(etag);
  const changed = await editor.patchVenuesById({ id, city: 'Hull' }, { ifMatch: etag, reason: 'it moved' });
  assert.is(changed.kind, 'answer');
  const late = await editor.patchVenuesById({ id, city: 'York' }, { ifMatch: etag });
  assert.is(late.kind === 'conflict' && late.error.code, 'rest_precondition_failed');
  const refused = await reader.patchVenuesById({ id, city: 'York' }).then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(refused, DaybookError);
  assert.is(refused instanceof DaybookError && refused.status, 401);
});

/** A service that refuses for now, and notes what it is sent. */
async function refusing(times: number, status: number) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    const isRefused = keys.length <= times;
    response.writeHead(isRefused ? status : 201, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(isRefused ? '{"code":"rest_unavailable","message":"Later.","data":{"status":503}}' : '{"id":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens at a port.
  return { keys, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

for (const status of [429, 503])
  test(`it comes back after ${status}, and what it creates keeps its key`, async () => {
    const { keys, url, close } = await refusing(2, status);
    const made = await openDaybook({ url }).postTags({ name: 'tides' });
    close();
    assert.is(made.kind, 'answer');
    assert.is(keys.length, 3);
    assert.is(new Set(keys).size, 1);
    assert.type(keys[0], 'string');
  });

test('it does not come back for ever', async () => {
  const { keys, url, close } = await refusing(9, 503);
  const error = await openDaybook({ url, attempts: 2 })
    .postTags({ name: 'tides' })
    .then(
      () => null,
      (one: unknown) => one,
    );
  close();
  assert.is(error instanceof DaybookError && error.status, 503);
  assert.is(keys.length, 2);
});

test('changes are told as they happen, and go on where they were left', async ({ service, editor }) => {
  await service.created('editor', 'tags', { name: 'ebb' });
  const told = editor.changes({ kind: 'tag' });
  const { value: first } = await told.next();
  assert.is(first?.change.kind, 'tag');
  await told.return();
  const ending = new AbortController();
  const later = editor.changes({ kind: 'tag', after: first?.after }, { signal: ending.signal });
  const next = later.next();
  const { id } = await service.created('editor', 'tags', { name: 'flood' });
  for (let { value } = await next; value?.change.id !== id; { value } = await later.next()) assert.ok(value);
  const waiting = later.next();
  ending.abort();
  assert.is((await waiting).done, true);
});

test('it lists every page', async ({ service, reader }) => {
  for (let at = 0; at < 3; at++) await service.created('editor', 'organizers', { organizer: `Crew ${at}` });
  const names: string[] = [];
  for await (const { organizer } of reader.each('getOrganizers', { per_page: 2 })) names.push(organizer);
  assert.equal(names.sort(), ['Crew 0', 'Crew 1', 'Crew 2']);
});

test('a static site has a page for each event to come', async ({ service, origin }) => {
  const { folder, remove } = temporaryFolder();
  await service.created(
    'editor',
    'events',
    someEvent({ title: 'Tides & <ebbs>', start_date: '2027-06-01', end_date: '2027-06-02' }),
  );
  const count = await buildSite(origin, folder, '2027-05-01');
  const index = readFileSync(path.join(folder, 'index.html'), 'utf8');
  assert.is(readdirSync(folder).length, count + 1);
  assert.match(index, 'Tides');
  assert.not.match(index, '<ebbs>');
  remove();
});

test('a newsletter tells what is published', async ({ service, origin, editor }) => {
  const token = service.authorization('editor').replace('Bearer ', '');
  const ending = new AbortController();
  const lines: string[] = [];
  const before = await editor.postTags({ name: 'before the news' });
  const after = before.kind === 'answer' ? before.position : null;
  assert.ok(after);
  const telling = tellNews({ origin, token, after, signal: ending.signal }, (line) => {
    lines.push(line);
    ending.abort();
  });
  await service.created('editor', 'events', someEvent({ title: 'Lantern walk' }));
  await telling;
  assert.match(lines[0] ?? '', /: Published\./);
});

test.run();
