// What the connection string of EventStoreDB may say, and what the check at start makes of the server behind it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import { EventStoreUnavailable } from '../../src/log/event-store.ts';
import { BadConnectionString } from '../../src/log/eventstoredb/address.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { temporaryDirectory } from '../support/events.ts';
import { collect, failureOf, open, suiteOverServer, within, write } from '../support/eventstoredb-given.ts';
import { type EventStoreDbServer, SCHEME, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { authority, certificate, key } from '../support/eventstoredb-tls.ts';

const test = suiteOverServer('EventStoreDB connection string and check at start');

test('the check at start passes in silence when all is well', async ({ store }) => {
  assert.is(await within(store.probe()), undefined);
});

test('the check at startup says in one sentence that the server is unavailable', async ({ server, store }) => {
  await server.stop();
  const { message } = await failureOf(store.probe());
  assert.is(
    message,
    `The event store at ${server.host} refuses connections: check host and port and that the server runs (DAYBOOK_EVENT_STORE).`,
  );
});

for (const scheme of SCHEME === 'esdb' ? ['esdb+discover'] : ['kdb', 'kurrentdb+discover', 'kdb+discover'])
  test(`${scheme}:// names the same client as ${SCHEME}://`, async ({ server }) => {
    const connectionString = server.connectionString.replace(SCHEME, scheme);
    const { DAYBOOK_EVENT_STORE: _, ...environment } = process.env;
    const { eventStore } = readConfig({ ...environment, DAYBOOK_EVENT_STORE: connectionString });
    assert.equal(eventStore, { engine: 'eventstoredb', connectionString });
    const store = await openEventStoreDb({ connectionString });
    await within(store.probe());
    await store.close();
  });

test('a process has one of the two clients, and says so', async ({ server }) => {
  const other = SCHEME === 'esdb' ? 'kurrentdb' : 'esdb';
  const opening = openEventStoreDb({ connectionString: server.connectionString.replace(SCHEME, other) });
  const error = await failureOf(opening);
  assert.instance(error, BadConnectionString);
  assert.match(error.message, 'write both addresses as esdb:// or both as kurrentdb://');
});

test('the check at startup reports an unknown host name', async () => {
  const store = await openEventStoreDb({
    connectionString: `${SCHEME}://nowhere.invalid:2113?tls=false`,
    deadlineMs: 10_000,
  });
  const { message } = await failureOf(store.probe());
  assert.match(message, /nowhere\.invalid:2113 (cannot be found|does not answer)/);
  await store.close();
});

test('the check at startup reports a refused user, and how a missing one shows', async ({ server, store }) => {
  server.refusesUsers = true;
  assert.match((await failureOf(store.probe())).message, 'wants a user and a password');
  assert.instance(await failureOf(write(store, 'event-1')), EventStoreUnavailable);
  const connectionString = server.connectionString.replace('://', '://ada:sesame@');
  const named = await openEventStoreDb({ connectionString });
  const { message } = await failureOf(named.probe());
  assert.match(message, 'credentials are sent over TLS only');
  assert.not.match(message, 'sesame');
  await named.close();
});

test('the check at startup reports a server that is not the leader, and which one is', async ({ server, store }) => {
  const follower = await startEventStoreDb();
  follower.leader = server;
  const wrong = await open(follower);
  const { message } = await failureOf(wrong.probe());
  assert.match(message, `${follower.host} is not the leader of its cluster (that is 127.0.0.1:${server.port})`);
  assert.match(message, 'DAYBOOK_EVENT_STORE');
  await wrong.close();
  await follower.stop();
  await store.probe();
});

test('with all nodes named the leader is found, and again when it changes', async ({ server }) => {
  const other = await startEventStoreDb();
  other.leader = server;
  const store = await openEventStoreDb({ connectionString: `${SCHEME}://${other.host},${server.host}?tls=false` });
  const subscription = collect(store);
  assert.is((await within(write(store, 'event-1'))).kind, 'appended');
  assert.is(server.log.streamOf('event-1').length, 1);
  await subscription.until(1);
  other.leader = null;
  server.leader = other;
  assert.is((await within(write(store, 'event-2'))).kind, 'appended');
  assert.is(other.log.streamOf('event-2').length, 1);
  await subscription.end();
  await store.close();
  await other.stop();
});

test('a cluster without a leader is unavailable for all concurrent calls, and the process continues', async ({
  server,
}) => {
  const connectionString = `${SCHEME}://${server.host},127.0.0.1:1?tls=false&maxDiscoverAttempts=2&discoveryInterval=10`;
  const store = await openEventStoreDb({ connectionString });
  await write(store, 'event-1');
  await server.stop();
  const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(store.head())));
  assert.ok(failures.every((failure) => failure instanceof EventStoreUnavailable));
  await store.close();
});

