// Sources over EventStoreDB and Redis: the same as over SQLite, and what several processes make of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { days, startElsewhere, telling } from '../support/calendar-elsewhere.ts';
import { startDeployment } from '../support/deployment.ts';
import { serving } from '../support/process.ts';
import { call } from '../support/process-users.ts';
import { type Body, startTestService, type TestService } from '../support/service.ts';
import { sourcesContract } from './sources.contract.ts';

const NETWORK = { DAYBOOK_IMPORT_NETWORK: 'any' };

sourcesContract('EventStoreDB and Redis', async () => {
  const { settings, close } = await startDeployment();
  return { environment: settings, close };
});

const test = suite('sources of several processes');

const pollsOf = async (daybook: TestService, id: number): Promise<Body[]> =>
  (await daybook.get(`/sources/${id}/polls`, 'administrator')).body.polls;

async function ended(daybook: TestService, id: number, count: number): Promise<Body[]> {
  for (;;) {
    const polls = await pollsOf(daybook, id);
    if (polls.length >= count && polls.every((poll) => poll.ended !== null)) return polls;
    await sleep(250);
  }
}

const titles = async (daybook: TestService): Promise<string[]> =>
  (await daybook.get('/events?start_date=2027-01-01&per_page=50')).body.events
    .map(({ title }: Body) => title)
    .toSorted();

test('of two processes one polls what is due, each time', async () => {
  const { settings, close } = await startDeployment(NETWORK);
  const elsewhere = await startElsewhere();
  let asked = 0;
  elsewhere.answer = (request, response) => {
    asked += 1;
    telling(days(3))(request, response);
  };
  const one = await startTestService({ environment: settings });
  const other = await startTestService({ environment: settings, copiedFrom: one });
  const { body } = await one.request('editor', 'POST', '/sources', { address: elsewhere.address });
  for (let round = 1; round <= 3; round += 1) {
    assert.is((await ended(other, body.id, round)).length, round);
    assert.is(asked, round);
    for (const { clock } of [one, other]) clock.at += 3_601;
  }
  // Whichever comes first, no event is there twice.
  await ended(one, body.id, 4);
  assert.equal(await titles(other), ['event 0', 'event 1', 'event 2']);
  await other.close();
  await one.close();
  elsewhere.server.close();
  await close();
});

/** After so many seconds it is certain that a poll has ended. */
const ABANDONED = 901;

/**
 * A process whose clock is ahead by so many seconds, as that of the other one is then: one that is behind the last poll takes it for one
 * of a clock that was put back, and polls at once.
 */
const aheadBy = (seconds: number) => ({
  NODE_OPTIONS: `--import "data:text/javascript,{const now=Date.now;Date.now=()=>now()+${seconds * 1000}}"`,
});

test('what a killed process had begun to poll is polled again by another one, and nothing is there twice', async () => {
  const deployment = await startDeployment(NETWORK);
  const elsewhere = await startElsewhere();
  const process = await deployment.start('all');
  const admin = { name: 'admin', password: process.token ?? '' };
  elsewhere.answer = telling(days(3));
  const { body } = await call(process, admin, '/sources', { address: elsewhere.address, every: 5 });
  const id = Number(body.id);
  const other = await startTestService({ environment: deployment.settings });
  let ahead = 0;
  other.clock.now = () => Math.floor(Date.now() / 1000) + ahead;
  await ended(other, id, 1);

  // It is killed while an answer comes in, and again while one is being written.
  const all = days(30);
  const under = new Promise<void>((resolve) => {
    elsewhere.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/calendar' }).write('BEGIN:VCALENDAR\r\n');
      resolve();
    };
  });
  const asking = call(process, admin, `/sources/${id}/polls`, {}).catch(() => null);
  await under;
  await Promise.all([process.kill(), asking]);
  elsewhere.server.closeAllConnections();
  assert.is((await pollsOf(other, id))[0]?.outcome, 'running');
  elsewhere.answer = telling(all);
  ahead = ABANDONED;
  const [latest, interrupted] = await ended(other, id, 3);
  assert.equal([interrupted.outcome, interrupted.problem], ['failed', 'interrupted']);
  assert.equal([latest.outcome, latest.counts.created, latest.counts.unchanged], ['applied', 27, 3]);

  const again = await serving({ ...deployment.settings, ...aheadBy(ABANDONED) }, [], 'all');
  elsewhere.answer = telling(all.map((one) => ({ ...one, title: `${one.title} again` })));
  const { log } = deployment.events;
  const isChanging = new Promise<void>((resolve) => {
    const stop = log.onAppend(() => {
      if (!log.events.some(({ type }) => type === 'EventRetitled')) return;
      stop();
      resolve();
    });
  });
  const changing = call(again, admin, `/sources/${id}/polls`, {}).catch(() => null);
  await isChanging;
  await Promise.all([again.kill(), changing]);
  ahead = 2 * ABANDONED;
  await ended(other, id, 5);
  const expected = all.map(({ title }) => `${title} again`).toSorted();
  // The killed process led the projection: the read model goes on once its lease has expired.
  while ((await titles(other)).join() !== expected.join()) await sleep(250);
  await other.close();
  elsewhere.server.close();
  await deployment.close();
});

test.run();
