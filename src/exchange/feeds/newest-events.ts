// RSS and Atom: the latest published events.
import { Feed, type Item } from 'feed';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { escapeHtml } from '../../kernel/text/escape-html.ts';
import { lineOfHtml, shortHtml } from '../../kernel/text/html-text.ts';
import type { Language } from '../../locales/language.ts';
import type { FeedEvent } from './feed-event.ts';
import { prefixedTitle } from './presentation.ts';

export type SyndicationFormat = 'rss' | 'atom';

interface SyndicationLinks {
  /** The public web site, without a trailing slash. */
  readonly site: string;
  /** The title of the feed. */
  readonly name: string;
  /** The address of this feed. */
  readonly self: string;
}

/**
 * `events`: newest first. The text depends on nothing but these. The formats have no status: prefixes say it. Others get
 * their turn between the events.
 */
export async function newestEventsFeed(
  format: SyndicationFormat,
  events: readonly FeedEvent[],
  links: SyndicationLinks,
  language: Language,
): Promise<string> {
  const turn = openTurns();
  const updated = dateOf(Math.max(0, ...events.map(({ modified }) => modified)));
  const write = format === 'rss' ? rssItem : atomEntry;
  const end = ENDS[format];
  const beforeEnd = (items: readonly Item[]): string => {
    const text = written(format, updated, items, links);
    return text.slice(0, text.lastIndexOf(end));
  };
  const head = beforeEnd([]);
  const pieces = [head];
  for (const event of events) {
    await turn();
    const item = write({ ...event, title: prefixedTitle(event, language) }, links.site);
    // The library writes a feed in one go: each event is taken out of a feed of its own.
    pieces.push(beforeEnd([item]).slice(head.length));
  }
  return `${pieces.join('')}${end}`;
}

/** What follows the last event. */
const ENDS: { readonly [Format in SyndicationFormat]: string } = {
  rss: '\n    </channel>\n</rss>',
  atom: '\n</feed>',
};

function written(
  format: SyndicationFormat,
  updated: Date,
  items: readonly Item[],
  { name, site, self }: SyndicationLinks,
): string {
  const feed = new Feed({
    id: self,
    title: xmlText(name),
    description: xmlText(name),
    link: `${site}/`,
    feed: self,
    updated,
    generator: 'Daybook',
    author: { name: xmlText(name) },
  });
  for (const item of items) feed.addItem(item);
  return format === 'rss' ? feed.rss2() : feed.atom1();
}

const rssItem = (event: FeedEvent, site: string) => ({
  ...item(event, site),
  description: contentOf(event),
  category: event.terms.map(({ name }) => ({ name: xmlText(name) })),
});

const atomEntry = (event: FeedEvent, site: string) => ({
  ...item(event, site),
  content: contentOf(event),
  // They become attributes, in which the library does not escape `<`: such a name is left out.
  category: event.terms.map(({ name, slug }) => ({
    ...(!name.includes('<') && { name: allowedInXml(name) }),
    term: slug,
  })),
});

const item = (event: FeedEvent, site: string) => ({
  title: xmlHtml(escapeHtml(lineOfHtml(event.title))),
  // Titles and slugs change; this address leads to the event all the same.
  id: `${site}/?post_type=tribe_events&p=${event.id}`,
  link: event.url,
  date: dateOf(event.modified),
  published: dateOf(event.published),
});

/** The characters of one description: a feed has many. */
const MAX_CONTENT = 20_000;

const contentOf = (event: FeedEvent): string =>
  xmlHtml(`${summary(event)}${noticeOf(event)}${shortHtml(event.description || event.excerpt, MAX_CONTENT)}`);

/** When and where, as a paragraph; independent of the language. */
function summary({ start, end, timezone, isAllDay, venues }: FeedEvent): string {
  const [from, to] = isAllDay ? [start.slice(0, 10), end.slice(0, 10)] : [start.slice(0, 16), end.slice(0, 16)];
  const when = from === to ? from : `${from} – ${to}`;
  const where = venues.map(({ name }) => name).join(', ');
  const line = [isAllDay ? when : `${when} (${timezone})`, where].filter(Boolean).join(', ');
  return `<p>${escapeHtml(line)}</p>\n`;
}

const noticeOf = ({ notice }: FeedEvent): string => (notice === '' ? '' : `<p>${escapeHtml(notice)}</p>\n`);

const dateOf = (seconds: number): Date => new Date(seconds * 1000);

/** Characters that XML 1.0 cannot express. */
const FORBIDDEN_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const allowedInXml = (text: string): string => text.toWellFormed().replace(FORBIDDEN_IN_XML, '');

/** HTML for a CDATA section, which must not contain its end; the library itself handles only the first one. */
const xmlHtml = (html: string): string => allowedInXml(html).replaceAll(']]>', ']]&gt;');

/** Text for an element. The library takes `&amp;` for something escaped already. */
const xmlText = (text: string): string => allowedInXml(text).replaceAll('&amp;', '&amp;amp;');
