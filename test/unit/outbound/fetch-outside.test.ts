import dns, { type LookupAddress } from 'node:dns';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fetchOutside, PrivateNetwork } from '../../../src/kernel/outbound/fetch-outside.ts';

const test = suite<{ server: Server; port: number; asked: IncomingMessage[] }>('requests to other servers');

const NOWHERE: ReadonlySet<string> = new Set();
const signal = () => AbortSignal.timeout(5_000);

test.before.each(async (context) => {
  context.asked = [];
  context.server = createServer((request, response) => {
    context.asked.push(request);
    if (request.url === '/never') return;
    if (request.url === '/moved') return void response.writeHead(301, { location: '/there' }).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(`${request.method} ${Buffer.concat(chunks)}`));
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.port = (context.server.address() as AddressInfo).port;
});

test.after.each(({ server }) => {
  server.closeAllConnections();
  server.close();
});

/** What it was answered, or refused with. */
const outcome = (answer: Promise<Response>): Promise<unknown> => answer.catch((error: unknown) => error);

test('a private network is refused however it is written, and nothing is sent', async ({ port, asked }) => {
  const hosts = [
    ...['127.0.0.1', 'localhost', 'LOCALHOST', '0x7f.1', '2130706433', '127.1', '0.0.0.0'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '10.1.2.3', '192.168.0.1', '169.254.169.254'],
    ...['172.31.255.255', '100.64.0.1', '[fe80::1]', '[fd00::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
    ...['[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b:1::a00:1]', '[::ffff:10.0.0.1]', '[fd00:ec2::254]'],
  ];
  for (const host of hosts) {
    const error = await outcome(fetchOutside(`http://${host}:${port}/`, { headers: {}, signal: signal() }, NOWHERE));
    assert.instance(error, PrivateNetwork, host);
  }
  assert.is(asked.length, 0);
});

test('a name is looked up once, and what it led to is connected to', async ({ port, asked }) => {
  const answers: LookupAddress[][] = [
    [{ address: '127.0.0.1', family: 4 }],
    // One private address among others is enough.
    [
      { address: '192.0.2.1', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ],
    // It was public when it was checked: a second look would lead home.
    [{ address: '192.0.2.1', family: 4 }],
    [{ address: '127.0.0.1', family: 4 }],
  ];
  let looked = 0;
  const real = dns.lookup;
  Object.assign(dns, {
    lookup: (_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      done(null, answers[looked++] ?? []),
  });
  syncBuiltinESMExports();
  try {
    const ask = () =>
      outcome(
        fetchOutside(`http://hooks.example:${port}/`, { headers: {}, signal: AbortSignal.timeout(150) }, NOWHERE),
      );
    assert.instance(await ask(), PrivateNetwork);
    assert.instance(await ask(), PrivateNetwork);
    assert.not.instance(await ask(), Response);
    assert.is(looked, 3);
    assert.instance(await ask(), PrivateNetwork, 'the next request looks again');
  } finally {
    Object.assign(dns, { lookup: real });
    syncBuiltinESMExports();
  }
  assert.is(asked.length, 0);
});

test('a host that is allowed by name is reached, on the ports that were named', async ({ port }) => {
  const ask = (host: string, allowed: string) =>
    outcome(fetchOutside(`http://${host}:${port}/`, { headers: {}, signal: signal() }, new Set([allowed])));
  assert.instance(await ask('127.0.0.1', '127.0.0.1'), Response);
  assert.instance(await ask('127.0.0.1', `127.0.0.1:${port}`), Response);
  assert.instance(await ask('LocalHost', 'localhost'), Response);
  assert.instance(await ask('127.0.0.1', `127.0.0.1:${port + 1}`), PrivateNetwork);
  assert.instance(await ask('127.0.0.1', 'localhost'), PrivateNetwork);
});

test('method, headers and body arrive, and a redirect is an answer', async ({ port, asked }) => {
  const allowed = new Set(['127.0.0.1']);
  const request = { method: 'POST', headers: { 'webhook-id': 'a' }, body: 'text', signal: signal() };
  const answer = await fetchOutside(`http://127.0.0.1:${port}/here`, request, allowed);
  assert.is(await answer.text(), 'POST text');
  assert.is(asked[0]?.headers['webhook-id'], 'a');
  const moved = await fetchOutside(`http://127.0.0.1:${port}/moved`, request, allowed);
  assert.is(moved.status, 301);
  assert.is(moved.headers.get('location'), '/there');
  assert.is(asked.length, 2);
});

test('a request ends with the reason of its signal', async ({ port, server }) => {
  const ending = new AbortController();
  server.once('request', () => ending.abort(new Error('enough')));
  const request = { headers: {}, signal: ending.signal };
  const error = await outcome(fetchOutside(`http://127.0.0.1:${port}/never`, request, new Set(['127.0.0.1'])));
  assert.is((error as Error).message, 'enough');
});

const every20ms = (text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
};
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const AT_ONCE: { readonly [name: string]: (socket: Socket) => void } = {
  'switches to another protocol': (socket) => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n`),
  'switches and goes on talking': (socket) =>
    void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\nHTTP/1.1 200 OK\r\n\r\ntext`),
  'switches without saying to what': (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'ends without an answer': (socket) => void socket.end(),
  'speaks something else': (socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
};
const AT_ITS_DEADLINE: { readonly [name: string]: (socket: Socket) => void } = {
  'says nothing': () => {},
  'asks for patience again and again': every20ms('HTTP/1.1 102 Processing\r\n\r\n'),
  'never ends its header': every20ms('HTTP/1.1 200 OK\r\nX-A: a'),
  'never ends its body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
    every20ms('a')(socket);
  },
};

test('whatever a server does, a request is over at its deadline, and its connection is closed', async () => {
  for (const [name, behave] of Object.entries({ ...AT_ONCE, ...AT_ITS_DEADLINE })) {
    const open = new Set<Socket>();
    const server = createTcpServer((socket) => {
      open.add(socket);
      socket.on('error', () => {}).once('close', () => open.delete(socket));
      socket.once('data', () => behave(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const deadline = AbortSignal.timeout(name in AT_ONCE ? 20_000 : 200);
    const request = { headers: {}, signal: deadline };
    const reading = fetchOutside(`http://127.0.0.1:${port}/`, request, new Set(['127.0.0.1'])).then((one) =>
      one.text(),
    );
    const end = await Promise.race([
      reading.then(String, (error: unknown) => error),
      sleep(10_000, 'never', { ref: false }),
    ]);
    assert.instance(end, Error, `a server that ${name}: ${end}`);
    assert.is(deadline.aborted, !(name in AT_ONCE), name);
    for (let look = 0; open.size > 0 && look < 200; look += 1) await sleep(10);
    assert.is(open.size, 0, `the connection to a server that ${name}`);
    server.close();
  }
});

test.run();
