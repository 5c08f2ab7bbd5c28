import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ValidationContext, Validator } from '../../../../src/http/parameters/validator.ts';
import * as validators from '../../../../src/http/parameters/validators.ts';
import { readDate } from '../../../../src/kernel/time/date-input.ts';
import { context, EDITOR, PICTURE } from '../shell.ts';

const test = suite('validators');

interface Case {
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  readonly context?: Partial<ValidationContext>;
}

const BIG = 'x'.repeat(65_537);

function rule(name: string, validator: Validator, { accepts, refuses, context: changes }: Case): void {
  test(name, async () => {
    for (const value of accepts) assert.is.not(await validator(value, context(changes)), false, JSON.stringify(value));
    for (const value of refuses)
      assert.is(await validator(value, context(changes)), false, JSON.stringify(value)?.slice(0, 80));
  });
}

rule('a non-empty string is no number, list or "0"', validators.nonEmptyString, {
  accepts: ['x', '   ', '00', 'false'],
  refuses: ['', '0', 5, true, [], ['x'], {}, BIG],
});
rule('a title is more than blanks and at most 64 KiB', validators.filledText, {
  accepts: ['x', BIG.slice(1), 'é'.repeat(32_768)],
  refuses: ['', '0', ' \n', 5, BIG, 'é'.repeat(32_769)],
});
rule('the name of a term has at most 200 characters', validators.termName, {
  accepts: ['x', '🎉'.repeat(200)],
  refuses: ['', '0', '  ', 'x'.repeat(201)],
});
rule('an optional text is a string or empty', validators.stringOrEmpty, {
  accepts: ['', 'x', 0, false],
  refuses: [5, true, ['x'], BIG],
});
rule('a positive integer in the forms that clients write', validators.positiveInt, {
  accepts: [5, '5', '5.0', ' 5', '5 ', '1e1', '0039', '99999999999999999999'],
  refuses: [0, '0', -1, '-1', 2.5, '2.5', 'foo', '', [], [5], true, '0x10', 'Infinity'],
});
rule('a time is anything that the date parser reads', validators.time, {
  accepts: ['2027-03-01', '2027-03-01 10:00', 'tomorrow 9am', '1797829200', 1_797_829_200],
  refuses: ['', ' ', 'foo', '2027-02-30', '2026-08-01 25:00:00', ['2026-08-01'], true, {}],
});
rule('a user id names a user', validators.userId, { accepts: [2, '2'], refuses: [0, -1, 99_999, 'author', ''] });
rule('a writable status is one of six', validators.writableStatus, {
  accepts: ['publish', 'future', 'draft', 'pending', 'private', 'trash'],
  refuses: ['', 'foo', 'PUBLISH', 'any', 'inherit', 'auto-draft', 'publish,draft', ['publish'], 1],
});
rule('the public may filter by publish alone', validators.listedStatus, {
  accepts: ['publish', ['publish']],
  refuses: ['draft', 'any', '', 'publish,draft', 'publish,publish', 'foo', []],
});
rule('editors may filter by any status and list of them', validators.listedStatus, {
  accepts: ['publish', 'draft, pending', 'any', ['trash'], '', 'inherit'],
  refuses: ['foo', 'publish,foo', 'any,foo', 'DRAFT'],
  context: { caller: EDITOR },
});
rule('a zone is empty or names a zone', validators.zoneOrEmpty, {
  accepts: ['', '0', 'Europe/Paris', 'europe/paris', 'EST', '+02:00', 'Z', 'UTC', 'UTC+5:30', 'UTC-3'],
  refuses: ['Mars/Olympus', 'UTCfoo', 5, ['UTC']],
});
rule('a website is empty or an absolute address', validators.urlOrEmpty, {
  accepts: ['', 'https://x.example.org/a?b=1', 'ftp://x.y', 'mailto:a@example.org'],
  refuses: [
    'foo',
    'example.com',
    'not a url',
    5,
    'https://żółć.example/',
    'https://',
    'javascript://x/%0aalert(1)',
    'https://x y.z',
  ],
});
rule('an image is an existing id or an http(s) address', validators.image, {
  accepts: [41, '41', 'https://x.example.org/a.png', 'http://x.y/z'],
  refuses: [
    '',
    0,
    '0',
    42,
    'foo',
    'ftp://x.y/z.png',
    false,
    [41],
    'https://x/ y.png',
    `https://x.y/${'z'.repeat(2_048)}`,
  ],
});
test('an image is looked up by its id, and an empty value removes it', async () => {
  assert.equal(await validators.image('41', context()), { value: PICTURE });
  for (const value of ['', '0', 0]) assert.equal(await validators.imageOrEmpty(value, context()), { value: null });
});
rule('an optional image may be empty', validators.imageOrEmpty, { accepts: ['', 0, false, 41], refuses: [42, 'foo'] });
rule('terms to filter by must all exist', validators.termReferences('category'), {
  accepts: ['31', '31,music', ['31', 'music'], 31, ' 31 , 32 '],
  refuses: ['', '0', 'nope', '31,99', [], Array.from({ length: 501 }, () => '31')],
});
rule('a parent is the id of an existing category', validators.termId('category'), {
  accepts: [31, '31'],
  refuses: [0, '', 'music', 99, -1],
});
rule('posts to filter by must all be of the kind', validators.postIds('venue'), {
  accepts: ['11', '11,12', [11, '12'], 19],
  refuses: ['', '0', '11,1', 'hall', '-1', '99'],
});
rule('an event id is the id of an existing event', validators.postId('event'), {
  accepts: [1, '1'],
  refuses: [0, '', 'foo', 11, 99],
});
rule('a parent event may be none', validators.postIdOrEmpty('event'), {
  accepts: [0, '', '0', 1],
  refuses: [11, 'foo'],
});
rule('included ids need not exist', validators.idsOnly, {
  accepts: ['99999', '1,2', ['1']],
  refuses: ['abc', '0', '', '1,x'],
});
rule('a slug in the path must be known', validators.postSlug('venue'), {
  accepts: ['known-venue'],
  refuses: ['known-event', '', '0', 5],
});
rule('a slug beside the one in the path is the new one', validators.postSlug('venue'), {
  accepts: ['brand-new'],
  refuses: ['', 5],
  context: { slug: 'known-venue' },
});
rule('terms of an event are ids, slugs and names', validators.termList, {
  accepts: ['', null, [], 5, '5', 'A,B', ['A', 5, null, 0], [-3]],
  refuses: [[{ id: 5 }], [['A']], { id: 5 }, ['x'.repeat(201)], Array.from({ length: 501 }, (_, at) => at), [true]],
});
rule('a cost is an amount, a text, or several', validators.cost, {
  accepts: ['10', 10, '', true, ['Free', '10'], { a: '5' }],
  refuses: [[['5']], [{ a: 1 }], BIG],
});
rule('a latitude never comes alone', validators.coordinate(90, 'geo_lng'), { accepts: [], refuses: [50, '50', 0] });
rule('a latitude lies between the poles', validators.coordinate(90, 'geo_lng'), {
  accepts: [90, '-90', '50.5', 0],
  refuses: [90.1, '-91', 'x', '', [], true],
  context: { values: { geo_lng: '1' } },
});
rule('both coordinates may be emptied', validators.coordinate(90, 'geo_lng'), {
  accepts: [''],
  refuses: [5],
  context: { values: { geo_lng: '' } },
});
rule('a radius is more than nothing', validators.radius, {
  accepts: [1, '0.5', 20_040],
  refuses: [0, -1, 'x', '', 20_041],
});
rule('a new password has at most 255 characters', validators.newPassword, {
  accepts: ['', 'x'.repeat(255)],
  refuses: ['x'.repeat(256), 5],
});

test('a date is read in the zone that is sent along', async () => {
  const epochInNewYork = '1969-12-31 19:00:00';
  assert.equal(await validators.time(epochInNewYork, context()), { value: readDate(epochInNewYork) });
  assert.is(await validators.time(epochInNewYork, context({ values: { timezone: 'America/New_York' } })), false);
});

test.run();
