import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoCommand } from '../../src/cli/demo.ts';
import { rateLines } from '../../src/cli/rate-progress.ts';
import { commandDependencies } from '../../src/commands/dependencies.ts';
import { examplesIn, isAsSaid, runInShell } from '../support/guide.ts';
import { perform } from '../support/perform.ts';
import { type As, NOON, PREFIX, startTestService, type TestService } from '../support/service.ts';

const silent = rateLines(
  () => {},
  () => 0,
);

/** The sample calendar, filled an hour ago. */
async function startSample(): Promise<TestService> {
  const service = await startTestService({ usersSince: NOON - 3_600 });
  service.clock.at = NOON - 3_600;
  await perform(demoCommand, [], {
    store: service.stores.store,
    commandsOn: (store) => commandDependencies({ ...service.stores, store }, service.config),
    project: service.stores.project,
    paste: () => '',
    now: () => service.clock.at,
    newId: randomUUID,
    out: () => {},
    progress: silent,
  });
  service.clock.at = NOON;
  return service;
}

test('every example of the API guide answers what the page says', async () => {
  const examples = examplesIn(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8'));
  assert.ok(examples.length > 20, `${examples.length} examples`);
  const service = await startSample();
  try {
    await service.service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.service.app.server.address() as AddressInfo;
    const tokenOf = (as: As): string => service.authorization(as).replace('Bearer ', '');
    const answers = await runInShell(
      examples.map(({ command }) => command),
      { API: `http://127.0.0.1:${port}${PREFIX}`, TOKEN: tokenOf('editor'), ADMIN: tokenOf('administrator') },
    );
    const wrong = examples.flatMap(({ line, command, expected }, index) => {
      const answer = answers[index] ?? '';
      const isSaid = expected !== '' && expected !== '…' && isAsSaid(answer, expected);
      return isSaid ? [] : [`docs/api.md:${line}: ${command}\n  answers ${answer.slice(0, 600)}`];
    });
    assert.equal(wrong, []);
  } finally {
    await service.close();
  }
});

test('a page is compared literally, except for what it leaves out', () => {
  assert.ok(isAsSaid('{"a":1,"b":[2]}', '{"a":1,…}'));
  assert.not.ok(isAsSaid('{"a":2,"b":[2]}', '{"a":1,…}'));
  assert.not.ok(isAsSaid('{"a":1}x', '{"a":1}'));
});

test.run();
