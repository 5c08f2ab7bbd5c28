import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { configuredLanguage, LANGUAGE_CODES } from '../../../src/locales/languages.ts';
import { daybook as started } from '../../support/process.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite('the language of an installation');

const { folder, remove } = temporaryFolder();
test.after(remove);

test('English unless another language is set', () => {
  assert.is(readConfig({}).language, 'en');
  assert.is(configuredLanguage(readConfig({})).code, 'en');
  assert.is(configuredLanguage(readConfig({ DAYBOOK_LANGUAGE: 'de' })).code, 'de');
});

test('every language that there is may be chosen', () => {
  for (const code of LANGUAGE_CODES) assert.is(readConfig({ DAYBOOK_LANGUAGE: code }).language, code);
});

test('an unknown language is one line that names those that there are', async () => {
  const line = `DAYBOOK_LANGUAGE must be one of ${LANGUAGE_CODES.join(', ')}, not "xx".`;
  assert.throws(
    () => readConfig({ DAYBOOK_LANGUAGE: 'xx' }),
    (error: unknown) => error instanceof ConfigError && error.message === line,
  );
  const failed = started(['serve'], { PORT: '0', DAYBOOK_DATA_DIR: folder, DAYBOOK_LANGUAGE: 'xx' });
  assert.is(await failed.ended, 1);
  assert.is(failed.errors(), `daybook: ${line}\n`);
});

test('the commands speak what DAYBOOK_LANGUAGE says', async () => {
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_LANGUAGE: 'de' };
  const imported = started(['import', 'test/fixtures/import/events.json'], settings);
  assert.is(await imported.ended, 0, imported.errors());
  const tail = started(['tail', '--after', 'start', '--types', 'event', '--limit', '1', '--json'], settings);
  assert.is(await tail.ended, 0, tail.errors());
  const { id, summary } = JSON.parse(tail.out());
  assert.match(summary, /^Als „.+“ angelegt\.$/);
  const history = started(['history', `events/${id}`], settings);
  assert.is(await history.ended, 0, history.errors());
  assert.ok(history.out().includes(summary), history.out());
});

test.run();