async function withTls(work: (secure: EventStoreDbServer, authorityFile: string) => Promise<void>): Promise<void> {
  const secure = await startEventStoreDb({ tls: { key: Buffer.from(key), certificate: Buffer.from(certificate) } });
  const { directory, remove } = await temporaryDirectory();
  const file = join(directory, 'authority.pem');
  await writeFile(file, authority);
  await work(secure, file);
  await secure.stop();
  await remove();
}

test('encryption, authority, user and password come from the connection string', async () => {
  await withTls(async (secure, file) => {
    const connectionString = `${SCHEME}://ada:open%3Asesame@localhost:${secure.port}?tlsCAFile=${file}`;
    const store = await openEventStoreDb({ connectionString });
    await within(store.probe());
    assert.is((await within(write(store, 'event-1'))).kind, 'appended');
    const expected = `Basic ${Buffer.from('ada:open:sesame').toString('base64')}`;
    assert.equal([...new Set(secure.credentials)], [expected]);
    secure.refusesUsers = true;
    const { message } = await failureOf(store.probe());
    assert.match(message, 'refuses the user ada: check the password');
    assert.not.match(message, 'sesame');
    await store.close();
  });
});

test('the check at startup reports a server that expects TLS and is contacted without', async () => {
  await withTls(async (secure) => {
    const store = await openEventStoreDb({ connectionString: `${SCHEME}://127.0.0.1:${secure.port}?tls=false` });
    const { message } = await failureOf(store.probe());
    assert.is(
      message,
      `The event store at 127.0.0.1:${secure.port} speaks TLS at this port: remove tls=false (DAYBOOK_EVENT_STORE).`,
    );
    await store.close();
  });
});

test('a server that is named by its address is asked over TLS without a warning', async () => {
  await withTls(async (secure, file) => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    for (const host of ['127.0.0.1', 'localhost']) {
      const store = await openEventStoreDb({
        connectionString: `${SCHEME}://${host}:${secure.port}?tlsCAFile=${file}`,
      });
      await within(store.probe());
      await store.close();
    }
    process.off('warning', note);
    assert.equal(warnings, []);
  });
});

test('the check at startup reports a certificate that cannot be verified', async () => {
  await withTls(async ({ port }) => {
    const store = await openEventStoreDb({ connectionString: `${SCHEME}://localhost:${port}` });
    assert.match((await failureOf(store.probe())).message, 'tlsCAFile');
    await store.close();
  });
});

test('the check at startup reports a server without TLS', async ({ server }) => {
  const store = await openEventStoreDb({ connectionString: `${SCHEME}://localhost:${server.port}` });
  assert.match((await failureOf(store.probe())).message, 'add tls=false');
  await store.close();
});

const mistakes: readonly [string, RegExp][] = [
  ['', /does not begin with esdb:/],
  ['http://localhost:2113', /does not begin with esdb:/],
  ['esdb://', /a host is missing/],
  ['esdb://localhost:two', /"two" is not a port/],
  ['esdb://localhost:99999', /"99999" is not a port/],
  ['esdb://ada@localhost', /user:password/],
  ['esdb://ada:se:same@localhost', /%3A or %40/],
  ['esdb://ada:se@same@localhost', /%3A or %40/],
  ['esdb://ada:sesame%@localhost', /%25/],
  ['esdb://ada:sesame@localhost?tls=no', /tls must be true or false/],
  ['esdb://ada:sesame@localhost?tsl=false', /no option "tsl"/],
  ['esdb://ada:sesame@localhost?tls', /"tls" is not of the form/],
  ['esdb://ada:sesame@localhost?tlsVerifyCert=false', /tlsCAFile/],
  ['esdb://ada:sesame@localhost?nodePreference=follower', /must be leader/],
  ['esdb://ada:sesame@localhost?keepAliveInterval=100', /at least 10000/],
  [`${SCHEME}://ada:sesame@localhost?tlsCAFile=/no/such/file.pem`, /tlsCAFile/],
];
for (const [connectionString, complaint] of mistakes) {
  test(`"${connectionString}" is refused with the invalid part, and without the password`, async () => {
    const error = await failureOf(openEventStoreDb({ connectionString, setting: 'SOME_SETTING' }));
    assert.instance(error, BadConnectionString);
    assert.match(error.message, complaint);
    assert.match(error.message, /^SOME_SETTING cannot be used: [^\n]*$/);
    assert.not.match(error.message, 'sesame');
  });
}

test.run();
