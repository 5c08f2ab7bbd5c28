// How many submissions are taken: from an address, from one that many may share, and of those that wait; with low limits.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSubmissionWatch } from '../../../../src/exchange/submissions/commands/submission-watch.ts';
import { loadSubmission, withdrawSubmissionOf } from '../../../../src/exchange/submissions/commands/submissions.ts';
import { SUBMITTED_FIELDS, type SubmittedForm } from '../../../../src/exchange/submissions/domain/submission.ts';
import {
  openSubmissions,
  SUBMISSION_LIMITS,
  type SubmissionLimits,
  type Submissions,
} from '../../../../src/exchange/submissions/http/submissions.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import { NEW_YORK, NOW, openWorld, type World } from '../../../support/given.ts';
import { lookups } from '../shell.ts';

interface Context {
  world: World;
  /** Milliseconds of the monotonic clock. */
  elapsed: { ms: number };
  count: number;
}

const test = suite<Context>('limits of submissions');

test.before.each((context) => {
  Object.assign(context, { world: openWorld(), elapsed: { ms: 0 }, count: 0 });
});

const blank = Object.fromEntries(SUBMITTED_FIELDS.map((field) => [field, '']));
const FORM = { ...blank, title: 'Fair', start_date: '2027-06-05T19:00' } as SubmittedForm; // Of all its fields.
const OPEN: SubmissionLimits = { ofClient: 100, shared: 100, ofMailbox: 100, waiting: 100 };

const opened = ({ world, elapsed }: Context, limits: Partial<SubmissionLimits>): Submissions =>
  openSubmissions({
    commands: { ...world.dependencies, fieldsOf: () => ({}) },
    watch: openSubmissionWatch(world.store),
    ...{ lookups, siteZone: NEW_YORK, elapsed: () => elapsed.ms, limits: { ...OPEN, ...limits } },
    pepper: async () => new Uint8Array(32),
  });

/** `taken`, or why it was refused. */
async function sent(context: Context, submissions: Submissions, client: string | null): Promise<string> {
  context.count += 1;
  const taken = await submissions.take({
    ...{ form: FORM, site: 'https://cal.example', language: ENGLISH, client },
    sender: { name: 'Zoe', email: `zoe${context.count}@example.com` },
    ticket: await submissions.ticket(NOW - 60),
    ...{ now: NOW, correlationId: `request ${context.count}` },
  });
  return taken.kind === 'refused' ? taken.why : taken.kind;
}

test('from one address so many are taken within an hour, and others are not held up by that', async (context) => {
  const submissions = opened(context, { ofClient: 2 });
  const from = (client: string) => sent(context, submissions, client);
  assert.equal([await from('192.0.2.1'), await from('192.0.2.1')], ['taken', 'taken']);
  assert.is(await from('192.0.2.1'), 'too_many');
  assert.is(await from('192.0.2.2'), 'taken');
  context.elapsed.ms = 3_599_999;
  assert.is(await from('192.0.2.1'), 'too_many');
  context.elapsed.ms = 3_600_000;
  assert.is(await from('192.0.2.1'), 'taken');
});

test('an address that many may share has a limit of its own', async (context) => {
  const submissions = opened(context, { ofClient: 1, shared: 3 });
  const answers: string[] = [];
  for (let times = 0; times < 4; times += 1) answers.push(await sent(context, submissions, null));
  assert.equal(answers, ['taken', 'taken', 'taken', 'too_many']);
  assert.is(await sent(context, submissions, '192.0.2.1'), 'taken');
});

test('only so many wait for their confirmation, from whatever addresses', async (context) => {
  const submissions = opened(context, { waiting: 2 });
  const from = (client: number) => sent(context, submissions, `192.0.2.${client}`);
  assert.equal([await from(1), await from(2), await from(3)], ['taken', 'taken', 'full']);
  const { dependencies, store } = context.world;
  const first = await loadSubmission(store, 1);
  if (!first) throw new Error('there is no submission');
  await withdrawSubmissionOf(dependencies, { now: NOW, correlationId: 'withdrawn' }, first);
  assert.is(await from(4), 'taken');
});

test('the places are shared out: a few networks cannot take them all, and each new one finds some', async (context) => {
  const submissions = opened(context, { waiting: 400 });
  const greedy = async (client: string): Promise<number> => {
    for (let taken = 0; ; taken += 1) {
      const answer = await sent(context, submissions, client);
      if (answer !== 'taken') return answer === 'too_many' ? taken : Number.NaN;
    }
  };
  const taken: number[] = [];
  for (let network = 0; network < 50; network += 1)
    taken.push(await greedy(network % 2 === 0 ? `192.0.2.${network}` : `2001:db8:${network}::`));
  assert.is(taken[0], 8, 'a fiftieth of what is free');
  assert.ok(Math.min(...taken) >= 3, `at least three each: ${taken}`);
  const all = taken.reduce((sum, one) => sum + one, 0);
  assert.ok(all < 300, `${all} of 400`);
  assert.is(await sent(context, submissions, '198.51.100.7'), 'taken', 'the next one is taken');
  assert.is(
    await sent(context, submissions, '2001:db8:1:ffff::'),
    'too_many',
    'another network of the same site is not',
  );
  assert.is(
    await sent(context, submissions, null),
    'taken',
    'where nothing tells networks apart, only the whole counts',
  );
  for (const id of [1, 2]) {
    const waiting = await loadSubmission(context.world.store, id);
    if (waiting) await withdrawSubmissionOf(context.world.dependencies, { now: NOW, correlationId: 'gone' }, waiting);
  }
  assert.is(await sent(context, submissions, '192.0.2.0'), 'too_many', 'most of its own still wait');
});

test('the limits are those that the documentation names', () => {
  assert.equal(SUBMISSION_LIMITS, { ofClient: 20, shared: 200, ofMailbox: 5, waiting: 1_000 });
});

test.run();
