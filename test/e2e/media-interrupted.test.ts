// Uploaded pictures over EventStoreDB and Redis, by processes of their own: one of them is killed between the files of a
// picture and its fact.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { killedAt, until } from '../support/killed-appends.ts';
import { formWith, png } from '../support/pictures.ts';
import { daybook, serving } from '../support/process.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { temporaryFolder } from '../support/service.ts';

const test = suite('interrupted uploads');
const ending: (() => Promise<void>)[] = [];

test.after(async () => {
  for (const end of ending) await end();
});

test('kill -9 between files and fact leaves files that do no harm, and that the check-up names', async () => {
  const [server, redis] = await Promise.all([startEventStoreDb(), startRedisServer()]);
  const { folder, remove } = temporaryFolder();
  const settings = {
    ...{ DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: server.connectionString },
    ...{ DAYBOOK_READ_MODEL: redis.url, DAYBOOK_KEYS: `${redis.url}/1` },
  };
  const media = path.join(folder, 'media');
  let running = await serving(settings);
  ending.push(async () => {
    await running.kill();
    await Promise.all([server.stop(), redis.stop()]);
    remove();
  });
  const headers = { authorization: `Bearer ${running.token}` };
  const upload = async (alt: string) => {
    const form = await formWith(await png(200, 100), { alt });
    return fetch(`${running.api}/media`, {
      ...{ method: 'POST', body: form.body },
      headers: { ...headers, ...form.headers },
    });
  };
  const list = async (query = '') =>
    (await (await fetch(`${running.api}/media${query}`, { headers })).json()) as Listed;
  assert.is((await upload('A bridge')).status, 201);
  const before = new Set(readdirSync(media));

  await killedAt(server, running, { at: 1, fault: 'drop the connection before writing' }, () => upload('Lost'));
  const left = readdirSync(media).filter((name) => !before.has(name));
  assert.is(left.length, 2, 'the files of the second one are there');

  running = await serving(settings);
  assert.is((await list()).total, 1, 'and it is none');
  assert.is((await upload('A tower')).status, 201);
  // The lease of the process that was killed has to run out first.
  await until(async () => (await list()).total === 2, 'the other one is not listed');
  const found = await list('?search=tower');
  assert.equal([found.total, found.media[0]?.alt], [1, 'A tower']);
  const checked = daybook(['doctor'], settings);
  await checked.ended;
  assert.match(checked.out(), '2 files there may be deleted');
  assert.ok(
    left.some((name) => checked.out().includes(name)),
    'named',
  );

  const removal = await fetch(`${running.api}/media/${found.media[0]?.id}`, { method: 'DELETE', headers });
  assert.is(removal.status, 200);
  assert.equal(new Set(readdirSync(media)), new Set([...before, ...left]));
  await until(async () => (await list()).total === 1, 'it is still listed');
  assert.is(await running.stop(), 0);
});

interface Listed {
  readonly total: number;
  readonly media: readonly { readonly id: number; readonly alt: string }[];
}

test.run();
