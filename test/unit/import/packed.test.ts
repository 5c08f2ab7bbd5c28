import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readCalendar } from '../../../src/exchange/import/formats/ical/ical-records.ts';
import type { PlannedEvent } from '../../../src/exchange/import/import-plan.ts';
import { openPackedEvents, openPackedTexts } from '../../../src/exchange/import/packed.ts';
import { resolveZone } from '../../../src/kernel/time/zone.ts';

test('packed texts come back, whatever their length, until they are dropped', () => {
  const texts = openPackedTexts();
  const given = ['', 'Jazz – 日本 🎷', 'x'.repeat(700_000), 'ö'.repeat(700_000), 'z'.repeat(700_000)];
  assert.equal(
    given.map((text) => texts.add(text)),
    [0, 1, 2, 3, 4],
  );
  assert.equal(
    given.map((_, index) => texts.at(index)),
    given,
  );
  for (const index of [0, 1, 2]) texts.drop(index);
  assert.throws(() => texts.at(2), /no text 2/);
  assert.is(texts.at(3), given[3]);
  texts.drop(4);
  // The last block takes more.
  const further = texts.add('further');
  assert.is(texts.at(further), 'further');
  assert.throws(() => texts.at(99), /no text 99/);
});

const eventOf = (title: string): PlannedEvent => ({
  origin: { source: 'a file', key: title, name: title, place: { file: 'a.ics', index: 0 } },
  id: undefined,
  input: { title },
  ...{ categories: undefined, tags: undefined, venues: ['hall'], organizers: undefined },
  ...{ merging: 'newest', modified: '' },
});

test('packed events come in order, each as it was last given, without those that were dropped', () => {
  const events = openPackedEvents();
  for (const title of ['a', 'b', 'c']) events.add(eventOf(title));
  events.replace(1, eventOf('B'));
  assert.equal(
    [...events].map(({ input }) => input.title),
    ['a', 'B', 'c'],
  );
  assert.equal(events.at(1)?.venues, ['hall']);
  assert.is(events.at(1)?.id, undefined);
  assert.is(events.at(3), undefined);
  events.drop?.(0);
  assert.is(events.at(0), undefined);
  assert.is(events.length, 3);
});

const siteZone = resolveZone('Europe/Berlin');
const READING = { file: 'a.ics', site: null, until: 4_000_000_000, rules: 'kept' } as const;
const vevent = (lines: string): string =>
  `BEGIN:VEVENT\r\nDTSTART:20270301T200000Z\r\n${lines.trim().replace(/\s*\n\s*/g, '\r\n')}\r\nEND:VEVENT\r\n`;

function read(...events: readonly string[]) {
  if (!siteZone) throw new Error('there is no such zone');
  const text = `BEGIN:VCALENDAR\r\n${events.join('')}END:VCALENDAR\r\n`;
  const { readings, fileFaults, records } = readCalendar(text, { ...READING, siteZone });
  const titles = [...readings].flatMap(({ plan }) => plan.events.map(({ input }) => input.title));
  return { titles, records, broken: fileFaults().map(({ name, place }) => [name, place.index]) };
}

test('versions of one event are found by its UID, however that is written', () => {
  const { titles, records } = read(
    vevent('UID:a,1\n SUMMARY:old\n SEQUENCE:1'),
    vevent('uid;X-A=1:b\n SUMMARY:other'),
    vevent('UID:a\\,1\n SUMMARY:new\n SEQUENCE:2'),
    vevent('UID: b \n SUMMARY:newer other\n SEQUENCE:3'),
  );
  assert.equal([titles, records], [['new', 'newer other'], 4]);
});

test('the UID of an alarm is not that of its event', () => {
  const alarm = 'BEGIN:VALARM\n UID:a\n ACTION:AUDIO\n TRIGGER:-PT5M\n END:VALARM';
  const { titles } = read(
    vevent(`SUMMARY:first\n ${alarm}`),
    vevent(`SUMMARY:second\n ${alarm}`),
    vevent(`${alarm}\n UID:c\n SUMMARY:third`),
    vevent(`UID:c\n SUMMARY:third again\n SEQUENCE:1\n ${alarm}`),
  );
  assert.equal(titles.sort(), ['first', 'second', 'third again']);
});

test('broken events are told in the order of the file, with or without a UID', () => {
  const { titles, broken, records } = read(
    vevent('UID:a\n SUMMARY:\n X-A:no title'),
    vevent('UID:b\n SUMMARY:Good'),
    vevent('SUMMARY:\n X-A:no title, no UID'),
    vevent('UID:d\n SUMMARY:\n X-A:no title, too'),
  );
  assert.equal([titles, records], [['Good'], 4]);
  assert.equal(broken, [
    ['', 0],
    ['', 2],
    ['', 3],
  ]);
});

test.run();
