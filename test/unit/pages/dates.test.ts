// Days, weeks and months of pages, and dates in words.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGE_CODES } from '../../../src/locales/languages.ts';
import {
  addDays,
  addMonths,
  inLanguage,
  isDay,
  isMonth,
  weekdayOf,
  weekOf,
  weeksOf,
  whenInList,
  whenText,
} from '../../../src/pages/dates.ts';
import { zoneNamed } from '../../support/given.ts';

const test = suite('dates of pages');

test('days are counted over the ends of months, years and Februaries', () => {
  assert.equal(
    [addDays('2026-12-31', 1), addDays('2028-02-28', 1), addDays('2027-02-28', 1), addDays('2027-01-01', -1)],
    ['2027-01-01', '2028-02-29', '2027-03-01', '2026-12-31'],
  );
  assert.equal([addMonths('2026-12', 1), addMonths('2026-01', -1)], ['2027-01', '2025-12']);
});

test('times in sentences of the API are said in a language, and what only looks like one stays', () => {
  const sentence = 'Rescheduled to 2026-12-05 19:00:00, from 2026-99-05 19:00:00.';
  assert.is(inLanguage({ code: 'de' }, sentence), 'Rescheduled to Sa., 5. Dez. 2026, 19:00, from 2026-99-05 19:00:00.');
});

test('a week is from Monday to Sunday', () => {
  assert.equal([weekdayOf('2026-11-22'), weekdayOf('2026-11-23')], [7, 1]);
  assert.equal([weekOf('2026-11-22'), weekOf('2026-11-23')], ['2026-11-16', '2026-11-23']);
});

test('the weeks of a month contain each of its days once, in rows of seven', () => {
  for (let month = '2026-01'; month < '2029-01'; month = addMonths(month, 1)) {
    const weeks = weeksOf(month);
    assert.ok(weeks.every((week) => week.length === 7 && week.some((day) => day.startsWith(month))));
    const days = weeks.flat().filter((day) => day.startsWith(month));
    assert.is(days[0], `${month}-01`);
    assert.is(addDays(days.at(-1) ?? '', 1), `${addMonths(month, 1)}-01`);
    assert.is(new Set(weeks.flat()).size, weeks.length * 7);
  }
});

test('only days and months that exist have pages', () => {
  for (const day of ['2026-02-28', '2028-02-29', '1999-12-31']) assert.ok(isDay(day), day);
  for (const day of ['2027-02-29', '2026-13-01', '2026-1-1', '0001-01-01', 'today', '']) assert.not(isDay(day), day);
  assert.equal(['2026-12', '2026-13', '2026-00', '2026'].map(isMonth), [true, false, false, false]);
});

const times = {
  all_day: false,
  start_date: '2026-12-05 19:00:00',
  end_date: '2026-12-05 22:30:00',
  timezone_abbr: 'CET',
};

test('a day is named once, a second one and whole days too', () => {
  const when = (change: Partial<typeof times>) => whenText('de', { ...times, ...change }, 'long');
  assert.is(when({}), 'Samstag, 5. Dezember 2026, 19:00\u00a0–\u2060\u00a022:30\u00a0CET');
  assert.is(when({ end_date: times.start_date }), 'Samstag, 5. Dezember 2026, 19:00\u00a0CET');
  assert.is(
    when({ end_date: '2026-12-06 01:00:00' }),
    'Samstag, 5. Dezember 2026, 19:00 – Sonntag, 6. Dezember 2026, 1:00\u00a0CET',
  );
  assert.is(when({ all_day: true }), 'Samstag, 5. Dezember 2026');
  assert.is(
    when({ all_day: true, end_date: '2026-12-06 23:59:59' }),
    'Samstag, 5. Dezember 2026 – Sonntag, 6. Dezember 2026',
  );
});

test('every language has words of its own for a date', () => {
  const texts = LANGUAGE_CODES.map((code) => whenText(code, times, 'long'));
  assert.is(new Set(texts).size, LANGUAGE_CODES.length, texts.join('\n'));
});

test('a day and its time are parted as a language parts them', () => {
  const said = (code: string): string =>
    whenInList({ language: { code }, siteZone: zoneNamed('Europe/Berlin') }, { ...times, timezone: 'Europe/Berlin' });
  assert.is(said('ja'), '2026年12月5日(土) 19:00\u00a0–\u2060\u00a022:30');
  assert.is(said('fr'), 'sam. 5 déc. 2026, 19:00\u00a0–\u2060\u00a022:30');
});

test('in lists the zone of the site goes without saying, and another one is named', () => {
  const [language, event] = [{ code: 'de' }, { ...times, timezone: 'Europe/Berlin' }];
  const said = (zone: string): string => whenInList({ language, siteZone: zoneNamed(zone) }, event);
  assert.is(said('Europe/Berlin'), 'Sa., 5. Dez. 2026, 19:00\u00a0–\u2060\u00a022:30');
  assert.is(said('Europe/London'), 'Sa., 5. Dez. 2026, 19:00\u00a0–\u2060\u00a022:30\u00a0CET');
});

test.run();
