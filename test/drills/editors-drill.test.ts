// A thousand editors change one event at once, by two processes over the same stores. Whom a process refuses for want of
// room comes again when it said so. In the end each change that was acknowledged stands in the history, once.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type Serving, serving } from '../support/process.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

/** `npm run drills` asks for 200 rounds of each kind: a thousand editors then, else as many as are soon done. */
const EDITORS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1) > 1 ? 1_000 : 40;
/** Only a service that refuses for ever needs more. */
const MAX_TRIES = 300;
const PAGE = 100;

interface Stores {
  readonly settings: { readonly [name: string]: string };
  close(): Promise<void>;
}

const ENGINES: Readonly<Record<string, () => Promise<Stores>>> = {
  SQLite: async () => ({ settings: {}, close: async () => {} }),
  'EventStoreDB and Redis': async () => {
    const [events, redis] = await Promise.all([startEventStoreDb(), startRedisServer()]);
    return {
      settings: { DAYBOOK_EVENT_STORE: events.connectionString, DAYBOOK_READ_MODEL: redis.url },
      async close() {
        await redis.stop();
        await events.stop();
      },
    };
  },
};

interface Answered {
  readonly status: number;
  readonly text: string;
  /** Milliseconds after which to come again. */
  readonly after: number;
}

async function send(url: string, token: string, method: string, body: object): Promise<Answered> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const after = 1_000 * Number(answer.headers.get('retry-after') ?? 0);
  return { status: answer.status, text: await answer.text(), after };
}

/** Answers how often the editor was refused before the change was acknowledged. */
async function edit(url: string, token: string, title: string): Promise<number> {
  for (let refused = 0; refused < MAX_TRIES; refused++) {
    const { status, text, after } = await send(url, token, 'PATCH', { title });
    if (status === 200) return refused;
    assert.is(status, 503, text);
    assert.ok(after > 0, 'a refusal says when to come back');
    await sleep(after * (0.5 + Math.random()));
  }
  throw new Error(`${title}: refused ${MAX_TRIES} times`);
}

/** Titles as the history has them, the latest first. */
async function titlesOf({ api }: Serving, token: string, id: number): Promise<string[]> {
  const titles: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await fetch(`${api}/events/${id}/history?per_page=${PAGE}&page=${page}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.is(answer.status, 200, await answer.clone().text());
    const { history, total_pages } = (await answer.json()) as {
      history: { changes: { field: string; after?: unknown }[] }[];
      total_pages: number;
    };
    for (const { changes } of history)
      for (const { field, after } of changes) if (field === 'title') titles.push(String(after));
    if (page >= total_pages) return titles;
  }
}

const test = suite('drill of a thousand editors');

for (const [engine, open] of Object.entries(ENGINES))
  test(`${EDITORS} editors of one event over ${engine}`, async () => {
    const stores = await open();
    const { folder, remove } = temporaryFolder();
    const settings = { ...stores.settings, DAYBOOK_DATA_DIR: folder, DAYBOOK_RATE_LIMIT: '0' };
    const processes = [await serving(settings), await serving(settings, [], 'api')];
    try {
      const [first] = processes as [Serving, Serving];
      const token = first.token ?? '';
      const created = await send(`${first.api}/events`, token, 'POST', someEvent({ title: 'As it was' }));
      const { id } = JSON.parse(created.text) as { id: number };
      const titles = Array.from({ length: EDITORS }, (_, editor) => `By editor ${editor}`);
      const refused = await Promise.all(
        titles.map((title, editor) => edit(`${processes[editor % 2]?.api}/events/${id}`, token, title)),
      );
      const inHistory = (await titlesOf(first, token, id)).filter((title) => title.startsWith('By editor'));
      assert.equal([...inHistory].sort(), [...titles].sort(), 'each change once');
      const last = await send(`${first.api}/events/${id}`, token, 'PATCH', {});
      assert.is((JSON.parse(last.text) as { title: string }).title, inHistory[0], 'the last one holds');
      console.log(`${engine}: ${refused.filter((times) => times > 0).length} of ${EDITORS} came again`);
    } finally {
      await Promise.all(processes.map((process) => process.kill()));
      await stores.close();
      remove();
    }
  });

test.run();
