import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TRANSLATIONS } from '../../../src/locales/catalogue.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { compared, describedIn } from './described.ts';
import { sameIn } from './same-words.ts';

const test = suite<{ daybook: TestService }>('descriptions in every language');

test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

/** Ready to be put into the file of a language. */
const pasteable = (texts: Iterable<string>): string =>
  [...texts].map((text) => `    ${JSON.stringify(text)}:\n      '',`).join('\n');

test('a walk finds the texts and everything else that differs', () => {
  const walked = compared(
    { args: { a: { description: 'One.', type: 'string' } } },
    { args: { a: { description: 'Eins.', type: 'number' } } },
  );
  assert.equal(walked.texts, [{ at: '/args/a/description', english: 'One.', translated: 'Eins.' }]);
  assert.equal(walked.differences, ['/args/a/type']);
  assert.equal(compared({ a: 1 }, { a: 1, b: 2 }).differences, ['the members of ']);
});

for (const { code, descriptions } of TRANSLATIONS) {
  test(`${code}: nothing but the texts differs from the English index and document`, async ({ daybook }) => {
    const { texts, differences } = await describedIn(daybook, code);
    assert.equal(differences, []);
    assert.ok(texts.length > 300, `only ${texts.length} texts were found`);
  });

  test(`${code}: every description is translated`, async ({ daybook }) => {
    const { texts } = await describedIn(daybook, code);
    const same = sameIn(code);
    const untranslated = texts.filter(({ english, translated }) => english === translated && !same.has(english));
    const missing = new Set(untranslated.map(({ english }) => english));
    assert.ok(missing.size === 0, `${missing.size} are missing in src/locales/${code}.ts:\n${pasteable(missing)}`);
  });

  test(`${code}: no description is left over`, async ({ daybook }) => {
    const { texts } = await describedIn(daybook, code);
    const shown = new Set(texts.map(({ english }) => english));
    assert.equal(
      Object.keys(descriptions).filter((english) => !shown.has(english)),
      [],
    );
  });
}

test.run();
