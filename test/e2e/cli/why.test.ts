import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UsageError } from '../../../src/cli/errors.ts';
import { whyCommand } from '../../../src/editorial/why/cli/why.ts';
import { languageNamed } from '../../../src/locales/languages.ts';
import { perform } from '../../support/perform.ts';
import { type Body, someEvent, startTestService } from '../../support/service.ts';

const test = suite('daybook why');
const daybook = await startTestService();
const shown: Body = await daybook.created('editor', 'events', someEvent({ title: 'Shown' }));
const draft: Body = await daybook.created('author', 'events', someEvent({ title: 'Draft', status: 'draft' }));

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const { config, store, stores, clock } = daybook;
  await perform(whyCommand, args, {
    ...config,
    store,
    rendering: stores.rendering,
    language: languageNamed('en') as never,
    now: clock.now,
    out: (line) => void lines.push(line),
  });
  return lines;
}

const refusal = async (...args: string[]): Promise<string> =>
  run(...args).then(
    () => 'no refusal',
    (error) => (error instanceof UsageError ? error.message : Promise.reject(error)),
  );

test('it says of the list of the public, condition by condition, what is met and what is not', async () => {
  assert.equal(await run(String(draft.id), 'search=draft'), [
    'The event is not in this list. What it does not meet: status.',
    '  ✓ hide_from_listings  It is not hidden from lists.',
    '  ✗ status              Its status is draft; this list shows the reader status=publish. Change the status of the event, or ask for status=draft as a user who may see it.',
    '  ✓ password            No password keeps this list from looking into it.',
    '  ✓ start_date          It starts at 2026-12-21 10:00:00 (UTC); start_date asks for 2026-11-19 00:00:00 or later.',
    '  ✓ end_date            It ends at 2026-12-21 12:00:00 (UTC); end_date asks for 2028-11-20 23:59:59 or earlier.',
    '  ✓ search              Its title, excerpt or description contains “draft”.',
  ]);
});

test('it says the same as the API for a role', async () => {
  const [line = ''] = await run(String(shown.id), 'per_page=5', '--role', 'editor', '--json');
  const { list_url: _, ...told } = (await daybook.get(`/events/${shown.id}/why?per_page=5&role=editor`, 'editor')).body;
  assert.equal(JSON.parse(line), told);
  assert.is(told.listed, true);
});

test('it explains a list as of an instant', async () => {
  const [line] = await run(String(shown.id), `as_of=${new Date(daybook.clock.at * 1000).toISOString()}`);
  assert.is(line, 'The event is in this list: number 1 of 1, on page 1.');
});

test('it reports what cannot be asked', async () => {
  assert.is(await refusal('9999'), 'why: there is no event 9999.');
  assert.match(await refusal(String(shown.id), 'status=draft'), 'status must be publish');
  assert.match(await refusal(String(shown.id), 'categories=nothing'), 'existing slugs, names or ids');
  assert.match(await refusal('x'), "argument 'ID'. It must be a positive integer");
});

test('the service ends', () => daybook.close());

test.run();
