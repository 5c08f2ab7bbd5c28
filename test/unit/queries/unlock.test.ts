import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openVerdicts } from '../../../src/queries/password-verdicts.ts';
import type { QueryDependencies, Reader } from '../../../src/queries/reader.ts';
import { unlockedBy } from '../../../src/queries/unlock.ts';
import type { EventDocument, LinkedPostDocument } from '../../../src/read-model/documents.ts';

const test = suite('unlocking');

type Kind = 'event' | 'venue';

/** As far as unlocking looks at it: `password` is what opens it. */
const locked = (id: number, password: string, kind: Kind = 'event') =>
  ({ kind, id, protected: true, state: { passwordHash: `${kind} ${id}: ${password}` } }) as unknown as
    | EventDocument
    | LinkedPostDocument;

function setUp() {
  const clock = { at: 1 };
  const asked: string[] = [];
  const begun: string[] = [];
  let forgiven = 0;
  const verdicts = openVerdicts({
    verify: async (password, hash) => {
      asked.push(hash);
      if (password === 'broken') throw new Error('away');
      return hash.endsWith(`: ${password}`);
    },
    key: new Uint8Array(32),
    elapsed: () => clock.at,
  });
  const documents = new Map<string, EventDocument | LinkedPostDocument>();
  const dependencies = {
    ...verdicts,
    readModel: {
      fetch: async (keys: { kind: string; id: number }[]) => keys.map(({ kind, id }) => documents.get(`${kind} ${id}`)),
    },
  } as unknown as QueryDependencies;
  const guess = (target: string) => {
    begun.push(target);
    return {
      forgive: () => {
        forgiven += 1;
      },
    };
  };
  async function unlock(password: string | undefined, ...posts: (EventDocument | LinkedPostDocument)[]) {
    for (const post of posts) documents.set(`${post.kind} ${post.id}`, post);
    const reader = { password, guess } as unknown as Reader;
    const unlocked = await unlockedBy(dependencies, posts, reader);
    return [...unlocked].map(({ id }) => id);
  }
  return { clock, asked, begun, unlock, forgiven: () => forgiven };
}

test('without a password nothing is verified, and nothing is where nothing is protected', async () => {
  const { asked, unlock } = setUp();
  assert.equal(await unlock(undefined, locked(1, 'a')), []);
  assert.equal(await unlock('', locked(1, 'a')), []);
  assert.equal(await unlock('a', { ...locked(1, 'a'), protected: false }), []);
  assert.equal(asked, []);
});

test('a password unlocks its resource, and only wrong ones stay counted', async () => {
  const { begun, unlock, forgiven } = setUp();
  assert.equal(await unlock('a', locked(1, 'a'), locked(2, 'b'), locked(3, 'a', 'venue')), [1, 3]);
  assert.equal(begun, ['event 1', 'event 2', 'venue 3']);
  assert.is(forgiven(), 2);
});

test('a recent finding is neither looked up nor counted again', async () => {
  const { clock, asked, begun, unlock } = setUp();
  for (let turn = 0; turn < 5; turn += 1) assert.equal(await unlock('a', locked(1, 'a'), locked(2, 'b')), [1]);
  assert.is(asked.length, 2);
  assert.is(begun.length, 2);
  clock.at = 60_002;
  await unlock('a', locked(1, 'a'), locked(2, 'b'));
  assert.is(asked.length, 3, 'what was wrong is not remembered for long');
  clock.at = 3_600_002;
  await unlock('a', locked(1, 'a'));
  assert.is(asked.length, 4, 'and nothing for ever');
});

test('a resource with another password is checked anew', async () => {
  const { unlock } = setUp();
  assert.equal(await unlock('a', locked(1, 'a')), [1]);
  assert.equal(await unlock('a', locked(1, 'b')), []);
});

test('one request verifies so many and no more; the rest stays masked until it asks again', async () => {
  const { asked, unlock } = setUp();
  const posts = Array.from({ length: 60 }, (_, id) => locked(id + 1, 'a'));
  assert.is((await unlock('a', ...posts)).length, 50);
  assert.is(asked.length, 50);
  assert.is((await unlock('a', ...posts)).length, 60);
  assert.is(asked.length, 60);
});

test('what could not be verified is not held against the reader', async () => {
  const { unlock, begun, forgiven } = setUp();
  const outcome = await unlock('broken', locked(1, 'a')).catch((error: Error) => error.message);
  assert.is(outcome, 'away');
  assert.equal([begun.length, forgiven()], [1, 1]);
});

test('many simultaneous equal requests cost one verification', async () => {
  const { asked, unlock } = setUp();
  await Promise.all(Array.from({ length: 20 }, () => unlock('a', locked(1, 'a'))));
  assert.is(asked.length, 1);
});

test.run();
