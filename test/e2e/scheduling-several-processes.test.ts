// Several processes over the same stores, each of which would publish what is due: the log has each publication once,
// whichever process is killed and whichever store goes away in between.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import type { StoredEvent } from '../support/eventstoredb-log.ts';
import type { Serving } from '../support/process.ts';
import { someEvent } from '../support/service.ts';

interface Context {
  deployment: Deployment;
  apis: Serving[];
  token: string;
}

/** Only a deployment that publishes nothing takes that long. */
const PATIENCE_MS = 60_000;
/** What a read waits at most for what is due at its instant. */
const BOUND = 2;

const test = suite<Context>('scheduled posts and several processes');

test.before(async (context) => {
  context.deployment = await startDeployment();
  const { start } = context.deployment;
  const [, ...apis] = await Promise.all([start('projector'), start('api'), start('api')]);
  context.apis = apis;
  context.token = apis.map(({ token }) => token).find((token) => token !== null) ?? '';
});
test.after(({ deployment }) => deployment.close());

const nowInSeconds = (): number => Date.now() / 1000;
/** As clients write an instant. */
const utc = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** Asks again until it is so. */
async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - begun < PATIENCE_MS, `not so after ${PATIENCE_MS} ms`);
    await sleep(20);
  }
}

interface Scheduled {
  readonly stream: string;
  readonly title: string;
}

async function schedule(
  { apis, token }: Context,
  at: number,
  number: number,
  collection: 'events' | 'venues' | 'organizers' = 'events',
): Promise<Scheduled> {
  const api = apis[number % apis.length];
  const kind = collection.slice(0, -1);
  // One word, so that no other title has it.
  const title = `post${number}x${at}`;
  const date_utc = utc(at);
  const answer = await fetch(`${api?.api}/${collection}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(collection === 'events' ? someEvent({ title, date_utc }) : { [kind]: title, date_utc }),
  });
  const { id, status } = (await answer.json()) as { id: number; status: string };
  assert.equal([answer.status, status], [201, 'future']);
  return { stream: `${kind}-${id}`, title };
}

const metadataOf = ({ metadata }: StoredEvent) =>
  JSON.parse(Buffer.from(metadata).toString()) as { actor: { name: string }; instant: string };

const publicationsOf = ({ deployment }: Context, streams: readonly string[]): StoredEvent[] =>
  deployment.events.log.events.filter(({ stream, type }) => streams.includes(stream) && type.endsWith('Published'));

/** Waits until all are published and no process has anything left to publish, then looks that each is so once and by the schedule. */
async function allPublishedOnce(context: Context, scheduled: readonly Scheduled[]): Promise<void> {
  const streams = scheduled.map(({ stream }) => stream);
  await eventually(() => publicationsOf(context, streams).length >= streams.length);
  for (const { api } of context.apis) assert.is((await fetch(`${api}/events`)).status, 200);
  const publications = publicationsOf(context, streams);
  assert.equal(publications.map(({ stream }) => stream).sort(), [...streams].sort());
  for (const publication of publications) assert.is(metadataOf(publication).actor.name, 'schedule');
}

const shows = async ({ api }: Serving, title: string): Promise<boolean> => {
  const question = new URLSearchParams({ search: title, start_date: '2020-01-01' });
  const answer = await fetch(`${api}/events?${question}`);
  return ((await answer.json()) as { total?: number }).total === 1;
};

test('twelve posts, two processes, no request: each is published once, and not before its date', async (context) => {
  const at = Math.ceil(nowInSeconds()) + 5;
  const collections = ['events', 'venues', 'organizers'] as const;
  const scheduled = await Promise.all(
    Array.from({ length: 12 }, (_, number) => schedule(context, at, number, collections[number % 3])),
  );
  await allPublishedOnce(context, scheduled);
  const streams = scheduled.map(({ stream }) => stream);
  for (const publication of publicationsOf(context, streams))
    assert.ok(Date.parse(metadataOf(publication).instant) >= at * 1000, 'not before its date');
});

test('lists of every process change at the instant', async (context) => {
  const at = Math.ceil(nowInSeconds()) + 4;
  const { title } = await schedule(context, at, 0);
  await Promise.all(
    context.apis.map(async (api) => {
      assert.not(await shows(api, title));
      // Asking all the time until then would take the processor from what is to happen.
      await sleep(Math.max(0, at - 0.5 - nowInSeconds()) * 1000);
      for (let isShown = false; !isShown; await sleep(10)) {
        const begun = nowInSeconds();
        isShown = await shows(api, title);
        const ended = nowInSeconds();
        if (isShown) assert.ok(ended >= at, `shown ${at - ended} s before its instant`);
        else assert.ok(begun < at + BOUND, `not shown ${begun - at} s after its instant`);
      }
    }),
  );
});

test('posts due while the event store was down are published once when it is back', async (context) => {
  const { deployment } = context;
  const at = Math.ceil(nowInSeconds()) + 4;
  const scheduled = await Promise.all(Array.from({ length: 10 }, (_, number) => schedule(context, at, number)));
  await deployment.events.stop();
  try {
    await eventually(() => nowInSeconds() > at + 1);
    for (const api of context.apis) assert.is((await fetch(`${api.api}/events`)).status, 200);
  } finally {
    await deployment.events.start();
  }
  await allPublishedOnce(context, scheduled);
  for (const api of context.apis)
    for (const { title } of scheduled.slice(0, 3)) await eventually(() => shows(api, title));
});

test('posts due while Redis was down are published once when it is back', async (context) => {
  const { deployment } = context;
  const at = Math.ceil(nowInSeconds()) + 4;
  const scheduled = await Promise.all(Array.from({ length: 10 }, (_, number) => schedule(context, at, number)));
  await deployment.redis.stop();
  try {
    await eventually(() => nowInSeconds() > at + 1);
  } finally {
    await deployment.redis.restart();
  }
  await allPublishedOnce(context, scheduled);
});

test('a process that is killed while it publishes leaves nothing out and nothing twice', async (context) => {
  const { deployment } = context;
  const at = Math.ceil(nowInSeconds()) + 6;
  const scheduled = await Promise.all(Array.from({ length: 30 }, (_, number) => schedule(context, at, number)));
  const streams = scheduled.map(({ stream }) => stream);
  const [first, last] = context.apis;
  const isHalfDone = new Promise<void>((resolve) => {
    const stop = deployment.events.log.onAppend(() => {
      if (publicationsOf(context, streams).length < 10) return;
      stop();
      resolve();
    });
  });
  await isHalfDone;
  await first?.kill();
  context.apis = last ? [last] : [];
  await allPublishedOnce(context, scheduled);
});

test('a process that starts after the instant publishes what is still due', async (context) => {
  const { deployment } = context;
  const at = Math.ceil(nowInSeconds()) + 4;
  const scheduled = await Promise.all(Array.from({ length: 5 }, (_, number) => schedule(context, at, number)));
  for (const api of context.apis) await api.kill();
  await eventually(() => nowInSeconds() > at);
  assert.equal(
    publicationsOf(
      context,
      scheduled.map(({ stream }) => stream),
    ),
    [],
  );
  context.apis = [await deployment.start('api')];
  await allPublishedOnce(context, scheduled);
});

test.run();
