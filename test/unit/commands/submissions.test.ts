// Confirming a submission: one proposal, however often it is confirmed, and wherever a confirmation is interrupted.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  confirmSubmissionOf,
  drawSubmissionLink,
  loadSubmission,
  receiveSubmission,
  submissionByToken,
  submissionToken,
} from '../../../src/exchange/submissions/commands/submissions.ts';
import type { SubmittedForm } from '../../../src/exchange/submissions/domain/submission.ts';
import { EventStoreUnavailable } from '../../../src/log/event-store.ts';
import { elsewhere, NOW, openWorld, type World, written } from '../../support/given.ts';

const test = suite<{ world: World }>('confirming a submission');

const STEP = { now: NOW, correlationId: 'request' };
const WISH = {
  title: 'Fair',
  status: 'publish',
  times: { start: '2027-06-05 19:00:00', end: '2027-06-05 21:00:00' },
};
const RECEIVED = {
  ...{ name: 'Zoe', email: 'zoe@example.com', language: 'en', site: 'https://example.org' },
  form: { title: 'Fair' } as SubmittedForm, // The rest is not looked at.
};

test.before.each(async (context) => {
  context.world = openWorld();
  await written(receiveSubmission(context.world.dependencies, STEP, RECEIVED, 'form'));
});

const confirm = ({ dependencies }: World) =>
  confirmSubmissionOf({ ...dependencies, fieldsOf: () => ({}) }, STEP, 1, WISH);

async function assertOneProposal(world: World): Promise<void> {
  const opened = (await world.log()).filter(({ type }) => type === 'ProposalOpened');
  assert.is(opened.length, 1);
  const { state, proposal } = (await loadSubmission(world.store, 1)) ?? {};
  assert.equal([state, `proposal-${proposal}`], ['confirmed', opened[0]?.stream]);
}

test('two processes, twice each, make one proposal that names the submission', async ({ world }) => {
  await Promise.all([world, elsewhere(world), world, elsewhere(world)].map(confirm));
  await assertOneProposal(world);
  const [opened] = await world.store.readStream('proposal-1');
  assert.equal(opened?.data, { ...(opened?.data as object), submission: 1, author: 0, note: '' });
});

for (const after of [1, 2, 3, 4])
  test(`interrupted after ${after} of its streams, it is confirmed by pressing the button again`, async ({ world }) => {
    const { onAppend } = world;
    world.onAppend = async (appends) => {
      await world.store.append(appends.slice(0, after));
      throw new EventStoreUnavailable('interrupted');
    };
    await confirm(world).then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, EventStoreUnavailable),
    );
    world.onAppend = onAppend;
    await confirm(elsewhere(world));
    await assertOneProposal(world);
  });

test('a link opens its own submission alone, and its secret is not in the log', async ({ world }) => {
  await written(receiveSubmission(world.dependencies, STEP, RECEIVED, 'another form'));
  const drawn = await drawSubmissionLink(world.dependencies, STEP, 1);
  assert.ok(drawn);
  const { secret } = drawn;
  assert.is((await submissionByToken(world.store, submissionToken(1, secret)))?.id, 1);
  assert.is(await submissionByToken(world.store, submissionToken(2, secret)), null);
  assert.is(await submissionByToken(world.store, submissionToken(9, secret)), null);
  assert.is(Buffer.from(secret, 'base64url').length, 32);
  assert.not.ok(JSON.stringify(await world.log()).includes(secret));
});

test.run();
