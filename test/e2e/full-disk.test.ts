// A disk that fills up under a running service.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onFullDisk, type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('full disk');

const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };
/** 2 MiB, of which the empty stores take a part. */
const BLOCKS = 4_096;
const MOST_WRITES = 200;
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
  while (!refused && acknowledged < MOST_WRITES) {
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

test.run();
