// Clients that ask for everything all the time while something is done to the read model of a service over Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { Serving } from './process.ts';
import { someEvent } from './service.ts';

export interface Resource {
  readonly id: number;
  readonly slug: string;
}

/** About five times a second, as a page that is looked at by some people: eight requests each. */
export const POLL_MS = 160;
const PATIENCE_MS = 30_000;

/** Asks for a published event of the category Music. */
export const postEvent = ({ api }: Serving, token: string, title: string): Promise<Response> =>
  fetch(`${api}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(someEvent({ title, status: 'publish', categories: ['Music'] })),
  });

/** The same, once it is created. */
export async function writeEvent(serving: Serving, token: string, title: string): Promise<Resource> {
  const answer = await postEvent(serving, token, title);
  assert.is(answer.status, 201, await answer.clone().text());
  return (await answer.json()) as Resource;
}

/** Everything that shows more than one resource, with how many each of them must show. */
export const LISTS: readonly (readonly [target: string, count: (answer: Response) => Promise<number>])[] = [
  ['/events?start_date=2020-01-01&per_page=1', total],
  ['/events.ics?start_date=2020-01-01', async (answer) => (await answer.text()).split('BEGIN:VEVENT').length - 1],
  ['/events.rss', async (answer) => (await answer.text()).split('<item>').length - 1],
  ['/categories?slug=music', async (answer) => countIn(await answer.json())],
];

async function total(answer: Response): Promise<number> {
  return ((await answer.json()) as { total: number }).total;
}

const countIn = (body: unknown): number =>
  (body as { categories: readonly { count: number }[] }).categories[0]?.count ?? 0;

export const counted = ({ api }: Serving): Promise<number[]> =>
  Promise.all(LISTS.map(async ([target, count]) => count(await fetch(api + target))));

interface Watch {
  /** Whether an answer has been refused by now. */
  isRefused(): boolean;
  /** Stops asking; answers what was told that was not so, and how often answers were refused. */
  end(): Promise<{ readonly wrong: readonly string[]; readonly refused: number }>;
}

/** Asks for everything again and again: lists show what they showed before, or are refused, and nothing is missing. */
export function watch(process: Serving, whole: readonly number[], { id, slug }: Resource): Watch {
  const wrong: string[] = [];
  let refused = 0;
  let isOver = false;

  async function askLists(): Promise<void> {
    for (const [at, [target, count]] of LISTS.entries()) {
      const answer = await fetch(process.api + target);
      if (answer.status === 503) {
        refused += 1;
        if (answer.headers.get('retry-after') === null) wrong.push(`${target} does not say when to come back`);
        await answer.arrayBuffer();
      } else if (answer.status !== 200) wrong.push(`${target} answered ${answer.status}`);
      else if ((await count(answer)) !== whole[at]) wrong.push(`${target} shows less than all`);
    }
  }

  async function askOne(): Promise<void> {
    for (const target of [`/events/${id}`, `/events/by-slug/${slug}`, `/events/${id}.ics`]) {
      const answer = await fetch(process.api + target);
      if (!(await answer.text()).includes('The last one')) wrong.push(`${target} answered ${answer.status}`);
    }
  }

  const asking = (async () => {
    while (!isOver) {
      await Promise.all([askLists(), askOne(), sleep(POLL_MS)]);
    }
  })();
  return {
    isRefused: () => refused > 0,
    async end() {
      isOver = true;
      await asking;
      return { wrong: [...new Set(wrong)], refused };
    },
  };
}

export async function eventually(isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(25);
  }
  return performance.now() - begun;
}

export const isReady = async ({ address }: Serving, purpose: string): Promise<boolean> =>
  (await fetch(`${address}/readyz${purpose}`)).ok;

/**
 * What a process shows of everything while something is done to its read model, and after it. `last`: an event with the title "The last one".
 */
export async function undergo(
  process: Serving,
  last: Resource,
  ordeal: (watching: Watch) => Promise<void>,
): Promise<void> {
  const whole = await counted(process);
  const watching = watch(process, whole, last);
  await sleep(2 * POLL_MS);
  await ordeal(watching);
  await eventually(async () => (await isReady(process, '')) && (await isReady(process, '?for=reads')));
  assert.equal(await counted(process), whole);
  const { wrong, refused } = await watching.end();
  assert.equal(wrong, []);
  assert.ok(refused > 0, 'it was noticed');
}
