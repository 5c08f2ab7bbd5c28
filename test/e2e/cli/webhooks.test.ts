import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { webhooksGroup } from '../../../src/cli/webhooks/webhooks.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { unnamedSite } from '../../../src/config.ts';
import { perform } from '../../support/perform.ts';
import { NOON, startTestService } from '../../support/service.ts';

const daybook = await startTestService();
const lines: string[] = [];
const dependencies = {
  ...{ now: () => NOON, newId: randomUUID, out: (line: string) => void lines.push(line) },
  commands: commandDependencies(daybook.stores, daybook.config),
  privateHosts: new Set<string>(),
  warning: unnamedSite(daybook.config),
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

test('what cannot be done is refused with what is allowed', async () => {
  assert.match(await refusal('add', 'http://10.0.0.1/', '--user', '1'), /not in a private network/);
  assert.match(await refusal('add', 'https://hooks.example/', '--user', '99'), /no such user/);
  assert.match(
    await refusal('add', 'https://hooks.example/', '--user', '1', '--types', 'cat'),
    /--types must name kinds/,
  );
  for (const step of ['show', 'rotate', 'pause', 'resume', 'remove', 'deliveries'])
    assert.match(await refusal(step, '9'), /there is no/, step);
  assert.match(await run('add', 'https://hooks.example/', '--user', '1'), /^Warning: DAYBOOK_SITE_URL/m);
  assert.match(await refusal('send-again', '2', randomUUID()), /has had no delivery/);
});

test.after(() => daybook.close());
test.run();
