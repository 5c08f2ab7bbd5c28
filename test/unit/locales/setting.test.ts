import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { configuredLanguage, LANGUAGE_CODES } from '../../../src/locales/languages.ts';
import { runHere } from '../../support/here.ts';
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
  const { code, errors } = await runHere(['serve'], { DAYBOOK_DATA_DIR: folder, DAYBOOK_LANGUAGE: 'xx' });
  assert.equal([code, errors], [1, `daybook: ${line}\n`]);
});

test('the commands speak what DAYBOOK_LANGUAGE says', async () => {
  const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_LANGUAGE: 'de' };
  const output = async (...words: readonly string[]): Promise<string> => {
    const { code, out, errors } = await runHere(words, settings);
    assert.is(code, 0, errors);
    return out;
  };
  await output('import', 'test/fixtures/import/events.json');
  const { id, summary } = JSON.parse(
    await output('tail', '--after', 'start', '--types', 'event', '--limit', '1', '--json'),
  );
  assert.match(summary, /^Als „.+“ angelegt\.$/);
  assert.match(await output('history', `events/${id}`), summary);
});

test.run();
