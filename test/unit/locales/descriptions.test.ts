import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import english from '../../../src/locales/en.json' with { type: 'json' };
import filters from '../../../src/locales/filters.json' with { type: 'json' };
import { languageFrom } from '../../../src/locales/language.ts';
import { ENGLISH } from '../../../src/locales/languages.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { compared, DESCRIBED, describedIn } from './described.ts';
import { TRANSLATIONS } from './translations.ts';

const test = suite<{ daybook: TestService }>('descriptions in every language');

test.before(async (context) => {
  context.daybook = await startTestService(DESCRIBED);
});
test.after(({ daybook }) => daybook.close());

const TEXTS: ReadonlyMap<string, string> = new Map(
  [...Object.keys(english.descriptions), ...Object.keys(filters).map((name) => `event_list.${name}`)].map((key) => [
    ENGLISH.describe(key),
    key,
  ]),
);

test('a walk finds the texts and everything else that differs', () => {
  const walked = compared(
    { args: { a: { description: 'One.', type: 'string' } } },
    { args: { a: { description: 'Eins.', type: 'number' } } },
  );
  assert.equal(walked.texts, [{ at: '/args/a/description', english: 'One.', translated: 'Eins.' }]);
  assert.equal(walked.differences, ['/args/a/type']);
  assert.equal(compared({ a: 1 }, { a: 1, b: 2 }).differences, ['the members of ']);
});

for (const texts of TRANSLATIONS) {
  const { code, describe } = languageFrom(texts);

  test(`${code}: nothing but the texts differs from the English index and document`, async ({ daybook }) => {
    const { texts, differences } = await describedIn(daybook, code);
    assert.equal(differences, []);
    assert.ok(texts.length > 300, `only ${texts.length} texts were found`);
  });

  test(`${code}: every description that is shown is one of en.json, in this language`, async ({ daybook }) => {
    const { texts } = await describedIn(daybook, code);
    for (const { at, english, translated } of texts) {
      // What an error answer says is made of the messages of its codes.
      if (at.includes('/components/responses/')) continue;
      const key = TEXTS.get(english);
      assert.ok(key, `${at}: "${english}" is no text of src/locales/en.json`);
      assert.is(translated, describe(key), at);
    }
  });
}

test('no description is left over', async ({ daybook }) => {
  const { texts } = await describedIn(daybook, 'de');
  const shown = new Set(texts.map(({ english }) => english));
  assert.equal(
    [...TEXTS].filter(([text]) => !shown.has(text)).map(([, key]) => key),
    [],
  );
});

test.run();
