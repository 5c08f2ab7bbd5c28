import type ICAL from 'ical.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FeedEvent } from '../../../../../src/exchange/feeds/feed-event.ts';
import { CALENDAR_END, calendarHead } from '../../../../../src/exchange/feeds/icalendar/calendar.ts';
import { eventComponent } from '../../../../../src/exchange/feeds/icalendar/event-component.ts';
import { type ReadEvent, readCalendar } from '../ical-reader.ts';
import { during, PRESENTATION, secondsOf, someFeedEvent } from '../sample-event.ts';

const lines = (members: Partial<FeedEvent> = {}, host = 'cal.example'): string[] =>
  eventComponent(someFeedEvent(members), { host, described: new Set(['Europe/Berlin']), presentation: PRESENTATION })
    .replaceAll('\r\n ', '')
    .split('\r\n');

const line = (name: string, members: Partial<FeedEvent> = {}): string[] =>
  lines(members).filter((one) => one.startsWith(name) && /^[;:]/.test(one.slice(name.length)));

function read(members: Partial<FeedEvent>): ReadEvent {
  const head = calendarHead('cal.example', new Map([['Europe/Berlin', new Set([2027])]]));
  const event = eventComponent(someFeedEvent(members), {
    host: 'cal.example',
    described: new Set(['Europe/Berlin']),
    presentation: PRESENTATION,
  });
  const [found] = readCalendar(head + event + CALENDAR_END).events;
  if (!found) throw new Error('no event');
  return found;
}

test('the name of an event follows from its id and its site, whatever else changes', () => {
  const uid = ['UID:event-41@cal.example'];
  assert.equal(line('UID'), uid);
  assert.equal(line('UID', { title: 'Other', url: 'https://cal.example/other/', revision: 9, timezone: 'UTC' }), uid);
  assert.ok(lines({ id: 7 }, 'other.example/cal').includes('UID:event-7@other.example/cal'));
});

test('timestamps come from the log', () => {
  const all = lines();
  for (const expected of [
    'DTSTAMP:20261121T130000Z',
    'LAST-MODIFIED:20261121T130000Z',
    'CREATED:20261120T120000Z',
    'SEQUENCE:3',
  ])
    assert.ok(all.includes(expected), expected);
});

test('whole days end before the day after the last', () => {
  const days = { isAllDay: true, start: '2026-12-31 00:00:00', end: '2027-02-28 23:59:59' };
  assert.equal(line('DTSTART', days), ['DTSTART;VALUE=DATE:20261231']);
  assert.equal(line('DTEND', days), ['DTEND;VALUE=DATE:20270301']);
  assert.equal(line('DTEND', { ...days, end: '9999-12-31 23:59:59' }), []);
});

test('an event without length has no end', () => {
  const { startsAt } = someFeedEvent();
  assert.equal(line('DTEND', { endsAt: startsAt, end: '2027-03-01 20:00:00' }), []);
  assert.equal(line('DTEND', { endsAt: startsAt, timezone: 'UTC' }), []);
});

test('times of a zone that is not described are in UTC', () => {
  assert.equal(line('DTSTART', { timezone: 'Europe/Paris' }), ['DTSTART:20270301T190000Z']);
});

test('times of a zone that is an offset or an abbreviation are in UTC, and the zone is not described', () => {
  for (const timezone of ['UTC-7', 'UTC+5.5', 'utc+05:30', '-0330', '+02:00', 'Z', 'EST', 'CEST']) {
    const startsAt = secondsOf('2027-07-01 10:00:00');
    const event = someFeedEvent(during(timezone, startsAt, startsAt + 3600));
    const text = eventComponent(event, {
      host: 'cal.example',
      described: new Set([timezone]),
      presentation: PRESENTATION,
    });
    assert.match(text, '\r\nDTSTART:20270701T100000Z\r\nDTEND:20270701T110000Z\r\n', timezone);
    const head = calendarHead('cal.example', new Map([[timezone, new Set([2027])]]));
    assert.not.match(head, 'VTIMEZONE', timezone);
  }
});

test('a description is the text of the HTML, or else the excerpt', () => {
  assert.is(read({ description: '<p>a;b</p><p>c&amp;d</p>', excerpt: 'x' }).value('description'), 'a;b\n\nc&d');
  assert.is(read({ excerpt: '<p>short</p>' }).value('description'), 'short');
  assert.equal(line('DESCRIPTION'), []);
});

