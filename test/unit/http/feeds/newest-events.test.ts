// RSS and Atom with the worst texts that there are, as an independent reader finds them.
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Feed } from 'feed';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FeedEvent } from '../../../../src/exchange/feeds/feed-event.ts';
import { newestEventsFeed, type SyndicationFormat } from '../../../../src/exchange/feeds/newest-events.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';
import { someFeedEvent } from './sample-event.ts';

const LINKS = { site: 'https://cal.example', name: 'cal.example', self: 'https://cal.example/api/events.rss' };
const FORMATS: readonly SyndicationFormat[] = ['rss', 'atom'];

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  trimValues: false,
  parseTagValue: false,
  isArray: (name) => name === 'item' || name === 'entry' || name === 'category',
  processEntities: { enabled: true, maxTotalExpansions: 100_000 },
});

// biome-ignore lint/suspicious/noExplicitAny: whatever the reader finds
type Found = any;

async function items(format: SyndicationFormat, events: readonly FeedEvent[]): Promise<Found[]> {
  const text = await newestEventsFeed(format, events, LINKS, ENGLISH);
  assert.is(XMLValidator.validate(text), true, text);
  // What XML has no way to say; this reader does not mind.
  assert.not.match(text, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  assert.is(text.toWellFormed(), text);
  const found: Found = parser.parse(text);
  return (format === 'rss' ? found.rss.channel.item : found.feed.entry) ?? [];
}

const textIn = (value: Found): string => (typeof value === 'string' ? value : (value?.['#text'] ?? ''));

const NASTY =
  'a]]>b]]>c <script>alert("1")</script> \u0000\u0001\u000b\ufffe\uffff &amp; &amp;amp; <b>&lt;</b> 😀\ud800 "\'';

test('no text of an editor ends its element', async () => {
  const events = [1, 2, 3].map((id) =>
    someFeedEvent({ id, title: NASTY, description: NASTY, terms: [{ name: NASTY, slug: 'nasty' }] }),
  );
  for (const format of FORMATS) assert.is((await items(format, events)).length, 3);
});

test('any text gives a feed that can be read', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(']', '>', '<', '&', 'amp;', '"', '!', '[CDATA[', '\u0000', '😀', ' '),
      maxLength: 30,
    }),
  );
  await fc.assert(
    fc.asyncProperty(text, text, text, async (title, description, name) => {
      const event = someFeedEvent({ title, description, terms: [{ name, slug: 'term' }] });
      for (const format of FORMATS) assert.is((await items(format, [event, event])).length, 2);
    }),
  );
});

test('an item has title, address, content, dates and terms', async () => {
  const event = someFeedEvent({
    title: 'Jazz &#038; <em>Wine</em>',
    description: '<p>First &amp; last ]]> set</p>',
    terms: [
      { name: 'R&B', slug: 'r-b' },
      { name: 'a &amp; <b', slug: 'odd' },
    ],
    venues: [{ name: 'North & Hall', address: [], coordinates: null }],
  });
  const content =
    '<p>2027-03-01 20:00 – 2027-03-01 23:00 (Europe/Berlin), North &amp; Hall</p>\n<p>First &amp; last ]]&gt; set</p>';
  const [item] = await items('rss', [event]);
  assert.is(item.title, 'Jazz &amp; Wine');
  assert.is(item.link, 'https://cal.example/event/jazz/');
  assert.is(textIn(item.guid), 'https://cal.example/?post_type=tribe_events&p=41');
  assert.is(item.guid['@isPermaLink'], 'false');
  assert.is(item.pubDate, 'Fri, 20 Nov 2026 12:30:00 GMT');
  assert.is(item.description, content);
  assert.equal(item.category.map(textIn), ['R&B', 'a &amp; <b']);

  const [entry] = await items('atom', [event]);
  assert.is(textIn(entry.title), 'Jazz &amp; Wine');
  assert.is(entry.id, 'https://cal.example/?post_type=tribe_events&p=41');
  assert.is(entry.link['@href'], 'https://cal.example/event/jazz/');
  assert.equal([entry.published, entry.updated], ['2026-11-20T12:30:00.000Z', '2026-11-21T13:00:00.000Z']);
  assert.is(textIn(entry.content), content);
  assert.equal(
    entry.category.map((category: Found) => [category['@label'], category['@term']]),
    [
      ['R&B', 'r-b'],
      [undefined, 'odd'],
    ],
  );
});

test('whole days are written as days, a single one once', async () => {
  const days = { isAllDay: true, start: '2027-03-01 00:00:00', end: '2027-03-01 23:59:59' };
  const [one] = await items('rss', [someFeedEvent(days)]);
  const [two] = await items('rss', [someFeedEvent({ ...days, end: '2027-03-02 23:59:59' })]);
  assert.is(one.description, '<p>2027-03-01</p>\n');
  assert.is(two.description, '<p>2027-03-01 – 2027-03-02</p>\n');
});

test('others have their turn between the events of a feed, which are written one by one', async () => {
  const events = Array.from({ length: 50 }, (_, id) =>
    someFeedEvent({ id, description: `${id} ${'<p>long</p> '.repeat(2_000)}` }),
  );
  let longest = 0;
  const written = Feed.prototype.atom1;
  Feed.prototype.atom1 = function () {
    const text = written.call(this);
    longest = Math.max(longest, text.length);
    return text;
  };
  try {
    assert.equal(
      (await items('atom', events)).map(({ id }) => id.replace(/.*=/, '')),
      events.map(({ id }) => String(id)),
    );
  } finally {
    Feed.prototype.atom1 = written;
  }
  assert.ok(longest > 0 && longest < 30_000, `${longest} characters at once`);
});

test('a feed of many events has only the beginning of a very long description', async () => {
  const [item] = await items('rss', [someFeedEvent({ description: `<p>${'long '.repeat(100_000)}</p>` })]);
  assert.ok(item.description.endsWith(' …'));
  assert.ok(item.description.length < 20_200, `${item.description.length} characters`);
});

test('a feed is dated by the last change among its events, not by the clock', async () => {
  const events = [someFeedEvent({ id: 1, modified: 60 }), someFeedEvent({ id: 2, modified: 120 })];
  assert.match(
    await newestEventsFeed('rss', events, LINKS, ENGLISH),
    '<lastBuildDate>Thu, 01 Jan 1970 00:02:00 GMT</lastBuildDate>',
  );
  assert.match(await newestEventsFeed('atom', events, LINKS, ENGLISH), '<updated>1970-01-01T00:02:00.000Z</updated>');
  for (const format of FORMATS) {
    assert.equal(await items(format, []), []);
    assert.match(await newestEventsFeed(format, [], LINKS, ENGLISH), '1970');
  }
});

test.run();
