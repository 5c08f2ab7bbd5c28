import fc from 'fast-check';
import type ICAL from 'ical.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { contentLine, textValue, uriValue } from '../../../../../src/exchange/feeds/icalendar/content-lines.ts';
import { readCalendar } from '../ical-reader.ts';

const inCalendar = (line: string): ICAL.Component =>
  readCalendar(`BEGIN:VCALENDAR\r\n${line}END:VCALENDAR\r\n`).component;

/** What of a text is to come back: line ends are one of their kind, and controls are no text. */
const kept = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
  fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }),
  fc.string({
    unit: fc.constantFrom(';', ',', '\\', 'n', '\n', '\r', ' ', ':', '"', '^', "'", '\t', '😀', 'é', '\u0000'),
  }),
);

test('any text comes back as it was, on lines of 75 octets at most', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const component = inCalendar(contentLine('X-TEXT', textValue(text)));
      const summary = inCalendar(contentLine('SUMMARY', textValue(text)));
      assert.is(component.getAllProperties().length, 1);
      assert.is(summary.getFirstPropertyValue('summary'), kept(text));
    }),
  );
});

/** This reader takes a comma behind an escaped backslash for an escaped comma. */
const member = anyText.map((text) => text.replace(/\\[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\\]*$/, ''));

test('members of a list come back one by one', () => {
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), (texts) => {
      const component = inCalendar(contentLine('CATEGORIES', texts.map(textValue).join(',')));
      assert.equal(component.getFirstProperty('categories')?.getValues(), texts.map(kept));
    }),
  );
});

/** Parameters know no backslashes; this reader does. */
const parameter = anyText.map((text) => text.replaceAll('\\', ''));

test('any parameter comes back as it was', () => {
  fc.assert(
    fc.property(parameter, (text) => {
      const component = inCalendar(contentLine('ORGANIZER', 'mailto:a@b.example', { CN: text }));
      assert.is(component.getFirstProperty('organizer')?.getParameter('cn'), kept(text));
      assert.is(component.getFirstPropertyValue('organizer'), 'mailto:a@b.example');
    }),
  );
});

test('a line is cut between characters only', () => {
  for (let before = 60; before < 80; before++) {
    const line = contentLine('X', 'a'.repeat(before) + '😀'.repeat(30));
    for (const piece of line.trimEnd().split('\r\n'))
      assert.not.ok(Buffer.from(piece).toString('utf8').includes('\ufffd'), piece);
    assert.is(line.replaceAll('\r\n ', ''), `X:${'a'.repeat(before)}${'😀'.repeat(30)}\r\n`);
  }
});

test('a line of exactly 75 octets is not folded, one of 76 is', () => {
  assert.is(contentLine('X', 'a'.repeat(73)), `X:${'a'.repeat(73)}\r\n`);
  assert.is(contentLine('X', 'a'.repeat(74)), `X:${'a'.repeat(73)}\r\n a\r\n`);
});

test('an address ends no line and holds nothing that an address may not', () => {
  assert.is(uriValue('https://a.example/ü x?q="1"\r\nX-EVIL:1'), 'https://a.example/%C3%BC%20x?q=%221%22X-EVIL:1');
  fc.assert(
    fc.property(anyText, (text) => {
      const component = inCalendar(contentLine('URL', uriValue(`https://a.example/${text}`)));
      assert.is(component.getAllProperties().length, 1);
    }),
  );
});

test.run();
