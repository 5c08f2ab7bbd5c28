import { rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Json, LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { PERSONAL_PREFIXES } from '../../../src/people/personal-data/facts/personal-fields.ts';
import { openSqliteKeys } from '../../../src/people/personal-data/facts/sqlite-keys.ts';
import { KeysReplaced } from '../../../src/people/personal-data/facts/subject-keys.ts';
import { newEvent } from '../../support/events.ts';
import { withPersonalData } from '../../support/pipelines.ts';
import { append, drafted, type GivenLog, givenLog, loseKey } from './given-log.ts';

const test = suite<{ log: GivenLog }>('personal data in the log');

test.before.each(async (context) => {
  context.log = await givenLog();
});
test.after.each(({ log }) => log.remove());

const dataOf = (events: readonly RecordedEvent[]): Json[] => events.map(({ data }) => data);

async function readEveryWay(store: EventStore, stream: string): Promise<(readonly RecordedEvent[])[]> {
  const prefixes = [stream.replace(/\d+$/, '')];
  const byStream: RecordedEvent[] = [];
  for await (const batch of store.readByStream({ upTo: await store.head(), prefixes })) byStream.push(...batch);
  const followed: RecordedEvent[] = [];
  const ending = new AbortController();
  const all = await store.readAll({ after: LOG_START, prefixes, limit: 100 });
  for await (const batch of store.subscribe({ after: LOG_START, prefixes, batchSize: 1, signal: ending.signal })) {
    followed.push(...batch);
    if (followed.length === all.length) ending.abort();
  }
  return [await store.readStream(stream), all, byStream, followed];
}

const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
};

test('personal data is stored encrypted, and read as it was written, in every way of reading', async ({ log }) => {
  const [first, moved] = [drafted(), newEvent('OrganizerContactChanged', { phone: '', website: 'a', email: 'b@c.de' })];
  await append(log.store, 'organizer-7', 'no_stream', first, moved);
  for (const events of await readEveryWay(log.store, 'organizer-7'))
    assert.equal(dataOf(events), [first.data, moved.data]);
  const stored = dataOf(await log.sealed.readStream('organizer-7'))[0] as { [field: string]: Json };
  for (const field of ['name', 'slug', 'phone', 'email']) assert.match(JSON.stringify(stored[field]), '"$sealed":"v1:');
  assert.is(stored.website, '');
  assert.is(stored.description, 'A choir.');
  const text = await log.text();
  for (const said of ['Ann Archer', 'ann-archer', '555-0199', 'ann@example.org', 'b@c.de'])
    assert.not.ok(text.includes(said), said);
});

