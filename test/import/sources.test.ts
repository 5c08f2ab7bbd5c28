import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Desk, openDesk } from './desk.ts';

const test = suite<{ desk: Desk; server: Server; root: string }>('sources of an import');

const event = (id: number) => ({
  id,
  global_id: `calendar.example.org?id=${id}`,
  title: `Event ${id}`,
  start_date: '2030-03-01 10:00:00',
  end_date: '2030-03-01 11:00:00',
});

test.before.each(async (context) => {
  context.desk = await openDesk({ timeoutMs: 200, bytes: 10_000 });
  context.server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', context.root);
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    };
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = (address: string) => ({ next_rest_url: address });
    if (url.pathname === '/paged')
      return json({ events: [event(page)], ...(page < 3 ? next(`${context.root}/paged?page=${page + 1}`) : {}) });
    if (url.pathname === '/loop') return json({ events: [event(page)], ...next(`${context.root}/loop`) });
    if (url.pathname === '/away') return json({ events: [event(1)], ...next('http://elsewhere.example.org/events') });
    if (url.pathname === '/breaks') {
      if (page === 1) return json({ events: [event(1)], ...next(`${context.root}/breaks?page=2`) });
      return response.setHeader('content-type', 'application/json').end('{"events": [');
    }
    if (url.pathname === '/html') return response.setHeader('content-type', 'text/html').end('<html></html>');
    if (url.pathname === '/large') return json({ events: [], text: 'x'.repeat(20_000) });
    if (url.pathname === '/never') return undefined;
    response.statusCode = 404;
    return response.end();
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.root = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
test.after.each(async ({ desk, server }) => {
  server.closeAllConnections();
  server.close();
  await desk.close();
});

async function reasonFor(desk: Desk, source: string): Promise<string> {
  const { code, refused } = await desk.run(source);
  assert.is(code, 1);
  assert.is(refused.length, 1);
  assert.is(refused[0]?.kind, 'source');
  return refused[0]?.reason ?? '';
}

test('an address is followed page by page', async ({ desk, root }) => {
  const { code, records, events } = await desk.run(`${root}/paged`);
  assert.is(code, 0);
  assert.is(records, 3);
  assert.is(events?.created, 3);
});

test('a single event is taken, too', async ({ desk }) => {
  assert.is((await desk.run(desk.file('one.json', event(9)))).events?.created, 1);
});

test('pages of another origin are not followed', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/away`), /elsewhere.example.org.*not followed/);
  assert.is((await desk.get('/events/1')).title, 'Event 1');
});

test('pages that lead in a circle end', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/loop`), 'lead back');
});

test('a page that breaks off is named, and the pages before it are taken', async ({ desk, root }) => {
  const { events, refused } = await desk.run(`${root}/breaks`);
  assert.is(events?.created, 1);
  assert.is(refused[0]?.file, `${root}/breaks?page=2`);
  assert.match(refused[0]?.reason ?? '', /^broken JSON: [^\n]+$/);
});

test('an address that answers HTML, 404, too much, or never says so in one line', async ({ desk, root }) => {
  assert.match(await reasonFor(desk, `${root}/html`), 'it answers HTML, not JSON');
  assert.is(await reasonFor(desk, `${root}/none`), 'it answers 404 Not Found');
  assert.is(await reasonFor(desk, `${root}/large`), 'its answer is larger than 10000 bytes');
  assert.is(await reasonFor(desk, `${root}/never`), 'it did not answer within 0.2 s');
  assert.match(await reasonFor(desk, 'http://127.0.0.1:1/'), 'cannot be reached');
});

test('a missing file, broken JSON and an empty folder say so, and the other sources are read', async ({ desk }) => {
  assert.is(await reasonFor(desk, `${desk.folder}/none.json`), 'there is no such file or folder');
  assert.match(await reasonFor(desk, desk.file('broken.json', '[{"id": 1,')), /^broken JSON: [^\n]+$/);
  const { events, code } = await desk.run(`${desk.folder}/none.json`, desk.file('good.json', [event(4)]));
  assert.is(code, 1);
  assert.is(events?.created, 1);
});

test.run();
