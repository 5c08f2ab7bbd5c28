// Another process (a backup, a SQLite shell, a command) keeps a file of the stores locked while the service runs.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('locked files');

const { folder, remove } = temporaryFolder();
let running: Serving;

test.before(async () => {
  running = await serving({ DAYBOOK_DATA_DIR: folder });
});
test.after(async () => {
  await running.kill();
  remove();
});

/** For how long something is locked, and what no read takes on the busiest machine: one that waits for the lock takes 5 s. */
const LOCKED_MS = 1_000;
const MAX_READ_MS = 2_000;

const post = (kind: string, body: object): Promise<Response> =>
  fetch(`${running.api}/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function longestRead(until: number): Promise<number> {
  let longest = 0;
  for (let number = 0; performance.now() < until; number += 1) {
    const begun = performance.now();
    // Each another page, so that none comes from memory.
    const answer = await fetch(`${running.api}/events?start_date=2020-01-01&search=x${number}`);
    await answer.text();
    assert.is(answer.status, 200);
    longest = Math.max(longest, performance.now() - begun);
    await pause(20);
  }
  return longest;
}

for (const [file, lock] of [
  ['daybook.db', 'IMMEDIATE'],
  ['daybook.db', 'EXCLUSIVE'],
  ['keys.db', 'IMMEDIATE'],
  ['views.db', 'IMMEDIATE'],
] as const) {
  test(`reads continue while ${file} is locked (${lock}), and pending writes are written afterwards`, async () => {
    const other = new Sqlite(path.join(folder, file), { fileMustExist: true });
    other.exec(`BEGIN ${lock}`);
    const writes = [
      post('events', someEvent()),
      post('organizers', { organizer: `${file} ${lock}`, email: 'a@b.example' }),
    ];
    const longest = await longestRead(performance.now() + LOCKED_MS);
    other.exec('ROLLBACK');
    other.close();
    assert.ok(longest < MAX_READ_MS, `${longest} ms`);
    assert.equal(
      (await Promise.all(writes)).map(({ status }) => status),
      [201, 201],
    );
  });
}

test('a write that meets the lock for too long is 503, and nothing of it is written', async () => {
  const other = new Sqlite(path.join(folder, 'daybook.db'), { fileMustExist: true });
  const events = (): unknown => other.prepare('SELECT count(*) FROM events').pluck().get();
  other.exec('BEGIN IMMEDIATE');
  const before = events();
  const answer = await post('events', someEvent());
  other.exec('ROLLBACK');
  assert.is(answer.status, 503);
  assert.is.not(answer.headers.get('retry-after'), null);
  assert.is(events(), before);
  assert.is((await post('events', someEvent())).status, 201);
  other.close();
});

test.run();
