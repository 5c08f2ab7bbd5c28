import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoCommand } from '../../../src/cli/demo.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { rateLines } from '../../../src/cli/rate-progress.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { LOG_START } from '../../../src/log/envelope.ts';
import { perform } from '../../support/perform.ts';
import { NOON, startTestService, type TestService } from '../../support/service.ts';

const test = suite<{ service: TestService }>('daybook demo');

test.before.each(async (context) => {
  context.service = await startTestService();
});
test.after.each(({ service }) => service.close());

async function say({ stores, config }: TestService, ...args: string[]) {
  const lines: string[] = [];
  const code = await perform(demoCommand, args, {
    store: stores.store,
    commandsOn: (store) => commandDependencies({ ...stores, store }, config),
    project: stores.project,
    paste: (...words) => words.join(' '),
    now: () => NOON,
    newId: randomUUID,
    out: (line) => void lines.push(line),
    progress: rateLines(
      () => {},
      () => 0,
    ),
  });
  return { code, lines };
}

async function refusal(service: TestService, ...args: string[]): Promise<UsageError> {
  try {
    await say(service, ...args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was carried out');
}

test('an empty calendar is filled, and its lists answer', async ({ service }) => {
  const { code, lines } = await say(service, '--weeks', '20');
  assert.is(code, 0);
  assert.match(lines[0] ?? '', /^\d+ events, 9 venues, 8 organizers from 2026-09-07 on\.$/);
  const { body } = await service.get('/events?per_page=50&search=farmers');
  assert.ok(body.total > 5, `${body.total} markets`);
  assert.equal([...new Set(body.events.map((event: { title: string }) => event.title))], ['Farmers’ market']);
  const festival = await service.get('/events?search=lanterns');
  const parts = await service.get(`/events?post_parent=${festival.body.events[0].id}`);
  assert.is(parts.body.total, 2);
  assert.is((await service.get('/events?status=private', 'editor')).body.total, 1);
});

test('some of it has been changed since, each with a reason in its history', async ({ service }) => {
  await say(service);
  const log = await service.store.readAll({ after: LOG_START, prefixes: ['event-'], limit: 10_000 });
  const reasons = new Set(log.map(({ metadata }) => metadata.reason));
  assert.ok(
    reasons.has('The roof is being repaired') && reasons.has('The ferry is late on this day'),
    [...reasons].join(),
  );
  assert.is(new Set(log.map(({ metadata }) => metadata.correlationId)).size, 1);
});

test('a calendar that holds something is left alone', async ({ service }) => {
  await service.created('editor', 'venues', { venue: 'Ours' });
  const before = await service.store.head();
  const error = await refusal(service, '--fill-only');
  assert.is(error.exitCode, 1);
  assert.match(error.message, /There is a calendar already; nothing was added/);
  assert.equal(await say(service), {
    code: 0,
    lines: ['There is a calendar already; nothing was added.'],
  });
  assert.is(await service.store.head(), before);
});

test('a sample that cannot be made is reported in one line', async ({ service }) => {
  for (const [args, said] of [
    [['--weeks', '0'], /'--weeks <N>' argument '0' is invalid\. It must be a whole number from 1 to 36/],
    [['--first-day', '2027-02-30'], /argument '2027-02-30' is invalid\. It must be a day such as 2030-05-31/],
    [['--wekks', '1'], /unknown option '--wekks' \(Did you mean --weeks\?\)/],
  ] as const)
    assert.match((await refusal(service, ...args)).message, said);
});

test.run();
