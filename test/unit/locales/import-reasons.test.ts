// What importers say, in the languages of readers.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import english from '../../../src/locales/en.json' with { type: 'json' };
import { importReasonIn } from '../../../src/locales/import-reasons.ts';
import { ENGLISH, languageNamed } from '../../../src/locales/languages.ts';

const test = suite('reasons of imports');
const GERMAN = languageNamed('de') ?? ENGLISH;

const SAID: readonly (readonly [english: string, german: string])[] = [
  ['no title', 'title fehlt'],
  ['start "nie" is not a date', 'start „nie“ ist kein Datum'],
  ['"2027-02-31" is not a date and time', '„2027-02-31“ ist kein Tag mit Uhrzeit'],
  ['it ends (2027-01-01) before it starts (2027-01-02)', 'endet (2027-01-01), bevor sie beginnt (2027-01-02)'],
  [
    'its description has 262145 bytes, but may have at most 262144',
    'description hat 262145 Bytes, darf aber höchstens 262144 haben',
  ],
  ['it answers 404 Not Found', 'antwortet 404 Not Found'],
  ['it redirects to file:, which is not followed', 'leitet an file: weiter; dem wird nicht gefolgt'],
  [
    'taken as single events: it leaves dates out by a rule (EXRULE)',
    'als einzelne Veranstaltungen übernommen: eine Regel (EXRULE) lässt Termine aus',
  ],
  ['the time zone "a "b" (c)\nd" is not known', 'die Zeitzone „a "b" (c)\nd“ ist unbekannt'],
  ['fest.csv: columns that are not used: x, y', 'fest.csv: Spalten, die nicht verwendet werden: x, y'],
  [
    'fest.csv: day and month may be swapped, and no other date shows their order; lines 2 (4.1.2027 = 2027-01-04), … (+2)',
    'fest.csv: Tag und Monat können vertauscht sein, und kein anderes Datum zeigt ihre Reihenfolge; Zeilen 2 (4.1.2027 = 2027-01-04), … (+2)',
  ],
];

for (const [said, german] of SAID)
  test(said, () => {
    assert.is(importReasonIn(GERMAN, said), german);
    assert.is(importReasonIn(ENGLISH, said), said);
  });

test('what has no sentence stays as it is, and no value is taken for a placeholder', () => {
  assert.is(importReasonIn(GERMAN, 'something unheard of'), 'something unheard of');
  assert.is(
    importReasonIn(GERMAN, 'the status "{value} $& {name}" is not known'),
    'den Stand „{value} $& {name}“ gibt es nicht',
  );
});

test('each sentence is one that importers say', () => {
  const root = path.resolve(import.meta.dirname, '../../../src');
  const said = ['exchange/import', 'exchange/sources', 'kernel/outbound']
    .flatMap((room) =>
      readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(root, room, name),
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
    .replace(/[`'] \+\s+[`']/g, '');
  // Which of four kinds it is is a value where it is said.
  const partsOf = (text: string): string[] => text.split(/\{[a-z]+\}|(?<=without a )[a-z]+(?=, which)/);
  const unsaid = Object.entries(english.imports).filter(
    ([, text]) => !partsOf(text).every((part) => said.includes(part)),
  );
  assert.equal(
    unsaid.map(([name]) => name),
    [],
  );
});

test.run();
