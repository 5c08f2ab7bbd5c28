// The mails of submissions: none is lost while the mail server is down, and none is sent twice, whichever processes run.
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Mail, MailUnavailable } from '../../../src/exchange/mail/mailer.ts';
import { openSubmissionWatch } from '../../../src/exchange/submissions/commands/submission-watch.ts';
import { loadSubmission, receiveSubmission } from '../../../src/exchange/submissions/commands/submissions.ts';
import { CONFIRM_WITHIN_SECONDS, type SubmittedForm } from '../../../src/exchange/submissions/domain/submission.ts';
import { startSubmissionKeeper } from '../../../src/exchange/submissions/reactions/submission-keeper.ts';
import type { Reaction } from '../../../src/reactions/repeat.ts';
import { elsewhere, NOW, openWorld, type World, written } from '../../support/given.ts';

interface Context {
  world: World;
  /** Taken by the server. */
  sent: Mail[];
  mails: { isDown: boolean; tries: number };
  clock: { at: number; now(): number };
  /** Milliseconds that are added to the monotonic clock. */
  ahead: { ms: number };
  destroyed: string[];
  keepers: Reaction[];
}

const test = suite<Context>('keeper of submissions');

test.before.each((context) => {
  const clock = { at: NOW, now: () => clock.at };
  const mails = { isDown: false, tries: 0 };
  Object.assign(context, { world: openWorld(), sent: [], mails, clock, ahead: { ms: 0 }, destroyed: [], keepers: [] });
});
test.after.each(async ({ keepers }) => {
  await Promise.all(keepers.map((keeper) => keeper.stop()));
});

const silent = { info: () => {}, error: () => {} };

function start({ sent, mails, clock, ahead, destroyed, keepers }: Context, { dependencies }: World): Reaction {
  const keeper = startSubmissionKeeper({
    watch: openSubmissionWatch(dependencies.store),
    commands: dependencies,
    keys: { look: async () => () => undefined, destroy: async (subject) => destroyed.push(subject) > 0 },
    compose: ({ submission: { email }, secret }) => ({
      ...{ to: { name: '', address: email }, subject: 'Confirm', text: secret, id: secret },
    }),
    mailer: {
      async send(mail) {
        mails.tries += 1;
        await sleep(5);
        if (mails.isDown) throw new MailUnavailable('down');
        sent.push(mail);
      },
      close: () => {},
    },
    newId: () => 'step',
    elapsed: () => performance.now() + ahead.ms,
    clock,
    log: silent,
  });
  keepers.push(keeper);
  return keeper;
}

const receive = ({ world, clock }: Context, email: string) =>
  written(
    receiveSubmission(
      world.dependencies,
      { now: clock.at, correlationId: 'request' },
      { name: 'Zoe', email, language: 'en', site: 'https://example.org', form: { title: 'Fair' } as SubmittedForm },
      email,
    ),
  );

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10);
}

const isMailed = async ({ world }: Context, id: number): Promise<boolean> =>
  (await loadSubmission(world.store, id))?.mailed ?? false;

test('two processes send each mail once', async (context) => {
  for (const process of [context.world, elsewhere(context.world)]) start(context, process);
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await receive(context, email);
  await until(() => isMailed(context, 3));
  assert.equal(context.sent.map(({ to }) => to.address).sort(), ['a@example.com', 'b@example.com', 'c@example.com']);
  for (const id of [1, 2, 3]) {
    const types = await context.world.typesIn(`submission-${id}`);
    assert.equal(types, ['SubmissionReceived', 'SubmissionLinkDrawn', 'SubmissionMailed']);
  }
});

test('an outage of the mail server loses none: the same link is sent once it is back', async (context) => {
  const { mails, sent, ahead, world } = context;
  mails.isDown = true;
  await receive(context, 'a@example.com');
  start(context, world);
  await until(() => mails.tries === 1);
  ahead.ms += 2_000;
  await until(() => mails.tries === 2);
  mails.isDown = false;
  ahead.ms += 4_000;
  await until(() => isMailed(context, 1));
  assert.is(sent.length, 1);
  assert.equal(await world.typesIn('submission-1'), ['SubmissionReceived', 'SubmissionLinkDrawn', 'SubmissionMailed']);
});

test('the mail of a process that died is sent by another, a minute later, with a link of its own', async (context) => {
  const { mails, sent, clock, world } = context;
  mails.isDown = true;
  await receive(context, 'a@example.com');
  const dying = start(context, world);
  await until(() => mails.tries === 1);
  await dying.stop();
  mails.isDown = false;
  clock.at += 60;
  start(context, elsewhere(world));
  await until(() => isMailed(context, 1));
  assert.is(sent.length, 1);
  assert.is((await loadSubmission(world.store, 1))?.links.length, 2, 'both links are good');
});

test('what is not confirmed in time expires once, and its key is destroyed by every process', async (context) => {
  const { clock, world, destroyed } = context;
  await receive(context, 'a@example.com');
  clock.at += CONFIRM_WITHIN_SECONDS;
  for (const process of [world, elsewhere(world)]) start(context, process);
  await until(() => destroyed.length === 2);
  assert.equal(await world.typesIn('submission-1'), ['SubmissionReceived', 'SubmissionExpired']);
  assert.is(context.sent.length, 0);
});

test.run();
