// A disk that fills up under a running service.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../support/here.ts';
import { daybook, onFullDisk, type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('full disk');

const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };
/** 2 MiB, of which the empty stores take a part. */
const BLOCKS = 4_096;
const MAX_WRITES = 200;
let running: Serving | undefined;

test.after.each(async () => {
  if (running?.child.exitCode === null) await running.kill();
});
test.after(remove);

const write = (api: string, token: string) =>
  fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...someEvent(), description: 'x'.repeat(50_000) }),
  });

const total = async (api: string): Promise<number> => {
  const answer = await fetch(`${api}/events?start_date=2020-01-01&per_page=1`);
  assert.is(answer.status, 200);
  return Number(answer.headers.get('x-tec-total'));
};

test('a write that finds no room is refused whole, reads go on, and nothing that was acknowledged is lost', async () => {
  running = await serving(settings, onFullDisk(BLOCKS));
  const token = running.token ?? '';
  let acknowledged = 0;
  let refused: Response | undefined;
  while (!refused && acknowledged < MAX_WRITES) {
    const answer = await write(running.api, token);
    if (answer.status === 201) acknowledged += 1;
    else refused = answer;
  }
  assert.is(refused?.status, 503);
  assert.is.not(refused?.headers.get('retry-after'), null);
  assert.not.match((await refused?.text()) ?? '', /sqlite|daybook\.db/i);
  assert.ok(acknowledged > 0);
  await total(running.api);
  await running.kill();
  running = await serving(settings);
  assert.is(await total(running.api), acknowledged);
  assert.is((await write(running.api, token)).status, 201);
  assert.is(await total(running.api), acknowledged + 1);
});