test('for users it is login, name, e-mail address, labels of credentials, and the single sign-on identity', async (c) => {
  const { log } = c;
  const facts = [
    newEvent('UserAdded', { id: 2, login: 'bea', email: 'bea@example.org', name: 'Bea Baker', role: 'author' }),
    newEvent('UserCredentialIssued', { credential: { id: 1, label: "Bea's phone", hash: 'h' } }),
    newEvent('UserIdentityBound', { issuer: 'https://id.example', subject: 'bea@work.example' }),
    newEvent('UserRoleChanged', { role: 'editor' }),
  ];
  await append(log.store, 'user-2', 'no_stream', ...facts);
  assert.equal(
    dataOf(await log.store.readStream('user-2')),
    facts.map(({ data }) => data),
  );
  assert.not.match(await log.text(), /"bea"|bea@|Baker|Bea's/);
  assert.match(await log.text(), '"editor"');
});

test('every kind of stream with personal data is read to find what cannot be read', () => {
  const kinds = [
    'guest',
    'name-organizer',
    'organizer',
    'picture',
    'proposal',
    'set',
    'source',
    'submission',
    'user',
    'webhook',
  ];
  assert.equal(
    [...PERSONAL_PREFIXES].sort(),
    kinds.map((kind) => `${kind}-`),
  );
});

test('other facts pass unchanged, as the same objects', async ({ log }) => {
  await append(log.store, 'venue-1', 'no_stream', newEvent('VenueRenamed', { name: 'Hall' }));
  await append(log.store, 'event-1', 'no_stream', newEvent('OrganizerRenamed', { name: 'of no organizer' }));
  const given = await log.sealed.readAll({ after: LOG_START, limit: 10 });
  const inner = { ...log.sealed, readStream: async () => given, readAll: async () => given };
  const store = withPersonalData(inner, log.keys);
  for (const read of [await store.readStream('venue-1'), await store.readAll({ after: LOG_START, limit: 10 })])
    assert.ok(given.every((event, index) => read[index] === event));
  assert.match(await log.text(), 'of no organizer');
  assert.match(await log.text(), 'Hall');
});

test('the name of an actor with an id is not stored; that of a program is', async ({ log }) => {
  const { metadata } = newEvent();
  const by = (id: number | null, name: string) => ({ ...newEvent(), metadata: { ...metadata, actor: { id, name } } });
  await append(log.store, 'event-1', 'no_stream', by(5, 'bea'), by(0, 'daybook import'), by(null, 'daybook users'));
  const actors = (await log.store.readStream('event-1')).map(({ metadata: { actor } }) => actor);
  assert.equal(actors, [
    { id: 5, name: '' },
    { id: 0, name: 'daybook import' },
    { id: null, name: 'daybook users' },
  ]);
});

test('registers are stored under digests of their names, and found under their names', async ({ log }) => {
  const { store } = log;
  const names = ['slug-user-bea@example.org', 'slug-organizer-ann-archer', 'name-organizer-0123abcd'];
  for (const stream of names) {
    const reserved = newEvent('SlugReserved', { owner: 'user-2' });
    assert.is((await append(store, stream, 'no_stream', reserved)).kind, 'appended');
    assert.equal(
      (await store.readStream(stream)).map((event) => [event.stream, event.id]),
      [[stream, reserved.id]],
    );
    assert.equal(await append(store, stream, 'no_stream', newEvent('SlugReserved', { owner: 'user-3' })), {
      kind: 'conflict',
      stream,
      actual: 0,
    });
    assert.is((await log.open().store.readStream(stream)).length, 1, 'for other processes too');
  }
  assert.not.match(await log.text(), /bea@|ann-archer|organizer-0123abcd/);
  const all = await store.readAll({ after: LOG_START, prefixes: ['slug-user-', 'slug-organizer-'], limit: 10 });
  assert.equal(all.length, 2);
  for (const { stream } of all) {
    assert.match(stream, /^slug-(user|organizer)-~[0-9a-f]{64}$/);
    assert.is((await store.readStream(stream)).length, 1, 'a stored name is a name as well');
  }
  await append(store, 'slug-event-fair', 'no_stream', newEvent('SlugReserved', { owner: 'event-1' }));
  assert.is((await log.sealed.readStream('slug-event-fair')).length, 1, 'those of events are no secret');
});

test('a register that was begun under its plain name goes on under it', async ({ log }) => {
  await append(log.sealed, 'slug-user-old', 'no_stream', newEvent('SlugReserved', { owner: 'user-1' }));
  assert.is((await log.store.readStream('slug-user-old')).length, 1);
  await append(log.store, 'slug-user-old', 0, newEvent('SlugReleased', { owner: 'user-1' }));
  assert.is((await log.sealed.readStream('slug-user-old')).length, 2);
});

test('reserved names are encrypted under the key of their owner', async ({ log }) => {
  const taken = newEvent('NameTaken', { owner: 'organizer-7', name: 'Ann Archer' });
  await append(log.store, 'name-organizer-1', 'no_stream', taken);
  await append(log.store, 'name-venue-1', 'no_stream', newEvent('NameTaken', { owner: 'venue-7', name: 'Hall' }));
  assert.equal(dataOf(await log.open().store.readStream('name-organizer-1')), [taken.data]);
  assert.not.match(await log.text(), 'Archer');
  assert.match(await log.text(), 'Hall');
  await log.keys.destroy('organizer-7');
  assert.equal(dataOf(await log.store.readStream('name-organizer-1')), [{ owner: 'organizer-7', name: '[erased]' }]);
});

test('without its key every way of reading shows [erased], and empty fields stay empty', async ({ log }) => {
  await append(
    log.store,
    'organizer-7',
    'no_stream',
    drafted(),
    newEvent('OrganizerTrashed', { slug: 'ann__trashed' }),
  );
  await append(log.store, 'organizer-8', 'no_stream', drafted({ id: 8, name: 'Bea' }));
  await log.keys.destroy('organizer-7');
  for (const store of [log.store, log.open().store])
    for (const events of await readEveryWay(store, 'organizer-7')) {
      const own = dataOf(events.filter(({ stream }) => stream === 'organizer-7'));
      assert.equal(own, [
        {
          ...(drafted().data as object),
          name: '[erased]',
          slug: 'erased-7',
          phone: '[erased]',
          website: '',
          email: '[erased]',
        },
        { slug: 'erased-7' },
      ]);
    }
  assert.match(JSON.stringify(await log.store.readStream('organizer-8')), 'Bea');
  assert.is(await log.misfits(), 0);
});

test('data recorded before encryption is covered, too', async ({ log }) => {
  await append(log.sealed, 'organizer-7', 'no_stream', drafted());
  assert.equal(dataOf(await log.store.readStream('organizer-7')), [drafted().data]);
  await log.keys.destroy('organizer-7');
  for (const store of [log.store, log.open().store])
    assert.not.match(JSON.stringify(await store.readStream('organizer-7')), /Archer|555-0199|ann-archer|ann@/);
});

test('the erasing fact counts even while the key is still there', async ({ log }) => {
  await append(log.store, 'organizer-7', 'no_stream', drafted(), newEvent('OrganizerErased', { slug: 'erased-7' }));
  assert.not.match(JSON.stringify(await log.store.readStream('organizer-7')), /Archer|555-0199|ann-archer|ann@/);
});

test('another process notices a destroyed key within a quarter of a second', async ({ log }) => {
  let now = 0;
  const other = log.open(() => now).store;
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  assert.match(JSON.stringify(await other.readStream('organizer-7')), 'Archer');
  await log.keys.destroy('organizer-7');
  now += 250;
  assert.not.match(JSON.stringify(await other.readStream('organizer-7')), 'Archer');
});

test('an append that would reveal erased data is a conflict; others go through', async ({ log }) => {
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  await log.keys.destroy('organizer-7');
  assert.equal(await append(log.store, 'organizer-7', 0, newEvent('OrganizerRenamed', { name: 'Ann' })), {
    kind: 'conflict',
    stream: 'organizer-7',
    actual: 0,
  });
  const contact = { phone: '[erased]', website: '', email: '[erased]' };
  for (const fact of [
    newEvent('OrganizerDescribed', { description: 'Still a choir.' }),
    newEvent('OrganizerContactChanged', contact),
    newEvent('OrganizerTrashed', { slug: 'erased-7__trashed' }),
  ]) {
    const { length } = await log.store.readStream('organizer-7');
    assert.is((await append(log.store, 'organizer-7', length - 1, fact)).kind, 'appended', fact.type);
    assert.equal((await log.store.readStream('organizer-7')).at(-1)?.data, fact.data);
  }
});

test('a repeated append is the same to the byte, and what comes after it fits the chain', async ({ log }) => {
  const first = [{ stream: 'organizer-7', expected: 'no_stream', events: [drafted()] }] as const;
  const outcome = await log.store.append(first);
  assert.equal(await log.store.append(first), outcome);
  await append(log.store, 'organizer-7', 0, newEvent('OrganizerRenamed', { name: 'Bea' }));
  assert.is(await log.misfits(), 0);
});

const masked = { name: '[unreadable]', slug: 'unreadable-7', phone: '[unreadable]', email: '[unreadable]' };

test('a key that is lost costs the personal fields of its owner and nothing else, whichever way it is read', async (c) => {
  const { log } = c;
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  await append(log.store, 'organizer-8', 'no_stream', drafted({ id: 8, name: 'Bea' }));
  loseKey(log, 'organizer-7');
  const { store, unreadable } = log.open();
  for (const events of await readEveryWay(store, 'organizer-7')) {
    const [own] = dataOf(events.filter(({ stream }) => stream === 'organizer-7'));
    assert.equal(own, { ...(drafted().data as object), ...masked });
  }
  assert.match(JSON.stringify(await store.readStream('organizer-8')), 'Bea');
  assert.equal(unreadable.subjects(), ['organizer-7']);
  assert.is(await log.misfits(), 0);
});

test('unreadable data may be entered again, and a placeholder sent back is not stored', async (c) => {
  const { log } = c;
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  loseKey(log, 'organizer-7');
  const { store, sealed } = log.open();
  const moved = newEvent('OrganizerContactChanged', { phone: '[unreadable]', website: '', email: 'new@cal.example' });
  assert.is((await append(store, 'organizer-7', 0, moved)).kind, 'appended');
  assert.equal(dataOf(await store.readStream('organizer-7')).at(-1), moved.data);
  const [, stored] = dataOf(await sealed.readStream('organizer-7')) as { [field: string]: Json }[];
  assert.is(stored?.phone, '[unreadable]');
  assert.match(JSON.stringify(stored?.email), '$sealed');
  assert.equal((dataOf(await store.readStream('organizer-7'))[0] as { name: string }).name, '[unreadable]');
});

test('a key that is put back opens everything again, without a restart', async ({ log }) => {
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  const backup = await log.keys.copy();
  loseKey(log, 'organizer-7');
  const { store, unreadable } = log.open();
  await store.readStream('organizer-7');
  const keys = openSqliteKeys({ file: log.keysFile });
  assert.is(await keys.take(backup), 'taken');
  await keys.close();
  assert.equal(dataOf(await store.readStream('organizer-7')), [drafted().data]);
  assert.equal(unreadable.subjects(), []);
});

test('a key of another log is no key', async ({ log }) => {
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  const { store, keys, unreadable } = log.open(undefined, `${log.directory}/others.db`);
  await keys.make(['organizer-7']);
  assert.equal(dataOf(await store.readAll({ after: LOG_START, limit: 1 })), [
    { ...(drafted().data as object), ...masked },
  ]);
  assert.equal(unreadable.subjects(), ['organizer-7']);
});

test('keys that are deleted or exchanged under a process take no append any more, until they are back', async (c) => {
  const { log } = c;
  await append(log.store, 'slug-user-ann', 'no_stream', newEvent('SlugReserved', { owner: 'user-1' }));
  await append(log.store, 'organizer-7', 'no_stream', drafted());
  const appends = [
    () => append(log.store, 'organizer-8', 'no_stream', drafted({ id: 8 })),
    () => append(log.store, 'event-9', 'no_stream', newEvent()),
  ];
  const backup = await log.keys.copy();
  const remove = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(log.keysFile + end, { force: true });
  };
  remove();
  for (const attempt of appends) assert.instance(await failureOf(attempt()), KeysReplaced);
  const others = openSqliteKeys({ file: log.keysFile });
  await others.pepper();
  await others.close();
  for (const attempt of appends) assert.instance(await failureOf(attempt()), KeysReplaced);
  remove();
  const own = openSqliteKeys({ file: log.keysFile });
  await own.take(backup);
  await own.close();
  for (const attempt of appends) assert.is((await attempt()).kind, 'appended');
});

test.run();