test('a place repeats nothing', () => {
  const places: readonly (readonly [string, readonly string[], string])[] = [
    ['Hall', ['1 Mill Lane, Leeds LS1 1AA', 'LS1 1AA', 'Leeds', '', 'UK'], 'Hall, 1 Mill Lane, Leeds LS1 1AA, UK'],
    ['Łódź', ['', '', 'LODZ', 'Łódzkie', 'Polska'], 'Łódź, Łódzkie, Polska'],
    ['Town Hall, Leeds', ['', '', 'Leeds'], 'Town Hall, Leeds'],
    ['1 Mill Lane', ['1 Mill Lane', '', 'Berlin', 'Berlin'], '1 Mill Lane, Berlin'],
    ['Hall', ['Leeds Road 5', '', 'Leeds'], 'Hall, Leeds Road 5, Leeds'],
    ['Leeds Arena', ['', '', 'Leeds'], 'Leeds Arena, Leeds'],
  ];
  for (const [name, address, expected] of places)
    assert.is(read({ venues: [{ name, address, coordinates: null }] }).value('location'), expected);
});

test('places have names and addresses, and the first coordinates count', () => {
  const hall = { name: 'Hall; 1', address: ['1 Mill Lane', '', 'Leeds'], coordinates: null };
  const room = { name: 'Room', address: [], coordinates: { lat: 53.8, lng: -0.0000001 } };
  const event = read({ venues: [hall, room] });
  assert.is(event.value('location'), 'Hall; 1, 1 Mill Lane, Leeds; Room');
  assert.equal(line('GEO', { venues: [hall, room] }), ['GEO:53.8;0']);
  assert.equal(line('GEO', { venues: [{ ...room, coordinates: { lat: 1e-5, lng: 100 } }] }), ['GEO:0.00001;100']);
  assert.equal([...line('LOCATION'), ...line('GEO')], []);
});

test('the first organizer with an address is the organizer, the others can be contacted', () => {
  const blank = { name: '', email: '', phone: '', website: '' };
  const organizers = [
    { ...blank, name: 'Guild', phone: '0113 1', email: 'not an address', website: 'https://g.example/' },
    { ...blank, name: 'Lee, "Ace"', email: 'ace@a.example' },
    { ...blank, name: 'Third', email: 'third@a.example' },
  ];
  const { component } = read({ organizers });
  const [organizer, ...others] = component.getAllProperties('organizer');
  assert.is(organizer?.getFirstValue(), 'mailto:ace@a.example');
  assert.is(organizer?.getParameter('cn'), 'Lee, "Ace"');
  assert.is(others.length, 0);
  assert.equal(
    component.getAllProperties('contact').map((contact: ICAL.Property) => contact.getFirstValue()),
    ['Guild, 0113 1, not an address, https://g.example/', 'Third, third@a.example'],
  );
});

test('categories and tags are listed by name', () => {
  const terms = ['A, B', 'C;D', 'E'].map((name) => ({ name, slug: 's' }));
  assert.equal(read({ terms }).component.getFirstProperty('categories')?.getValues(), ['A, B', 'C;D', 'E']);
  assert.equal(line('CATEGORIES'), []);
});

test('an image is attached, with its type if known', () => {
  const image = { url: 'https://a.example/x y.png', extension: 'png' };
  assert.equal(line('ATTACH', { image }), ['ATTACH;FMTTYPE=image/png:https://a.example/x%20y.png']);
  assert.equal(line('ATTACH', { image: { ...image, extension: '' } }), ['ATTACH:https://a.example/x%20y.png']);
  assert.equal(line('IMAGE', { image }), [
    'IMAGE;VALUE=URI;FMTTYPE=image/png;DISPLAY=BADGE:https://a.example/x%20y.png',
  ]);
});

test('drafts are tentative, the trash is cancelled, private is private', () => {
  const told = (status: FeedEvent['status']) => [...line('STATUS', { status }), ...line('CLASS', { status })].join();
  assert.is(told('publish'), 'STATUS:CONFIRMED,CLASS:PUBLIC');
  assert.is(told('draft'), 'STATUS:TENTATIVE,CLASS:PUBLIC');
  assert.is(told('pending'), 'STATUS:TENTATIVE,CLASS:PUBLIC');
  assert.is(told('private'), 'STATUS:CONFIRMED,CLASS:PRIVATE');
  assert.is(told('trash'), 'STATUS:CANCELLED,CLASS:PUBLIC');
});

test.run();