/** Lets no file of a process that runs grow beyond so many bytes: a disk that fills up, or has room again. */
const limitFiles = (pid: number | undefined, limit: string): number | null =>
  spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:`]).status;

const MAX_LOOKS = 100;

/** What the service is ready for, once that is so for writes. */
async function readyForWrites(address: string, status: number): Promise<{ everything: Response; reads: Response }> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if ((await fetch(`${address}/readyz?for=writes`)).status === status) break;
    await pause(50);
  }
  return { everything: await fetch(`${address}/readyz`), reads: await fetch(`${address}/readyz?for=reads`) };
}

test('it is not ready for writes while the disk is full, without a write of a client, and ready again once there is room', async () => {
  running = await serving(settings);
  const { address, child, api } = running;
  const head = await total(api);
  const { size } = statSync(path.join(folder, 'daybook.db-wal'), { throwIfNoEntry: false }) ?? { size: 0 };
  assert.is(limitFiles(child.pid, String(size + 10_000)), 0);
  const full = await readyForWrites(address, 503);
  assert.equal([full.everything.status, full.reads.status], [503, 200]);
  const body = (await full.everything.json()) as { event_store: object; writes: { status: string } };
  assert.equal([body.event_store, body.writes.status], [{ status: 'up' }, 'refused']);
  assert.is(limitFiles(child.pid, 'unlimited'), 0);
  const again = await readyForWrites(address, 200);
  assert.equal([again.everything.status, again.reads.status], [200, 200]);
  assert.is(await total(api), head);
});

/** 40 KiB: enough to open the log, and less than a read model with some documents. */
const TOO_FEW_BLOCKS = 80;
const EVENTS = 40;

const calendarOf = (events: number): string =>
  [
    'BEGIN:VCALENDAR',
    ...Array.from({ length: events }, (_, at) => [
      ...['BEGIN:VEVENT', `UID:${at}@example.org`, 'DTSTAMP:20260101T000000Z', 'DTSTART:20270101T180000Z'],
      ...[`SUMMARY:Concert ${at}`, 'END:VEVENT'],
    ]).flat(),
    'END:VCALENDAR',
  ].join('\r\n');

test('a rebuild that finds no room says so and leaves nothing behind, and the next one works', async () => {
  const own = temporaryFolder();
  const inOwn = { DAYBOOK_DATA_DIR: own.folder };
  const generations = () => readdirSync(own.folder).filter((name) => name.startsWith('views.db.g'));
  try {
    const calendar = path.join(own.folder, 'calendar.ics');
    writeFileSync(calendar, calendarOf(EVENTS));
    for (const words of [['users', 'add', 'ada', '--role', 'editor'], ['import', calendar], ['rebuild']])
      assert.is((await runHere(words, inOwn)).code, 0);
    const inUse = generations();
    assert.is(inUse.length, 1);
    const refused = daybook(['rebuild'], inOwn, onFullDisk(TOO_FEW_BLOCKS));
    assert.is(await refused.ended, 1);
    // A slow machine tells its progress first.
    assert.match(refused.errors(), /^daybook: The read model .* is unavailable: .* free space/m);
    assert.equal(generations(), inUse);
    assert.match((await runHere(['rebuild'], inOwn)).out, 'No difference.');
  } finally {
    own.remove();
  }
});

/** Puts a small disk of its own in the place of a folder, with what was in it, for one command. */
const onDisk = (place: string, ...then: readonly string[]): readonly string[] => [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-ec'],
  [
    'cd /',
    'cp -a "$0" "$0.copy"',
    'mount -t tmpfs -o size=4m tmpfs "$0"',
    'cp -a "$0.copy/." "$0"',
    ...then,
    'exec "$@"',
  ].join('\n'),
  place,
];

const FILL = 'dd if=/dev/zero of="$0/fill" bs=4k 2>/dev/null || true';
const SEAL = 'mount -o remount,ro "$0"';

/** Where Node keeps what it has compiled, although the temporary folder is another one. */
const COMPILED = { NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') };

/** Some systems let no user make such a disk; there the lack is told from outside. */
const canMakeDisks = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

async function filledFolder(): Promise<{ own: ReturnType<typeof temporaryFolder>; token: string }> {
  const own = temporaryFolder();
  const first = await serving({ DAYBOOK_DATA_DIR: own.folder });
  const token = first.token ?? '';
  assert.is((await write(first.api, token)).status, 201);
  assert.is(await first.stop(), 0);
  return { own, token };
}

async function readsAlone(service: Serving, token: string, why: RegExp): Promise<void> {
  assert.is(await total(service.api), 1);
  const refused = await write(service.api, token);
  assert.is(refused.status, 503);
  assert.is.not(refused.headers.get('retry-after'), null);
  const ready = await fetch(`${service.address}/readyz?for=writes`);
  assert.is(ready.status, 503);
  assert.match(await ready.text(), why);
  assert.is((await fetch(`${service.address}/readyz?for=reads`)).status, 200);
}

if (canMakeDisks)
  for (const [what, then, why] of [
    ['full', FILL, /The disk of .* is full, so nothing is written.*Free some space/],
    ['read-only', SEAL, /The disk of .* is read-only, so nothing is written.*Make it writable/],
  ] as const)
    test(`a start on a disk that is ${what} serves reads, says why it takes no writes, and leaves nothing behind`, async () => {
      const { own, token } = await filledFolder();
      const temporary = temporaryFolder();
      try {
        const settings = { DAYBOOK_DATA_DIR: own.folder, TMPDIR: temporary.folder, ...COMPILED };
        running = await serving(settings, onDisk(own.folder, then));
        assert.match(running.errors(), why);
        await readsAlone(running, token, why);
        assert.is(await running.stop(), 0);
        assert.equal(
          readdirSync(temporary.folder).filter((name) => name.startsWith('daybook')),
          [],
        );
      } finally {
        own.remove();
        temporary.remove();
      }
    });

test('without room for a copy, a start says that the disk is full', async () => {
  const { own } = await filledFolder();
  try {
    const refused = daybook(['serve'], { DAYBOOK_DATA_DIR: own.folder, PORT: '0' }, onFullDisk(8));
    assert.is(await refused.ended, 1);
    assert.match(
      refused.errors(),
      /^daybook: The disk of .* is full, and the stores cannot be copied to .*Free some space/,
    );
    const listed = daybook(['users', 'list'], { DAYBOOK_DATA_DIR: own.folder }, onFullDisk(8));
    assert.is(await listed.ended, 1);
    assert.match(
      listed.errors(),
      /^daybook: DAYBOOK_EVENT_STORE: The event store .* cannot be opened: the disk is full/,
    );
  } finally {
    own.remove();
  }
});

test.run();
