// Days and times in forms: what a form shows is read again as the same, in every language, and so is what people type.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGE_CODES } from '../../../src/locales/languages.ts';
import { readDay, readTime } from '../../../src/pages/assets/written-dates.js';
import { addDays, dateText } from '../../../src/pages/dates.ts';

const test = suite('days and times as they are written');
const TODAY = '2026-11-26';

for (const code of LANGUAGE_CODES) {
  test(`${code}: every day of a year is read as it is shown`, () => {
    for (let day = '2028-01-01'; day < '2029-01-01'; day = addDays(day, 1)) {
      const shown = dateText(code, 'medium', day);
      assert.is(readDay(code, shown, TODAY), day, shown);
    }
  });

  test(`${code}: times are read as they are shown`, () => {
    for (let minutes = 0; minutes < 1440; minutes += 15) {
      const time = new Date(minutes * 60_000).toISOString().slice(11, 16);
      assert.is(readTime(dateText(code, 'time', `2026-01-01 ${time}`)), time);
    }
  });
}

for (const [language, typed, day] of [
  ['de', '5.12.2026', '2026-12-05'],
  ['de', '05.12.26', '2026-12-05'],
  ['de', '5. Dezember', '2026-12-05'],
  ['de', '5.11.', '2027-11-05'],
  ['de', '5 mar 2027', '2027-03-05'],
  ['en', '12/5/2026', '2026-12-05'],
  ['en', 'Dec 5', '2026-12-05'],
  ['en', '5 December 2026', '2026-12-05'],
  ['fr', 'mar. 5 mai 2026', '2026-05-05'],
  ['fr', '5/12/2026', '2026-12-05'],
  ['ja', '2026/12/5', '2026-12-05'],
  ['ja', '12月5日', '2026-12-05'],
  ['de', '2026-12-05', '2026-12-05'],
  ['de', '2026/12/5', '2026-12-05'],
  ['de', '29.2.2027', null],
  ['de', '31.4.2027', null],
  ['en', 'someday', null],
  ['en', '', null],
  ['en', '5', null],
] as const)
  test(`${language}: “${typed}” is ${day}`, () => assert.is(readDay(language, typed, TODAY), day));

for (const [typed, time] of [
  ['19:00', '19:00'],
  ['7', '07:00'],
  ['7 pm', '19:00'],
  ['7:30 p.m.', '19:30'],
  ['12 am', '00:00'],
  ['12 PM', '12:00'],
  ['19.30 Uhr', '19:30'],
  ['19h30', '19:30'],
  ['1930', '19:30'],
  ['930', '09:30'],
  ['24:00', null],
  ['19:60', null],
  ['13 pm', null],
  ['soon', null],
  ['', null],
] as const)
  test(`“${typed}” is ${time}`, () => assert.is(readTime(typed), time));

test.run();
