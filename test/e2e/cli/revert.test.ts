import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { rateLines } from '../../../src/cli/rate-progress.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { revertCommand } from '../../../src/editorial/reverts/cli/revert.ts';
import { importCommand } from '../../../src/exchange/import/cli/import.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { perform } from '../../support/perform.ts';
import { type Body, someEvent, startTestService, type TestService } from '../../support/service.ts';
import { fixture, NOW } from '../../unit/import/desk.ts';

interface Desk {
  readonly daybook: TestService;
  /** Imports the fixture; answers its correlation id. */
  imports(): Promise<string>;
  revert(...args: string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }>;
  /** With `--json`. */
  told(...args: string[]): Promise<Body>;
  log(): Promise<readonly RecordedEvent[]>;
}

async function openDesk(): Promise<Desk> {
  const daybook = await startTestService();
  daybook.clock.at = NOW;
  const { stores, config, store } = daybook;
  let runs = 0;
  const shared = {
    store,
    commandsOn: (on: EventStore) => commandDependencies({ ...stores, store: on }, config),
    project: stores.project,
    now: () => NOW + 3_600,
    newId: () => `run-${++runs}`,
    language: ENGLISH,
    progress: rateLines(
      () => {},
      () => 0,
    ),
  };

  async function revert(...args: string[]) {
    const lines: string[] = [];
    const code = await perform(revertCommand, args, { ...shared, out: (line) => void lines.push(line) });
    return { code, lines };
  }

  return {
    daybook,
    async imports() {
      const out = () => {};
      await perform(importCommand, [fixture('events.json')], {
        ...shared,
        display: stores.rendering,
        elapsed: () => 0,
        signal: new AbortController().signal,
        out,
      });
      return `run-${runs}`;
    },
    revert,
    async told(...args) {
      const { code, lines } = await revert(...args, '--json');
      assert.is(lines.length, 1);
      return { code, ...JSON.parse(lines[0] ?? '') };
    },
    log: () => store.readAll({ after: LOG_START, limit: 100_000 }),
  };
}

const test = suite<{ desk: Desk }>('daybook revert');
test.before.each(async (context) => {
  context.desk = await openDesk();
});
test.after.each(({ desk }) => desk.daybook.close());

const statusOf = async ({ daybook }: Desk, target: string): Promise<number> => (await daybook.get(target)).status;
const total = async ({ daybook }: Desk, collection: string): Promise<number> => {
  const { body } = await daybook.get(`/${collection}?start_date=2000-01-01&end_date=2040-01-01`);
  return body.total ?? 0;
};
const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
const totals = (desk: Desk) => Promise.all(COLLECTIONS.map((collection) => total(desk, collection)));

const byThing = (summary: Body): { [thing: string]: string } =>
  Object.fromEntries(summary.things.map((one: Body) => [one.thing, `${one.action} ${one.outcome}`]));

test('a whole import is reverted, and existing resources stay', async ({ desk }) => {
  const kept = await desk.daybook.created('editor', 'events', someEvent({ tags: 'mine', venue: { venue: 'Own' } }));
  const before = await totals(desk);
  const correlation = await desk.imports();
  assert.not.equal(await totals(desk), before);
  const summary = await desk.told('--correlation', correlation);
  assert.is(summary.code, 0);
  assert.is(summary.mode, 'revert');
  assert.is(summary.reverted_correlation_id, correlation);
  assert.equal([summary.unchanged, summary.conflicts, summary.done], [0, 0, summary.things.length]);
  assert.equal(await totals(desk), before);
  assert.is(await statusOf(desk, `/events/${kept.id}`), 200);
  assert.is(byThing(summary)['events/4101'], 'trash done');
  const facts = (await desk.log()).filter(({ metadata }) => metadata.correlationId === summary.correlation_id);
  assert.ok(facts.length > 0);
  for (const { metadata } of facts) {
    assert.equal(metadata.actor, { id: null, name: 'daybook revert' });
    assert.is(metadata.reason, `revert of ${correlation}`);
  }
});

