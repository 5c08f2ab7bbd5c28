import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openJoinedReads } from '../../../src/log/eventstoredb/joined-reads.ts';

const test = suite('joined reads');

/** Reads that end when they are told to. */
function heldReads() {
  const held: PromiseWithResolvers<number>[] = [];
  const join = openJoinedReads<number>();
  return {
    held,
    ask(key = 'one') {
      return join(key, () => {
        const read = Promise.withResolvers<number>();
        held.push(read);
        return read.promise;
      });
    },
  };
}

test('those that come while a read is under way share the next one, which begins after it', async () => {
  const { held, ask } = heldReads();
  const first = ask();
  const others = [ask(), ask()];
  assert.is(held.length, 1);
  held[0]?.resolve(1);
  assert.is(await first, 1);
  await Promise.resolve();
  assert.is(held.length, 2);
  held[1]?.resolve(2);
  assert.equal(await Promise.all(others), [2, 2]);
});

test('no answer comes from a read that began before it was asked for', async () => {
  let written = 0;
  const join = openJoinedReads<number>();
  const read = async (): Promise<number> => {
    const seen = written;
    for (let turn = 0; turn < 1 + (seen % 3); turn += 1) await Promise.resolve();
    return seen;
  };
  const askers = Array.from({ length: 40 }, async (_, asker) => {
    for (let turn = 0; turn < 25; turn += 1) {
      written += 1;
      const before = written;
      assert.ok((await join('one', read)) >= before);
      if ((asker + turn) % 5 === 0) await Promise.resolve();
    }
  });
  await Promise.all(askers);
});

test('different reads know nothing of each other', async () => {
  const { held, ask } = heldReads();
  const both = [ask('one'), ask('other')];
  assert.is(held.length, 2);
  held[1]?.resolve(2);
  assert.is(await both[1], 2);
  held[0]?.resolve(1);
  assert.is(await both[0], 1);
});

test('those that wait for a read that fails fail with it, and the next one begins anew', async () => {
  const { held, ask } = heldReads();
  const asked = [ask(), ask()];
  held[0]?.reject(new Error('lost'));
  for (const one of asked)
    await one.then(
      () => assert.unreachable(),
      (error: unknown) => assert.match(String(error), 'lost'),
    );
  const again = ask();
  assert.is(held.length, 2);
  held[1]?.resolve(7);
  assert.is(await again, 7);
});

test.run();
