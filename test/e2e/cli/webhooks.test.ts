import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { unnamedSite } from '../../../src/config.ts';
import { webhooksGroup } from '../../../src/exchange/webhooks/cli/webhooks.ts';
import { openSender } from '../../../src/exchange/webhooks/reactions/webhook-sender.ts';
import { perform } from '../../support/perform.ts';
import { NOON, startTestService } from '../../support/service.ts';
import { ACCEPT, startReceiver } from '../../support/webhook-receiver.ts';

const receiver = await startReceiver();
const privateHosts = new Set([receiver.host]);
const daybook = await startTestService({ environment: { DAYBOOK_PRIVATE_HOSTS: receiver.host } });
const lines: string[] = [];
const dependencies = {
  ...{ now: () => NOON, newId: randomUUID, out: (line: string) => void lines.push(line) },
  commands: commandDependencies(daybook.stores, daybook.config),
  privateHosts,
  warning: unnamedSite(daybook.config),
  site: 'https://cal.example',
  send: openSender({ privateHosts, clock: { now: () => NOON } }),
  destroyKey: daybook.stores.keys.destroy,
};

async function run(...args: string[]): Promise<string> {
  lines.length = 0;
  await perform(webhooksGroup, args, dependencies);
  return lines.join('\n');
}

async function refusal(...args: string[]): Promise<string> {
  try {
    await run(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`webhooks ${args.join(' ')} was carried out`);
}

test('a webhook is added, looked at, rotated, paused, resumed and removed; its secret is shown when it is new', async () => {
  const added = JSON.parse(await run('add', 'https://hooks.example/in', '--user', '1', '--types', 'event', '--json'));
  assert.is(added.id, 1);
  assert.match(added.secret, /^whsec_/);
  assert.match(added.warning, /DAYBOOK_SITE_URL is not set: .* http:\/\/localhost:8080\./);
  assert.not.ok((await run('show', '1')).includes('whsec_'));
  assert.match(await run('list'), /^1\thttps:\/\/hooks\.example\/in\tsends\t0 waiting\t0 parked$/);
  assert.match(await run('rotate', '1'), /^Secret, shown this once: whsec_/);
  await run('pause', '1');
  assert.match(await run('list'), /paused \(asked\)/);
  await run('resume', '1');
  assert.is(await run('deliveries', '1'), '');
  await run('remove', '1');
  assert.is(await run('list', '--json'), '[]');
});

test('address, name, user and each filter can be given, and changed one by one', async () => {
  const narrow = [
    '--kind',
    'event',
    '--actor',
    '1,2',
    '--role',
    'editor,system',
    '--field',
    'title',
    '--reason',
    ' storm ',
  ];
  const { id } = JSON.parse(await run('add', 'https://hooks.example/', '--user', '1', ...narrow, '--json'));
  const shown = async () => JSON.parse(await run('show', String(id)));
  const filters = { types: ['event'], actor: [1, 2], role: ['editor', 'system'], field: ['title'], reason: 'storm' };
  assert.equal((await shown()).filters, filters);
  await run('change', String(id), '--types', 'venue,EventTrashed', '--actor', '', '--name', 'Web');
  const { filters: changed, name, url } = await shown();
  assert.equal(changed, { ...filters, types: ['venue', 'EventTrashed'], actor: [] });
  await run('change', String(id), '--url', 'https://other.example/', '--user', '2');
  const last = await shown();
  assert.equal(
    [name, url, last.url, last.user.id, last.filters, last.rest_url],
    [
      'Web',
      'https://hooks.example/',
      'https://other.example/',
      2,
      changed,
      `https://cal.example/calendar/events/v1/webhooks/${id}`,
    ],
  );
  assert.match(await refusal('change', String(id)), /say what is to be changed/);
  assert.match(await refusal('change', String(id), '--url', 'http://10.0.0.1/'), /not in a private network/);
  assert.match(await refusal('change', String(id), '--url', ''), /^webhooks change: url must be/);
  assert.match(await refusal('change', String(id), '--user', '99'), /no such user/);
  assert.match(
    await refusal('change', String(id), '--role', 'cat'),
    /^webhooks change: role must be one or several of administrator, /,
  );
  assert.match(await refusal('change', String(id), '--actor', 'ada'), /^webhooks change: actor must be 1 to 100 ids/);
  assert.match(
    await refusal('change', String(id), '--types', 'venue', '--kind', 'event'),
    /kind must be one or several of venue\./,
  );
  assert.equal((await shown()).filters, changed);
  await run('remove', String(id));
});

test('a test delivery says what became of it, and a delivery is sent again', async () => {
  const { id } = JSON.parse(await run('add', receiver.url, '--user', '1', '--types', 'tag', '--json'));
  assert.is(await run('test', String(id)), 'Accepted: status 204.');
  assert.equal(receiver.received[0]?.body, {
    type: 'webhook.test',
    timestamp: new Date(NOON * 1000).toISOString(),
    data: { webhook: id },
  });
  receiver.behave(() => ({ status: 500 }));
  assert.match(await refusal('test', String(id)), /not accepted: status, status 500/);
  receiver.behave(() => ACCEPT);
  await daybook.created('editor', 'tags', { name: 'Loud' });
  await receiver.until(() => receiver.received.length === 3, 'the delivery');
  const event = receiver.received[2]?.id ?? '';
  while (!(await run('deliveries', String(id))).includes(event)) await sleep(10);
  assert.match(await run('send-again', String(id), event), /^Asked for it/);
  await receiver.until(() => receiver.received.length === 4, 'the delivery sent again');
  assert.is(receiver.received[3]?.id, event);
  await run('remove', String(id));
});

test('what cannot be done is refused with what is allowed', async () => {
  assert.match(await refusal('add', 'http://10.0.0.1/', '--user', '1'), /not in a private network/);
  assert.match(await refusal('add', 'https://hooks.example/', '--user', '99'), /no such user/);
  assert.match(
    await refusal('add', 'https://hooks.example/', '--user', '1', '--types', 'cat'),
    /"cat" is neither a kind \(event, /,
  );
  for (const step of ['show', 'test', 'rotate', 'pause', 'resume', 'remove', 'deliveries'])
    assert.match(await refusal(step, '9'), /there is no/, step);
  assert.match(
    await run('add', 'https://hooks.example/', '--user', '1', '--name', 'Last'),
    /^Warning: DAYBOOK_SITE_URL/m,
  );
  const [{ id }] = JSON.parse(await run('list', '--json'));
  assert.match(await refusal('send-again', String(id), randomUUID()), /has had no delivery/);
});

test.after(async () => {
  await daybook.close();
  await receiver.close();
});
test.run();