test('events go before what they link, children before their parents', async ({ desk }) => {
  const { things } = await desk.told('--correlation', await desk.imports());
  const kinds = things.map(({ thing }: Body) => thing.split('/')[0]);
  assert.equal([...new Set(kinds)], ['events', 'venues', 'organizers', 'tags', 'categories']);
});

test('a dry run prints the same and appends nothing', async ({ desk }) => {
  const correlation = await desk.imports();
  const { length } = await desk.log();
  const { code, lines } = await desk.revert('--correlation', correlation, '--dry-run');
  assert.is(code, 0);
  assert.ok(lines.includes('events/4101: would be moved to the trash'), lines.join('\n'));
  assert.is(lines.at(-1), 'Nothing was written.');
  const rehearsed = await desk.told('--correlation', correlation, '--dry-run');
  assert.is((await desk.log()).length, length);
  const done = await desk.told('--correlation', correlation);
  assert.equal([done.things, done.done], [rehearsed.things, rehearsed.done]);
  assert.is(rehearsed.mode, 'dry run');
});

test('a second run finds nothing to do, and a run can be reverted like an import', async ({ desk }) => {
  const correlation = await desk.imports();
  const imported = await totals(desk);
  const shown = (await desk.daybook.get('/events/4101')).body;
  const first = await desk.told('--correlation', correlation, '--reason', 'wrong file');
  const { length } = await desk.log();
  const again = await desk.told('--correlation', correlation);
  assert.equal([again.code, again.done, again.unchanged], [0, 0, first.done]);
  assert.is((await desk.log()).length, length);
  const back = await desk.told('--correlation', first.correlation_id);
  assert.equal([back.code, back.done, back.conflicts], [0, first.done, 0]);
  assert.equal(await totals(desk), imported);
  const without = (name: string, value: unknown) => (name.startsWith('modified') ? undefined : value);
  const look = (body: Body): Body => JSON.parse(JSON.stringify(body), without);
  assert.equal(look((await desk.daybook.get('/events/4101')).body), look(shown));
  const reasons = new Set((await desk.log()).map(({ metadata }) => metadata.reason));
  assert.ok(reasons.has('wrong file'));
  const thrice = await desk.told('--correlation', first.correlation_id);
  assert.equal([thrice.code, thrice.done], [0, 0]);
});

test('resources changed since are skipped and named, with their content', async ({ desk }) => {
  const correlation = await desk.imports();
  const { body } = await desk.daybook.request('editor', 'POST', '/events/4101', { title: 'Mine now' });
  const { code, lines } = await desk.revert('--correlation', correlation);
  assert.is(code, 1);
  const said = lines.find((line) => line.startsWith('events/4101: ')) ?? '';
  assert.match(
    said,
    /^events\/4101: left alone: changed since by editor at 2030-01-01T00:00:00.000Z \(correlation .+\)$/,
  );
  assert.ok(lines.includes(`venues/${body.venue.id}: left alone: still used by event 4101`), lines.join('\n'));
  assert.is(await statusOf(desk, '/events/4101'), 200);
  assert.is((await desk.daybook.get('/events/4101')).body.venue.id, body.venue.id);
  assert.is(await total(desk, 'events'), 1, 'the others are gone');
  const [counts] = lines.filter((line) => line.includes('left alone.'));
  assert.match(counts ?? '', /^\d+ taken back, 0 as before already, \d+ left alone\.$/);
});

test('what others use since stays until they do not', async ({ desk }) => {
  const correlation = await desk.imports();
  const { venue } = (await desk.daybook.get('/events/4101')).body;
  const own = await desk.daybook.created('editor', 'events', someEvent({ venue: venue.id }));
  const summary = await desk.told('--correlation', correlation);
  assert.is(summary.code, 1);
  const left = summary.things.find(({ thing }: Body) => thing === `venues/${venue.id}`);
  assert.equal([left.outcome, left.by], ['in_use', [`event-${own.id}`]]);
  await desk.daybook.request('editor', 'POST', `/events/${own.id}`, { venue: '' });
  const again = await desk.told('--correlation', correlation);
  assert.equal([again.code, again.done], [0, 1]);
});

