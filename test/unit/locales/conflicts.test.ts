import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RevertConflict } from '../../../src/domain/rejections.ts';
import { conflictClause } from '../../../src/locales/conflicts.ts';
import { ENGLISH, languageNamed } from '../../../src/locales/languages.ts';

const test = suite('conflicts of reverts in words');

const THING = { kind: 'event', id: 14 };

const CONFLICTS: readonly RevertConflict[] = [
  { field: 'slug', slug: 'gala', thing: THING, why: 'taken' },
  { field: 'slug', slug: 'gala', why: 'taken' },
  { field: 'venue', thing: THING, why: 'in_trash' },
  { field: 'tags', thing: THING, why: 'deleted' },
  { field: 'image', thing: THING, why: 'gone' },
  { field: 'parent', thing: THING, why: 'circle' },
];

test('every conflict has a text', () =>
  assert.equal(
    CONFLICTS.map((conflict) => conflictClause(conflict)(ENGLISH)),
    [
      'the slug gala belongs to event 14',
      'the slug gala belongs to something else',
      'event 14 is in the trash (venue)',
      'event 14 has been deleted (tags)',
      'event 14 is no longer there (image)',
      'under event 14 it would be below itself (parent)',
    ],
  ));

test('resources have the name of their kind in the language of the reader', () => {
  const german = languageNamed('de') ?? ENGLISH;
  const gone = (kind: string) => conflictClause({ field: 'x', thing: { kind, id: 3 }, why: 'gone' })(german);
  assert.equal(['event', 'venue', 'organizer', 'category', 'tag', 'image', 'user'].map(gone), [
    'Veranstaltung 3 gibt es nicht mehr (x)',
    'Veranstaltungsort 3 gibt es nicht mehr (x)',
    'Veranstalter 3 gibt es nicht mehr (x)',
    'Kategorie 3 gibt es nicht mehr (x)',
    'Schlagwort 3 gibt es nicht mehr (x)',
    'Bild 3 gibt es nicht mehr (x)',
    'Konto 3 gibt es nicht mehr (x)',
  ]);
});

test('a kind without a name is called as it is', () =>
  assert.is(
    conflictClause({ field: 'x', thing: { kind: 'series', id: 3 }, why: 'gone' })(ENGLISH),
    'series 3 is no longer there (x)',
  ));

test.run();
