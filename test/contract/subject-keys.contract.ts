// What every adapter of the keys must do. A behaviour that is not in here does not exist.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openKeyRing } from '../../src/people/personal-data/facts/key-ring.ts';
import { openSqliteKeys } from '../../src/people/personal-data/facts/sqlite-keys.ts';
import { KEY_BYTES, KeysReplaced, type SubjectKeys } from '../../src/people/personal-data/facts/subject-keys.ts';

export interface OpenedKeys {
  /** Empty. */
  readonly keys: SubjectKeys;
  /** The same keys for another process. */
  another(): Promise<SubjectKeys>;
  cleanup(): Promise<void>;
}

export function subjectKeysContract(name: string, open: () => Promise<OpenedKeys>): void {
  const test = suite<OpenedKeys>(`keys of personal data: ${name}`);

  test.before.each(async (context) => {
    Object.assign(context, await open());
  });
  test.after.each((context) => context.cleanup());

  const textOf = (state: unknown): string => (state instanceof Uint8Array ? Buffer.from(state).toString('hex') : '');
  const keyOf = async (keys: SubjectKeys, subject: string) => (await keys.find([subject])).get(subject);

  test('a subject that never had a key is not found', async ({ keys }) => {
    assert.equal(await keys.find(['user-1']), new Map());
    assert.equal(await keys.find([]), new Map());
    assert.ok(await keys.isEmpty());
  });

  test('a key is created once, and is the same for all from then on', async ({ keys, another }) => {
    const made = await keys.make(['user-1', 'organizer-7', 'user-1']);
    assert.is(made.size, 2);
    assert.is((made.get('user-1') as Uint8Array).length, KEY_BYTES);
    assert.is.not(textOf(made.get('user-1')), textOf(made.get('organizer-7')));
    const other = await another();
    for (const again of [await keys.make(['user-1']), await keys.find(['user-1']), await other.make(['user-1'])])
      assert.is(textOf(again.get('user-1')), textOf(made.get('user-1')));
    assert.not.ok(await keys.isEmpty());
  });

  test('two callers that create a key at the same time get the same one', async ({ keys, another }) => {
    const other = await another();
    const subjects = Array.from({ length: 20 }, (_, index) => `user-${index + 1}`);
    const [one, two] = await Promise.all([keys.make(subjects), other.make(subjects)]);
    for (const subject of subjects) assert.is(textOf(one.get(subject)), textOf(two.get(subject)), subject);
  });

  test('a destroyed key never comes back, and its destruction is visible to all', async ({ keys, another }) => {
    const other = await another();
    await keys.make(['user-1', 'user-2']);
    assert.is(await other.destroy('user-1'), true);
    for (const one of [keys, other]) {
      assert.is(await keyOf(one, 'user-1'), 'destroyed');
      assert.is((await one.make(['user-1'])).get('user-1'), 'destroyed');
      assert.instance(await keyOf(one, 'user-2'), Uint8Array);
    }
    assert.is(await keys.destroy('user-1'), false);
  });

  test('a subject that never had a key can be erased as well', async ({ keys }) => {
    assert.is(await keys.destroy('organizer-1'), true);
    assert.is((await keys.make(['organizer-1'])).get('organizer-1'), 'destroyed');
    assert.not.ok(await keys.isEmpty());
  });

  test('each destruction shows, also to others; a new key or a repeated destruction does not', async (opened) => {
    const { keys } = opened;
    const other = await opened.another();
    const before = await other.erasures();
    await keys.make(['user-1', 'user-2']);
    assert.is(await other.erasures(), before);
    await keys.destroy('user-1');
    const after = await other.erasures();
    assert.is.not(after, before);
    await keys.destroy('user-1');
    assert.is(await other.erasures(), after);
    await keys.destroy('user-2');
    assert.is.not(await other.erasures(), after);
  });

  test('the pepper is created once, and is the same for all', async ({ keys, another }) => {
    const other = await another();
    const [one, two] = await Promise.all([keys.pepper(), other.pepper()]);
    assert.is(one.length, KEY_BYTES);
    assert.is(textOf(one), textOf(two));
    assert.is(textOf(await keys.pepper()), textOf(one));
    assert.not.ok(await keys.isEmpty());
  });

  test('the id of these keys comes with the pepper, and is the same for all', async (opened) => {
    const { keys } = opened;
    assert.is(await keys.identity(), null);
    const pepper = await keys.pepper();
    const identity = await keys.identity();
    assert.is(await (await opened.another()).identity(), identity);
    await keys.make(['user-1']);
    await keys.destroy('user-1');
    assert.is(await keys.identity(), identity);
    assert.not.ok(identity?.includes(textOf(pepper).slice(0, 8)));
  });

  test('a copy fills empty keys, and adds missing ones; nothing destroyed comes back', async ({ keys }) => {
    const pepper = await keys.pepper();
    const made = await keys.make(['user-1', 'user-2']);
    await keys.destroy('user-3');
    const copy = await keys.copy();
    const elsewhere = openSqliteKeys({ file: ':memory:' });
    assert.is(await elsewhere.take(copy), 'taken');
    assert.is(textOf(await elsewhere.pepper()), textOf(pepper));
    assert.is(await keyOf(elsewhere, 'user-3'), 'destroyed');
    for (const user of ['user-1', 'user-2']) assert.is(textOf(await keyOf(elsewhere, user)), textOf(made.get(user)));
    await keys.destroy('user-1');
    await keys.make(['user-4']);
    const before = await keys.erasures();
    const theirs = await elsewhere.copy();
    await elsewhere.close();
    assert.is(
      await keys.take({ ...theirs, subjects: new Map([...theirs.subjects, ['user-4', 'destroyed']]) }),
      'taken',
    );
    for (const user of ['user-1', 'user-3', 'user-4']) assert.is(await keyOf(keys, user), 'destroyed', user);
    assert.is(textOf(await keyOf(keys, 'user-2')), textOf(made.get('user-2')));
    assert.is.not(await keys.erasures(), before);
    assert.is(await keys.take({ pepper: new Uint8Array(KEY_BYTES), subjects: copy.subjects }), 'other keys');
    assert.is(await keyOf(keys, 'user-1'), 'destroyed');
  });

  test('a ring of keys refuses to make any once others are in their place', async ({ keys }) => {
    await keys.pepper();
    let identity = await keys.identity();
    const ring = openKeyRing({ ...keys, identity: async () => identity }, { elapsed: () => 0 });
    await ring.make(['user-1']);
    for (const other of [null, 'other']) {
      identity = other;
      for (const work of [() => ring.make(['user-2']), () => ring.assertInPlace()])
        assert.instance(await work().catch((error: unknown) => error), KeysReplaced);
    }
  });

  test('a ring of keys notices what another process has destroyed, and asks no oftener than it must', async (opened) => {
    let now = 0;
    let questions = 0;
    const erasures = () => {
      questions += 1;
      return opened.keys.erasures();
    };
    const ring = openKeyRing({ ...opened.keys, erasures }, { elapsed: () => now });
    const other = await opened.another();
    await ring.make(['user-1']);
    const look = async () => (await ring.look(new Set(['user-1']), new Set()))('user-1');
    for (let count = 0; count < 100; count++) assert.instance(await look(), Uint8Array);
    assert.is(questions, 1);
    await other.destroy('user-1');
    now += 250;
    assert.is(await look(), 'destroyed');
    assert.is(questions, 2);
  });

  test.run();
}