test('one request is reverted with everything that it created', async ({ desk }) => {
  const { daybook } = desk;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'One' }));
  const members = { title: 'Two', venue: { venue: 'New hall' }, tags: 'new', categories: 'also new' };
  const headers = { 'X-Request-Id': 'request-of-mine' };
  const changed = await daybook.request('editor', 'POST', `/events/${event.id}`, members, headers);
  const [entry] = (await daybook.get(`/events/${event.id}/history`, 'editor')).body.history;
  const summary = await desk.told('--correlation', entry.correlation_id);
  assert.equal(byThing(summary), {
    [`events/${event.id}`]: 'revert done',
    [`venues/${changed.body.venue.id}`]: 'trash done',
    [`tags/${changed.body.tags[0].id}`]: 'delete done',
    [`categories/${changed.body.categories[0].id}`]: 'delete done',
  });
  assert.is(summary.things.find(({ action }: Body) => action === 'revert').to_revision, 1);
  const { body } = await daybook.get(`/events/${event.id}`);
  assert.equal([body.title, body.venue, body.tags], ['One', [], []]);
  const { history } = (await daybook.get(`/events/${event.id}/history`, 'editor')).body;
  assert.ok(history.some(({ summary: said }: Body) => said === 'Reverted to revision 1.'));
});

test('a change that another one builds upon is skipped, unless that one is reverted first', async ({ desk }) => {
  const { daybook } = desk;
  const { id } = await daybook.created('editor', 'events', someEvent({ title: 'One' }));
  await daybook.request('editor', 'POST', `/events/${id}`, { title: 'Two' });
  const [entry] = (await daybook.get(`/events/${id}/history`, 'editor')).body.history;
  await daybook.request('editor', 'POST', `/events/${id}`, { featured: true });
  const summary = await desk.told('--correlation', entry.correlation_id);
  assert.equal([summary.code, summary.things[0].outcome], [1, 'changed_later']);
  assert.is(summary.things[0].by.actor, 'editor');
  assert.is((await daybook.get(`/events/${id}`)).body.title, 'Two');
  await daybook.request('editor', 'POST', `/events/${id}`, { title: 'One', featured: false });
  const again = await desk.told('--correlation', entry.correlation_id);
  assert.equal([again.code, again.things[0].outcome], [0, 'unchanged']);
});

test('users are not reverted, and the error says so', async ({ desk }) => {
  const { length } = await desk.log();
  const { code, lines } = await desk.revert('--correlation', 'request-1');
  assert.is(code, 0);
  assert.is(lines[0], 'Users and their credentials are not reverted; 7 had changes.');
  assert.is((await desk.log()).length, length);
  assert.is((await desk.told('--correlation', 'request-1')).users_not_reverted, 7);
});

test('what cannot be carried out is refused in a sentence', async ({ desk }) => {
  const said = async (...args: string[]): Promise<string> => {
    try {
      await desk.revert(...args);
    } catch (error) {
      if (error instanceof UsageError) return `${error.exitCode} ${error.message}`;
      throw error;
    }
    throw new Error(`revert ${args.join(' ')} was carried out`);
  };
  assert.match(await said(), "2 revert: required option '--correlation <ID>' not specified");
  assert.match(await said('--correlation', ''), "argument '' is invalid. It must be a text that is not blank");
  assert.match(
    await said('--correlation', 'x', 'events/1'),
    '2 revert: too many arguments. Expected 0 arguments but got 1: events/1.',
  );
  assert.match(await said('--correlation', 'x', '--all'), "unknown option '--all'.");
  assert.is(await said('--correlation', 'unused'), '1 revert: no event in the log has the correlation id "unused".');
});

test.run();
