// `daybook serve` is told to end while it has begun something.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daybook, type Serving, serving } from '../../support/process.ts';
import { freePort } from '../../support/redis-server.ts';
import { someEvent, temporaryFolder } from '../../support/service.ts';

const test = suite('ending');

const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };
let running: Serving | undefined;
let token = '';

async function start(): Promise<Serving> {
  running = await serving(settings);
  token = running.token ?? token;
  return running;
}

test.after.each(async () => {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.kill();
});
test.after(remove);

const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

/** Without a body: one that is not read lets Node's client fail an assertion when the connection ends. */
const isOpen = ({ api }: Serving): Promise<boolean> =>
  fetch(api, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );

/** A request of which the end is missing, once the service has read its beginning. */
async function beginUpload({ address, api }: Serving): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `POST /calendar/events/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"title":`);
  await (await fetch(`${api}/tags`)).text();
  return socket;
}

test('one who waits gets what there is, one who listens the end of the stream, one who sends no more is cut off; the exit code is 0', async () => {
  const service = await start();
  const waiting = fetch(`${service.api}/changes?after=end&wait=60`, { headers: headers() });
  const stream = await fetch(`${service.api}/changes?after=end`, {
    headers: { ...headers(), accept: 'text/event-stream' },
  });
  assert.is(stream.status, 200);
  const upload = await beginUpload(service);
  const closed = once(upload, 'close');
  assert.is(await service.stop(), 0);
  const answer = await waiting;
  assert.is(answer.status, 200);
  assert.equal(((await answer.json()) as { changes: unknown[] }).changes, []);
  await stream.text();
  await closed;
  assert.is(service.errors(), '', 'nothing went wrong');
});

test('of writes that were under way each was answered as done and is there, or was not answered', async () => {
  const service = await start();
  const titles = Array.from({ length: 40 }, (_, number) => `Ending ${number}`);
  const writes = titles.map(async (title) => {
    const body = JSON.stringify(someEvent({ title }));
    const answer = await fetch(`${service.api}/events`, { method: 'POST', headers: headers(), body }).catch(() => null);
    return answer?.status === 201 ? [title] : [];
  });
  await Promise.race(writes);
  assert.is(await service.stop(), 0);
  const done = (await Promise.all(writes)).flat();
  assert.ok(done.length > 0);
  const again = await start();
  const listed = await fetch(`${again.api}/events?per_page=50&start_date=2020-01-01`);
  const { events } = (await listed.json()) as { events: { title: string }[] };
  const found = new Set(events.map(({ title }) => title));
  for (const title of done) assert.ok(found.has(title), title);
});

/** Resolves once something listens at a port. Without the pauses the questions would take the service's processor. */
async function opened(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpened = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpened) return;
    await pause(2);
  }
}

test('asked to end as soon as its port is open, it ends in good order', async () => {
  const port = await freePort();
  const started = daybook(['serve'], { ...settings, PORT: String(port) });
  await opened(port);
  started.child.kill('SIGTERM');
  assert.is(await started.ended, 0);
  assert.is(started.errors(), '');
});

test('asked to end before it listens, it ends with 0 and has issued no unseen token', async () => {
  const { folder: fresh, remove: clear } = temporaryFolder();
  const started = daybook(['serve'], { DAYBOOK_DATA_DIR: fresh, PORT: '0' });
  while (!existsSync(path.join(fresh, 'daybook.db')) && started.child.exitCode === null) await pause(5);
  started.child.kill('SIGTERM');
  assert.is(await started.ended, 0);
  assert.is(started.errors(), '');
  const isShown = started.out().includes('token: ');
  const later = await serving({ DAYBOOK_DATA_DIR: fresh });
  assert.is(later.token === null, isShown);
  await later.kill();
  clear();
});

test('a second signal ends it at once', async () => {
  const service = await start();
  const upload = await beginUpload(service);
  service.child.kill('SIGTERM');
  // Connections are refused once the first signal is handled.
  while (await isOpen(service));
  service.child.kill('SIGTERM');
  assert.is(await service.ended, 1);
  upload.destroy();
});

test.run();
