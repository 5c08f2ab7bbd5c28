// Memory: what its parts are given, how it is measured, and what happens when it grows short.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  heapOptions,
  PAGE_CACHE_SIZE,
  roomForEvents,
  roomForPast,
  shareOf,
  youngBytes,
} from '../../../src/kernel/memory/limit.ts';
import { openBytesInUse, openHeapInUse } from '../../../src/kernel/memory/usage.ts';
import { type MemoryState, openMemoryWatch } from '../../../src/kernel/memory/watch.ts';
import { openSqliteFile } from '../../../src/log/sqlite/file.ts';

const test = suite('memory');
const MB = 1_048_576;
/** Without a limit garbage may grow to as much as is in use. */
const GROWING = '--heap-growing-percent=100';

test('parts have their share of a limit, and without one or under a large one what they usually have', () => {
  assert.is(shareOf(64 * MB, 1 / 16, null), 64 * MB);
  assert.is(shareOf(64 * MB, 1 / 16, 512 * MB), 32 * MB);
  assert.is(shareOf(64 * MB, 1 / 16, 16_384 * MB), 64 * MB);
});

test('the heap is less than half of a limit, and without one a gibibyte or as much of a small machine', () => {
  assert.equal(heapOptions(null, 64_000 * MB), ['--max-old-space-size=1024', '--max-semi-space-size=16', GROWING]);
  assert.equal(heapOptions(null, 1_024 * MB), ['--max-old-space-size=460', '--max-semi-space-size=16', GROWING]);
  assert.equal(heapOptions(512 * MB), ['--max-old-space-size=230', '--max-semi-space-size=8']);
  assert.equal(heapOptions(256 * MB), ['--max-old-space-size=115', '--max-semi-space-size=4']);
});

test('the pages of the log that SQLite caches are as few as those of the read model', () => {
  const db = openSqliteFile(':memory:');
  assert.is(db.pragma('cache_size', { simple: true }), PAGE_CACHE_SIZE);
  db.close();
});

test('how many events a limit has room for is known before the first of them', () => {
  assert.is(roomForEvents(null), null);
  assert.is(roomForEvents(128 * MB), 0);
  const [small = 0, large = 0] = [256, 512].map((megabytes) => roomForEvents(megabytes * MB) ?? 0);
  assert.ok(small >= 100_000 && large > 3 * small, `${small}, ${large}`);
  // 100,000 of them have none for the past in 256 MB, and much of it in 512.
  const [little = 0, much = 0] = [256, 512].map((megabytes) => roomForPast(megabytes * MB) ?? 0);
  assert.ok(little > 30_000 && little < 60_000 && much > 150_000, `${little}, ${much}`);
});

test('what is young is not counted as room for what is old', () => {
  assert.is(youngBytes(null), 48 * MB);
  assert.is(youngBytes(256 * MB), 12 * MB);
});

/** A system with these files. */
const systemOf = (files: { readonly [file: string]: string }) => (file: string) => {
  const text = files[file];
  if (text === undefined) throw new Error(`no ${file}`);
  return text;
};

test('what is in use is measured of the container, without what the system can drop by itself', () => {
  const parts = 'cache 9\nactive_file 100\ninactive_file 800000\ntotal_active_file 200\ntotal_inactive_file 900000\n';
  const measure = (files: { readonly [file: string]: string }) => openBytesInUse(systemOf(files))();
  const second = (folder: string) => ({
    [`${folder}/memory.stat`]: parts,
    [`${folder}/memory.current`]: '801124\n',
  });
  const first = (folder: string) => ({
    [`${folder}/memory.stat`]: parts,
    [`${folder}/memory.usage_in_bytes`]: '902248\n',
  });
  assert.is(measure({ '/proc/self/cgroup': '0::/\n', ...second('/sys/fs/cgroup') }), 1024);
  const named = '4:memory:/docker/abc\n1:cpu:/\n0::/\n';
  assert.is(measure({ '/proc/self/cgroup': named, ...first('/sys/fs/cgroup/memory/docker/abc') }), 2048);
  assert.is(measure({ '/proc/self/cgroup': named, ...first('/sys/fs/cgroup/memory') }), 2048, 'seen from inside');
  assert.is(measure({ '/proc/self/cgroup': '0::/daybook.slice\n', ...second('/sys/fs/cgroup/daybook.slice') }), 1024);
  assert.is(measure({ '/proc/self/statm': '5000 300 100 1 0 1 0\n' }), 200 * 4_096, 'else of the process');
  assert.is(
    measure({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.stat': 'file 1\n', '/proc/self/statm': '9 3 1' }),
    8_192,
  );
  const own = openBytesInUse()();
  assert.ok(own > 10 * MB && own < 64_000 * MB, `${own} bytes here`);
});

test('what V8 has not collected yet is not counted, unless it is a lot', () => {
  let used = 60;
  let collected = (): void => {};
  const heap = openHeapInUse({
    used: () => used,
    garbage: 20,
    onCollected: (call) => {
      collected = call;
    },
  });
  collected();
  assert.is(heap(), 60);
  used = 75;
  assert.is(heap(), 60, 'it may be garbage');
  used = 95;
  assert.is(heap(), 75, 'not all of it');
  collected();
  assert.is(heap(), 95, 'it was not');
  used = 40;
  assert.is(heap(), 40, 'given back without a word, as by a collection of our own');
  used = 50;
  assert.is(heap(), 40);
});

function watched(usage: () => number) {
  let now = 0;
  const states: MemoryState[] = [];
  const calls = { emptied: 0, collected: 0 };
  const watch = openMemoryWatch({
    used: usage,
    collect: () => {
      calls.collected += 1;
    },
    elapsed: () => now,
    report: (state) => states.push(state),
  });
  watch.onShort(() => {
    calls.emptied += 1;
  });
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000;
      watch.look();
    }
  };
  return { watch, states, calls, pass };
}

