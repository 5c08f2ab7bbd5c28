// Two processes on one log, and many who want the same at once: contention costs order, not errors.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changesOfOne, creationsOfOneTitle } from '../support/contention.ts';
import { type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

interface Context {
  processes: Serving[];
  remove: () => void;
}

const test = suite<Context>('contention over HTTP');
test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  const settings = { DAYBOOK_DATA_DIR: folder };
  const first = await serving(settings);
  context.processes = [first, await serving(settings, [], 'api')];
  context.remove = remove;
});
test.after(async ({ processes, remove }) => {
  await Promise.all(processes.map((process) => process.kill()));
  remove();
});

test('64 writers of one event and 200 creators of one title are all answered, by one process and by two', async ({
  processes,
}) => {
  const authorization = `Bearer ${processes[0]?.token ?? ''}`;
  const all = { apis: processes.map(({ api }) => api), authorization };
  const one = { ...all, apis: all.apis.slice(0, 1) };
  const [api = ''] = all.apis;
  const created = await fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent()),
  });
  const { id } = (await created.json()) as { id: number };
  const slugs: string[] = [];
  for (const asked of [one, all]) {
    assert.equal((await changesOfOne(asked, id, 64)).statuses, { 200: 64 });
    const { statuses, bodies } = await creationsOfOneTitle(asked, 200);
    assert.equal(statuses, { 201: 200 });
    slugs.push(...bodies.map(({ slug }) => slug));
  }
  assert.is(new Set(slugs).size, 400);
});

test.run();
