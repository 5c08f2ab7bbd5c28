// A change of real zone rules, with two real Nodes on one log: this one, and an older one that DAYBOOK_TEST_OTHER_NODE
// names (its program; rules 2025b or 2025c, such as those of Node 24.9). Without it, or on a Node that does not know yet
// what British Columbia has decided (2026c does), there is nothing to try.
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveZone } from '../../../src/kernel/time/zone.ts';
import { daybook, type Serving, serving } from '../../support/process.ts';
import { type Body, temporaryFolder } from '../../support/service.ts';

const test = suite('two Nodes with other zone rules');
const otherNode = process.env.DAYBOOK_TEST_OTHER_NODE;

const WINTER = Date.UTC(2027, 11, 16) / 1000;
const knowsNewRules = resolveZone('America/Vancouver')?.offsetAt(WINTER) === -7 * 3_600;

const rulesOf = (node: string): string =>
  execFileSync(node, ['-p', 'process.versions.tz'], { encoding: 'utf8' }).trim();

/** Runs Daybook with this Node, whichever one its launcher would take. */
const on = (node: string): readonly string[] => ['sh', '-c', `exec '${node}' src/main.ts "$@"`];

const EVENT = {
  title: 'Winter concert',
  start_date: '2027-12-15 19:00:00',
  end_date: '2027-12-15 22:00:00',
  timezone: 'America/Vancouver',
};

async function until<Result>(ask: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  for (;;) {
    const result = await ask();
    if (isDone(result)) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

(otherNode !== undefined && knowsNewRules ? test : test.skip)(
  'an event written under older rules follows newer ones, and nothing of it is taken back',
  async () => {
    assert.ok(otherNode);
    const [older, newer] = [rulesOf(otherNode), rulesOf(process.execPath)];
    assert.ok(older < newer, `the other Node (${older}) must have older rules than this one (${newer})`);
    const { folder, remove } = temporaryFolder();
    const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_TIMEZONE: 'America/Vancouver' };
    const running: Serving[] = [];
    const start = async (node: string): Promise<Serving> => {
      const started = await serving(settings, on(node));
      running.push(started);
      return started;
    };
    const get = async ({ api }: Serving, path: string): Promise<Body> => (await fetch(api + path)).json();
    const run = async (node: string, ...args: string[]): Promise<string> => {
      const started = daybook(args, settings, on(node));
      await started.ended;
      return started.out();
    };
    const settled = (serving: Serving, release: string): Promise<Body> =>
      until(
        async (): Promise<Body> => (await fetch(`${serving.address}/readyz`)).json(),
        ({ zone_rules: rules }) => rules.log === release,
      );
    try {
      const first = await start(otherNode);
      const headers = { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' };
      const write = async ({ api }: Serving, method: string, path: string, body: object): Promise<Body> =>
        (await fetch(api + path, { method, headers, body: JSON.stringify(body) })).json();
      const { id, utc_start_date: written } = await write(first, 'POST', '/events', EVENT);
      await settled(first, older);
      await first.stop();

      assert.match(await run(process.execPath, 'zones'), '1 future event would move.');
      const second = await start(process.execPath);
      const moved = await until(
        () => get(second, `/events/${id}`),
        (event) => event.utc_start_date !== written,
      );
      assert.equal([moved.start_date, moved.utc_start_date], [EVENT.start_date, '2027-12-16 02:00:00']);
      const fresh = await write(second, 'POST', '/events', { ...EVENT, title: 'Beside it' });
      assert.is(fresh.utc_start_date, moved.utc_start_date);
      await second.stop();
      for (const node of [process.execPath, otherNode]) assert.match(await run(node, 'rebuild'), 'No difference.');

      const third = await start(otherNode);
      const again = await get(third, `/events/${id}`);
      assert.equal([again.utc_start_date, again.timezone_abbr], [moved.utc_start_date, moved.timezone_abbr]);
      const { zone_rules: rules } = await settled(third, newer);
      assert.is(rules.status, 'older');
      await until(
        async () => third.errors(),
        (errors) => errors.includes(`(${older}) are older than the log's (${newer})`),
      );
      const saved = await write(third, 'PUT', `/events/${id}`, { ...EVENT, title: 'Saved' });
      assert.is(saved.utc_start_date, moved.utc_start_date);
      const late = await write(third, 'POST', '/events', { ...EVENT, title: 'Late' });
      assert.is(late.utc_start_date, written);
      await third.stop();

      const fourth = await start(process.execPath);
      await until(
        () => get(fourth, `/events/${late.id}`),
        (event) => event.utc_start_date === moved.utc_start_date,
      );
      await fourth.stop();
    } finally {
      for (const one of running) await one.kill();
      remove();
    }
  },
);

test.run();
