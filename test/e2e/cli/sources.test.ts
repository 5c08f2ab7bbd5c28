import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { sourcesGroup } from '../../../src/exchange/sources/cli/sources.ts';
import { calendarOf, titled } from '../../support/calendar-elsewhere.ts';
import { runHere } from '../../support/here.ts';
import { perform } from '../../support/perform.ts';
import { serving } from '../../support/process.ts';
import { NOON, startTestService, temporaryFolder } from '../../support/service.ts';

let answer: RequestListener = () => {};
const telling = (...titles: readonly string[]): void => {
  answer = (_request, response) => void response.end(calendarOf(titled(...titles)));
};
const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar.ics`;

const service = await startTestService({ environment: { DAYBOOK_IMPORT_NETWORK: 'any' } });
const lines: string[] = [];
const dependencies = {
  ...{ now: () => NOON, newId: randomUUID, out: (line: string) => void lines.push(line) },
  commands: commandDependencies(service.stores, service.config),
  ...{ importers: service.config.importers, privateHosts: new Set<string>(), site: 'https://cal.example' },
  destroyKey: service.stores.keys.destroy,
  polls: { poll: async () => ({ kind: 'rejected', rejection: { code: 'source_polling' } }) as const },
};

async function told(...args: string[]): Promise<string> {
  lines.length = 0;
  await perform(sourcesGroup, args, dependencies);
  return lines.join('\n');
}

async function refusal(...args: string[]): Promise<string> {
  try {
    await told(...args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`sources ${args.join(' ')} was carried out`);
}

test('what cannot be done is refused with what is allowed', async () => {
  const user = ['--user', `${service.userId('administrator')}`];
  assert.match(await refusal('add', 'http://10.0.0.1/a.ics', ...user), /not in a private network/);
  assert.match(
    await refusal('add', 'ftp://theatre.example/a.ics', ...user),
    /^sources add: address must be an http, https or webcal address/,
  );
  assert.match(await refusal('add', 'webcal://cal.example/a.ics', ...user), /must be that of another calendar/);
  const good = 'webcal://theatre.example/a.ics';
  assert.match(await refusal('add', good, '--user', '99'), /must be a user who may import/);
  assert.match(await refusal('add', good, '--user', `${service.userId('author')}`), /must be a user who may import/);
  assert.match(await refusal('add', good, ...user, '--every', '4'), /a number of minutes from 5 to 10080/);
  assert.match(await refusal('add', good, ...user, '--on-missing', 'burn'), /one of bin, cancel, leave/);
  for (const step of ['show', 'pause', 'resume', 'remove']) assert.match(await refusal(step, '9'), /there is no/, step);
  assert.match(await refusal('change', '9', '--every', '5'), /there is no such source/);
  assert.match(await refusal('change', '9'), /name at least one option to change/);
  assert.match(await refusal('poll', '9'), /it is being polled/);
});

test('a source is added, listed, paused, resumed, changed and removed', async () => {
  const user = `${service.userId('administrator')}`;
  assert.is(await told('add', 'webcal://theatre.example/a.ics', '--user', user, '--every', '30'), 'Added source 1.');
  const [listed] = JSON.parse(await told('list', '--json'));
  assert.equal([listed.id, listed.every, listed.on_missing, listed.paused], [1, 30, 'leave', false]);
  assert.equal(listed.user, { id: Number(user), name: 'administrator' });
  assert.is(listed.rest_url, 'https://cal.example/calendar/events/v1/sources/1');
  await told('pause', '1');
  assert.match(await told('list'), /^1\twebcal:\/\/theatre\.example\/a\.ics\tevery 30 min\tapply\tpaused$/);
  await told('resume', '1');
  assert.is(JSON.parse(await told('change', '1', '--status', 'draft', '--json')).status, 'draft');
  assert.is(JSON.parse(await told('change', '1', '--status', 'as-they-say', '--json')).status, '');
  await told('remove', '1');
  assert.is(await told('list', '--json'), '[]');
});

test('sources are managed and polled while no service runs, and while one does', async () => {
  const { folder, remove } = temporaryFolder();
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_IMPORT_NETWORK: 'any' };
  const command = async (...args: string[]): Promise<string> => {
    const { code, out, errors } = await runHere(['sources', ...args], settings);
    return `${code}: ${out}${errors}`.trim();
  };
  await runHere(['users', 'add', 'ada', '--role', 'administrator'], settings);
  telling('Hamlet', 'Macbeth');
  assert.is(await command('add', address, '--user', '1', '--mode', 'ignore', '--json'), '0: {"id":1}');
  assert.is(await command('poll', '1', '--dry-run'), '0: Looked: 2 created.');
  assert.is(await command('change', '1', '--mode', 'apply', '--on-missing', 'bin'), '0: Changed source 1.');
  assert.match(await command('poll', '1'), /^0: Applied: 2 created\. `daybook revert [\w-]{36}` takes it back\.$/);
  telling();
  assert.is(await command('poll', '1'), '1: Failed (empty): 2 missing.');
  assert.match(await command('list'), /^0: 1\thttp.*\tevery 60 min\tapply\theld back \(empty\)/);

  const daybook = await serving(settings);
  try {
    const events = async (): Promise<string[]> => {
      const response = await fetch(`${daybook.api}/events?start_date=2040-01-01&end_date=2041-01-01`);
      const { events: found = [] } = (await response.json()) as { events?: { title: string }[] };
      return found.map(({ title }) => title).toSorted();
    };
    assert.equal(await events(), ['Hamlet', 'Macbeth']);
    telling('Hamlet', 'Othello');
    assert.match(await command('poll', '1', '--json'), /"outcome":"applied".*"created":1.*"missing":1/);
    while ((await events()).join() !== 'Hamlet,Othello') await sleep(50);
    telling('Lear');
    assert.is(await command('add', `${address}?another`, '--user', '1', '--name', 'Another', '--json'), '0: {"id":2}');
    while (!(await events()).includes('Lear')) await sleep(50);
    const show = async () => JSON.parse((await command('show', '2', '--json')).slice(3));
    while ((await show()).last_poll.outcome === 'running') await sleep(50);
    const { name, last_poll: last, polls } = await show();
    assert.equal([name, last.outcome, polls.length], ['Another', 'applied', 1]);
  } finally {
    await daybook.stop();
    remove();
  }
});

test.after(async () => {
  server.close();
  await service.close();
});
test.run();
