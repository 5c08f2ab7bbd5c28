// `daybook policy` beside a running service: its writes are judged by the new rules at once.
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runHere } from '../../support/here.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../../support/service.ts';

interface Context {
  service: TestService;
  /** `daybook policy …` on the log of the service; its exit code and output. */
  policy(...args: string[]): Promise<{ code: number | null; out: string; errors: string }>;
  remove(): void;
}

const test = suite<Context>('daybook policy');

test.before.each(async (context) => {
  const { folder, remove } = temporaryFolder();
  const service = await startTestService({
    environment: {
      DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}`,
      DAYBOOK_KEYS: `sqlite:${path.join(folder, 'keys.db')}`,
    },
  });
  const policy: Context['policy'] = (...args) => runHere(['policy', ...args], { DAYBOOK_DATA_DIR: folder });
  Object.assign(context, { service, policy, remove });
});
test.after.each(async ({ service, remove }) => {
  await service.close();
  remove();
});

test('rules that are set at the command line hold for the next write, until they are taken back', async ({
  service,
  policy,
}) => {
  assert.match((await policy('show')).out, /^events +written directly\n/);
  const set = await policy('set', 'events', 'author=review', 'approvals=2', '--reason', 'four eyes');
  assert.is(set.code, 0, set.errors);
  assert.match(set.out, /^events +reviewed if written by authors; 2 approvals\n/);
  assert.is((await service.request('author', 'POST', '/events', someEvent())).status, 202);
  const [last] = (await service.get('/policy/history', 'administrator')).body.history;
  assert.equal([last.actor.name, last.reason], ['daybook policy', 'four eyes']);
  const { out } = await policy('history');
  assert.match(
    out,
    /^0 .* daybook policy {2}Rules of review set: events by authors: at once → by review, approvals of/,
  );
  assert.match(out, /\n {5}reason: four eyes\n {5}event\.author: "direct" → "review"\n/);
  const dated = await policy('set', 'events', 'notice=required');
  assert.match(dated.out, /2 approvals; new dates of published events need a notice\n/);
  const back = await policy('set', 'events', 'author=direct', '--json');
  assert.is(JSON.parse(back.out).events.author, 'direct');
  assert.is((await service.request('author', 'POST', '/events', someEvent())).status, 201);
});

test('rules that lock out, and rules that are none, are refused in a sentence, and nothing changes', async ({
  policy,
}) => {
  const locked = await policy('set', 'tags', 'administrator=review', 'approvals=9');
  assert.is(locked.code, 1);
  assert.match(locked.errors, /could never be approved: they need 9 of \d approvers?\. Ask for fewer approvals/);
  for (const args of [
    ['events', 'author=perhaps'],
    ['events', 'approvals=0'],
    ['rooms', 'author=review'],
    ['events'],
    ['venues', 'notice=required'],
  ]) {
    const { code, errors } = await policy('set', ...args);
    assert.is(code, 2, args.join(' '));
    assert.match(errors, /^daybook: policy set: /);
  }
  assert.not.match((await policy('show')).out, /reviewed/);
});

test.run();
