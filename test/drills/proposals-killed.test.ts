// `kill -9` while proposals are opened and approved: what was acknowledged is there, and each is applied once or not at all.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serving } from '../support/process.ts';
import { addUser, call } from '../support/process-users.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('proposals under kill -9');

const ROUNDS = 3;
const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };

test('nothing acknowledged is lost, and no approval is done by half', async () => {
  const author = await addUser(settings, 'carla', 'contributor');
  const reviewer = await addUser(settings, 'edith', 'editor');
  let running = await serving(settings);
  const { body: event } = await call(running, reviewer, '/events', { ...someEvent(), status: 'publish' });
  const acknowledged = new Map<unknown, 'open' | 'applied'>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const target = running;
    const goal = acknowledged.size + 5;
    const work = async () => {
      for (;;) {
        const title = `Title ${acknowledged.size}`;
        const { body: opened } = await call(target, author, `/events/${event.id}/proposals`, { title });
        acknowledged.set(opened.id, 'open');
        const approved = await call(target, reviewer, `/proposals/${opened.id}/approve`, {});
        if (approved.status === 200) acknowledged.set(opened.id, 'applied');
        if (acknowledged.size === goal) void target.kill();
      }
    };
    await work().catch(() => {});
    running = await serving(settings);
    for (const [id, state] of acknowledged) {
      const { status, body } = await call(running, reviewer, `/proposals/${id}`);
      assert.is(status, 200);
      assert.is.not(body.state, 'approved', 'done by half');
      if (state === 'applied') assert.is(body.state, 'applied');
    }
  }
  assert.ok(acknowledged.size >= 5 * ROUNDS);
  const applied = await call(running, reviewer, '/proposals?state=applied&per_page=50');
  const history = await call(running, reviewer, `/events/${event.id}/history?per_page=50`);
  const proposed = (history.body.history as object[]).filter((entry) => JSON.stringify(entry).includes('proposed by'));
  assert.is(proposed.length, applied.body.total, 'each is applied once');
  assert.is(await running.stop(), 0);
});

test.after(remove);
test.run();
