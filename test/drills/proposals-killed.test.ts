// `kill -9` while proposals are opened and approved: what was acknowledged is there, and each is applied once or not at all.
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serving } from '../support/process.ts';
import { addUser, call } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('proposals under kill -9');

/** Kills. */
const ROUNDS = process.env.DAYBOOK_DRILL_ROUNDS === undefined ? 1 : 3;
/** Each works on an event of its own: when the process is killed, some of their approvals are under way. */
const PAIRS = 8;
const OPENED_A_ROUND = 16;
const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };

test('nothing acknowledged is lost, and no approval is done by half', async () => {
  const author = await addUser(settings, 'carla', 'contributor');
  const reviewer = await addUser(settings, 'edith', 'editor');
  let running = await serving(settings);
  const events: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1)
    events.push(Number((await call(running, reviewer, '/events', { ...someEvent(), status: 'publish' })).body.id));
  const acknowledged = new Map<unknown, 'open' | 'applied'>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const target = running;
    const goal = acknowledged.size + OPENED_A_ROUND;
    const work = async (event: number) => {
      for (;;) {
        const title = `Title ${acknowledged.size}`;
        const { body: opened } = await call(target, author, `/events/${event}/proposals`, { title });
        acknowledged.set(opened.id, 'open');
        if (acknowledged.size >= goal) void target.kill();
        const approved = await call(target, reviewer, `/proposals/${opened.id}/approve`, {});
        if (approved.status === 200) acknowledged.set(opened.id, 'applied');
      }
    };
    await Promise.allSettled(events.map(work));
    running = await serving(settings);
    const half = await call(running, reviewer, '/proposals?state=approved');
    assert.is(half.body.total, 0, 'done by half');
    const applied = await call(running, reviewer, '/proposals?state=applied&per_page=100');
    const ids = new Set((applied.body.proposals as { id: number }[]).map(({ id }) => id));
    for (const [id, state] of acknowledged) assert.ok(state === 'open' || ids.has(Number(id)), `proposal ${id}`);
    const { body } = await call(running, reviewer, '/proposals');
    assert.ok(Number(body.total) >= acknowledged.size, 'what was opened is there');
  }
  let proposed = 0;
  for (const event of events) {
    const { body } = await call(running, reviewer, `/events/${event}/history?per_page=100`);
    proposed += (body.history as object[]).filter((entry) => JSON.stringify(entry).includes('proposed by')).length;
  }
  const applied = await call(running, reviewer, '/proposals?state=applied');
  assert.is(proposed, applied.body.total, 'each is applied once');
  assert.is(await running.stop(), 0);
});

test('killed while proposals are collected, approved and dropped, none is public before its set', async () => {
  const sealed = { DAYBOOK_DATA_DIR: path.join(folder, 'sealed') };
  const author = await addUser(sealed, 'clara', 'contributor');
  const reviewer = await addUser(sealed, 'emil', 'editor');
  let running = await serving(sealed);
  const { id: event } = (await call(running, reviewer, '/events', { ...someEvent(), title: 'Before' })).body;
  for (let round = 0; round < ROUNDS; round += 1) {
    const target = running;
    const approved = new Set<unknown>();
    let steps = 0;
    const work = async (): Promise<void> => {
      for (;;) {
        const proposal = (await call(target, author, `/events/${event}/proposals`, { title: 'Sealed' })).body.id;
        const set = (await call(target, reviewer, '/sets', { name: 'Gala', proposals: [proposal] })).body.id;
        if (set === undefined) return;
        await call(target, reviewer, `/sets/${set}/schedule`, { at: '2099-03-20T08:00:00Z' });
        const { status, body } = await call(target, reviewer, `/proposals/${proposal}/approve`, {});
        if (status === 200) approved.add(body.id);
        steps += 1;
        if (steps === OPENED_A_ROUND) void target.kill();
        if (steps % 3 > 0) continue;
        approved.delete(proposal);
        await call(target, reviewer, `/sets/${set}?_method=DELETE`, {});
      }
    };
    await Promise.allSettled(Array.from({ length: PAIRS }, work));
    running = await serving(sealed);
    assert.is((await call(running, reviewer, `/events/${event}`)).body.title, 'Before');
    assert.is((await call(running, reviewer, '/proposals?state=applied')).body.total, 0);
    for (const id of approved)
      assert.is((await call(running, reviewer, `/proposals/${id}`)).body.state, 'approved_for_set', String(id));
  }
  assert.is(await running.stop(), 0);
});

test.after(remove);
test.run();
