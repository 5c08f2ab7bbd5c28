// `kill -9` in the middle of a set over SQLite files, while a reader polls single reads and lists: at no moment, and after no
// restart, is a part of it seen; in the end it is applied once.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Serving, serving } from '../support/process.ts';
import { someEvent, temporaryFolder } from '../support/service.ts';

const test = suite('sets under kill -9 on SQLite');

const ROUNDS = Number(process.env.DAYBOOK_DRILL_ROUNDS ?? 1);
const MEMBERS = 20;
const { folder, remove } = temporaryFolder();
const settings = { DAYBOOK_DATA_DIR: folder };

interface Site {
  running: Serving;
  readonly token: string;
  readonly events: readonly number[];
}

type Body = Record<string, unknown>;

async function call({ running: { api }, token }: Pick<Site, 'running' | 'token'>, path: string, body?: object) {
  const answer = await fetch(api + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}

async function made(site: Pick<Site, 'running' | 'token'>, path: string, sent: object): Promise<number> {
  const { status, body } = await call(site, path, sent);
  assert.is(status, 201, JSON.stringify(body));
  return Number(body.id);
}

/** A set that gives each event this title. */
async function openSet(site: Site, title: string): Promise<string> {
  const proposals = site.events.map((id) => made(site, `/events/${id}/proposals`, { title }));
  return `/sets/${await made(site, '/sets', { name: title, proposals: await Promise.all(proposals) })}`;
}

/** Reads until told to stop or the process is gone. Every list has one title; of single reads none is older than one before. */
async function poll(site: Site, titles: readonly [string, string], isOver: () => boolean): Promise<number> {
  const [before, after] = titles;
  let looks = 0;
  let isNew = false;
  const see = (title: unknown, what: string): void => {
    if (title === after) isNew = true;
    assert.is(title, isNew ? after : before, what);
  };
  try {
    while (!isOver()) {
      const list = await call(site, '/events?per_page=50&start_date=2000-01-01');
      const shown = new Set((list.body.events as Body[]).map(({ title }) => title));
      assert.is(shown.size, 1, `a part of it is in a list: ${[...shown]}`);
      see([...shown][0], 'list');
      for (const id of [site.events.at(0), site.events.at(-1)])
        see((await call(site, `/events/${id}`)).body.title, 'one');
      looks += 1;
    }
  } catch (error) {
    // The process is gone.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
  return looks;
}

test('none of a set is seen, or all of it', async () => {
  const first = await serving(settings);
  const { token } = first;
  assert.ok(token);
  const events: number[] = [];
  for (let at = 0; at < MEMBERS; at += 1)
    events.push(await made({ running: first, token }, '/events', someEvent({ title: 'Round 0', status: 'publish' })));
  const site: Site = { running: first, token, events };
  let looks = 0;
  let took = 0;
  let last = 'Round 0';
  // The first one is applied in peace, and says how long that takes.
  for (let round = 1; round <= ROUNDS + 1; round += 1) {
    const title = `Round ${round}`;
    const set = await openSet(site, title);
    let isOver = false;
    const reading = poll(site, [last, title], () => isOver);
    const begun = performance.now();
    const applying = call(site, `${set}/apply`, {}).catch(() => null);
    if (round > 1) {
      await sleep((took * (round - 1)) / (ROUNDS + 1));
      await site.running.kill();
      site.running = await serving(settings);
    }
    const applied = await applying;
    if (round === 1) took = performance.now() - begun;
    isOver = true;
    looks += await reading;
    const { body } = await call(site, set);
    assert.ok(applied?.status !== 200 || body.state === 'applied', 'what was acknowledged is there');
    if (body.state !== 'applied')
      assert.is((await call(site, `${set}/apply`, {})).status, 200, 'it can be applied as ever');
    const shown = await Promise.all(events.map(async (id) => (await call(site, `/events/${id}`)).body));
    assert.equal([...new Set(shown.map((one) => one.title))], [title]);
    last = title;
  }
  assert.ok(looks > 0, 'the reader has looked');
  for (const id of events) {
    const { history } = (await call(site, `/events/${id}/history?per_page=50`)).body;
    const retitled = (history as Body[]).filter(({ type }) => type === 'EventRetitled');
    const said = retitled.map(({ summary }) => summary);
    assert.equal(new Set(said).size, said.length, `each set once: ${said}`);
    assert.is(said.length, Math.min(ROUNDS + 1, 50));
  }
  assert.is(await site.running.stop(), 0);
});

test.after(remove);
test.run();
