import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { rehearseCommand } from '../../../src/cli/rehearse/rehearse.ts';
import { openStores } from '../../../src/composition.ts';
import { type Config, IN_MEMORY, readConfig } from '../../../src/config.ts';
import { perform } from '../../support/perform.ts';
import { type Body, someEvent, startTestService, type TestService, temporaryFolder } from '../../support/service.ts';

const { folder, remove } = temporaryFolder();
/** While true, the running service leaves the first event of each list out. */
let isWrong = false;
function withoutFirst(readModel: TestService['readModel']): TestService['readModel'] {
  return {
    ...readModel,
    async listEvents(query) {
      const page = await readModel.listEvents(query);
      return isWrong ? { ...page, items: page.items.slice(1) } : page;
    },
  };
}

const daybook: TestService = await startTestService({
  environment: { DAYBOOK_DATA_DIR: folder, DAYBOOK_EVENT_STORE: `sqlite:${path.join(folder, 'daybook.db')}` },
  wrap: (stores) => ({ ...stores, readModel: withoutFirst(stores.readModel) }),
});

const test = suite('daybook rehearse');

const music = await daybook.created('editor', 'categories', { name: 'Music' });
const hall = await daybook.created('editor', 'venues', { venue: 'Town Hall' });
for (const title of ['Concert', 'Reading', 'Lecture'])
  await daybook.created('editor', 'events', someEvent({ title, cost: '0', venue: hall.id, categories: [music.id] }));
const draft: Body = await daybook.created('author', 'events', someEvent({ title: 'Draft', status: 'draft' }));
await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = daybook.service.app.server.address() as AddressInfo;
const SITE = `http://127.0.0.1:${port}`;

interface Run {
  readonly args?: readonly string[];
  readonly settings?: { readonly [name: string]: string };
  /** Called with the number of each answer. */
  readonly onAnswer?: (answers: number) => void;
  readonly signal?: AbortSignal;
}

async function run({ args = [], settings = {}, onAnswer = () => {}, signal }: Run = {}) {
  const lines: string[] = [];
  const config: Config = {
    ...readConfig({ DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'silent', ...settings }),
    readModel: IN_MEMORY,
  };
  const stores = await openStores(config);
  try {
    const code = await perform(rehearseCommand, [SITE, ...args], {
      ...{ stores, config, clock: daybook.clock },
      read: async () => daybook.authorization('administrator').replace('Bearer ', ''),
      out: (line) => void lines.push(line),
      progress: { begin: () => {}, reach: onAnswer, end: () => {} },
      signal: signal ?? new AbortController().signal,
    });
    return { code, lines };
  } finally {
    await stores.close();
  }
}

/** Lists that were asked for are cached until something that they show is written. */
const forgetLists = (title: string) => daybook.request('editor', 'PATCH', '/events/2', { title });

test('without a difference it says so, and nothing is written to the log', async () => {
  const head = await daybook.store.head();
  const { code, lines } = await run();
  assert.is(code, 0);
  assert.is(lines.at(-1), 'Nothing would look different.');
  assert.match(lines[0] ?? '', /events 6, .*venues 2, .*categories 1/);
  assert.is(await daybook.store.head(), head);
});

// The draft has no slug yet.
test('with a token it compares what the user of the token sees', async () => {
  const { lines } = await run({ args: ['--token-file', 'token'] });
  assert.match(lines[0] ?? '', / events 7, .*venues 2/);
  assert.is(lines.at(-1), 'Nothing would look different.');
});

test('it names each field that would look different once, with the number of answers and an example', async () => {
  const { code, lines } = await run({ settings: { DAYBOOK_LANGUAGE: 'de' } });
  assert.is(code, 1);
  const at = lines.indexOf('DIFFERENT: events, cost: 6 answers, the first /events/2');
  assert.ok(at > 0, lines.join('\n'));
  assert.equal(lines.slice(at + 1, at + 3), ['  is:       "Free"', '  would be: "Kostenlos"']);
  assert.match(lines.join('\n'), /DIFFERENT: lists of events, events\[\]\.cost: \d+ answers/);
});

test('it finds a running service whose lists are wrong', async () => {
  isWrong = true;
  await forgetLists('New');
  const { code, lines } = await run({ args: ['--json'] });
  isWrong = false;
  await forgetLists('Newer');
  assert.is(code, 1);
  const { differences } = JSON.parse(lines[0] ?? '');
  const found = differences.find(({ place }: Body) => place === 'events[].id');
  assert.is(found.subject, 'lists of events');
  assert.equal(found.first.was, found.first.will.slice(1));
});

test('what is written meanwhile is no difference', async () => {
  let changes = Promise.resolve();
  const { code, lines } = await run({
    onAnswer(answers) {
      if (answers > 12) return;
      changes = changes.then(async () => {
        await daybook.request('editor', 'PATCH', '/events/3', { title: `Concert ${answers}` });
        await daybook.request('editor', 'POST', '/events', someEvent({ title: `Encore ${answers}` }));
      });
    },
  });
  await changes;
  assert.is(lines.at(-1), 'Nothing would look different.', lines.join('\n'));
  assert.is(code, 0);
});

test('it can be interrupted', async () => {
  const stopping = new AbortController();
  const { code } = await run({ onAnswer: (answers) => answers === 3 && stopping.abort(), signal: stopping.signal });
  assert.is(code, 130);
});

test('it refuses what is no calendar, and a token that is not known', async () => {
  const refused = (args: string[], read = async () => 'unknown') =>
    perform(rehearseCommand, args, {
      ...{ stores: daybook.stores, config: daybook.config, clock: daybook.clock, read, out: () => {} },
      progress: { begin: () => {}, reach: () => {}, end: () => {} },
      signal: new AbortController().signal,
    }).then(
      () => 'not refused',
      (error: unknown) => (error instanceof UsageError ? error.message : Promise.reject(error)),
    );
  assert.match(await refused([`${SITE}/elsewhere`]), /is not a calendar: it answers 404\.$/);
  assert.match(await refused(['http://127.0.0.1:9']), /does not answer/);
  assert.is(await refused([SITE, '--token-file', 'token']), '--token-file: the service does not know this token.');
  assert.match(await refused(['calendar.example.org']), /an address such as/);
});

test.after(async () => {
  assert.is(draft.status, 'draft');
  await daybook.close();
  remove();
});

test.run();