test('caches are emptied first; when that helps, nothing is refused', () => {
  let cached = 0.4;
  const { watch, states, calls, pass } = watched(() => 0.5 + cached);
  watch.onShort(() => {
    cached = 0;
  });
  pass(1);
  assert.equal([watch.state(), calls, states], ['enough', { emptied: 1, collected: 1 }, []]);
  pass(100);
  assert.equal(calls, { emptied: 1, collected: 1 }, 'they fill again in peace');
  cached = 0.35;
  pass(1);
  assert.is(calls.emptied, 2);
});

test('they are emptied at most every ten seconds', () => {
  const { calls, pass } = watched(() => 0.85);
  pass(35);
  assert.is(calls.emptied, 4);
});

test('garbage is collected before requests are refused for it', () => {
  let collections = 0;
  const one = watched(() => (one.calls.collected > collections ? 0.5 : 0.97));
  one.pass(2);
  collections = one.calls.collected;
  one.pass(3);
  assert.equal([one.watch.state(), one.states, one.calls], ['enough', [], { emptied: 1, collected: 2 }]);
});

test('when it does not help large requests are refused, then all, until it is over by itself', () => {
  let used = 0.9;
  const { watch, states, pass } = watched(() => used);
  pass(1);
  assert.is(watch.state(), 'short');
  used = 0.97;
  pass(1);
  assert.is(watch.state(), 'full');
  pass(30);
  used = 0.82;
  pass(1);
  assert.is(watch.state(), 'short', 'what took it would be asked for at once');
  used = 0.78;
  pass(1);
  assert.equal([watch.state(), states], ['enough', ['short', 'full', 'short', 'enough']]);
});

test('what does not grow for some seconds is enough again, however much it is', () => {
  let used = 0.9;
  const { watch, states, pass } = watched(() => used);
  pass(1);
  used = 0.82;
  pass(4);
  assert.is(watch.state(), 'short');
  pass(2);
  assert.is(watch.state(), 'enough');
  pass(600);
  assert.equal(states, ['short', 'enough']);
  used = 0.86;
  pass(600);
  assert.equal(states, ['short', 'enough', 'short'], 'a request could end the process');
});

test('what lasts a minute asks for a new start, and even that can end by itself', () => {
  let used = 0.97;
  const { watch, states, pass } = watched(() => used);
  pass(60);
  assert.is(watch.state(), 'full');
  pass(1);
  assert.is(watch.state(), 'exhausted');
  used = 0.5;
  pass(1);
  used = 0.9;
  pass(600);
  assert.equal(states, ['full', 'exhausted', 'enough', 'short'], 'as long as the small ones are answered it is no end');
});

test('something large begins and goes on only while there is room for it', () => {
  let used = 0.5;
  const { watch, pass } = watched(() => used);
  const hasRoom = watch.openRoom('public');
  assert.is(hasRoom(), true);
  used = 0.75;
  assert.equal([watch.openRoom('public')(), hasRoom()], [false, true], 'what has begun takes some more');
  used = 0.81;
  assert.is(hasRoom(), false, 'measured then');
  const garbage = watched(() => 0.75 - 0.25 * garbage.calls.collected);
  assert.equal([garbage.watch.openRoom('public')(), garbage.calls], [true, { emptied: 0, collected: 1 }]);
  used = 0.95;
  pass(1);
  used = 0.5;
  assert.is(watch.openRoom('public')(), false, 'not while requests are refused');
});

test('caches give way to what is asked for', () => {
  const cached = watched(() => 0.75 - 0.25 * cached.calls.emptied);
  assert.equal([cached.watch.isRoomy(), cached.watch.openRoom('public')()], [false, true]);
  assert.equal([cached.watch.isRoomy(), cached.calls], [true, { emptied: 1, collected: 2 }]);
});

test('users have room that the public does not take, until everything is refused', () => {
  let used = 0.75;
  const { watch, pass } = watched(() => used);
  const rooms = () => [watch.openRoom('public')(), watch.openRoom('user')()];
  assert.equal(rooms(), [false, true]);
  used = 0.9;
  pass(1);
  assert.equal([watch.state(), rooms()], ['short', [false, false]]);
  used = 0.84;
  const hasRoom = watch.openRoom('user');
  assert.equal([hasRoom(), rooms()], [true, [false, true]]);
  used = 0.91;
  assert.is(hasRoom(), true, 'what has begun takes some more');
  used = 0.97;
  pass(1);
  used = 0.5;
  assert.equal([watch.state(), rooms()], ['full', [false, false]]);
});

test.run();
