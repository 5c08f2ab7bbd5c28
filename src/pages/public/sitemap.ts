// For search engines: where pages are.
import { inPortions } from '../../kernel/event-loop/turns.ts';
import { escapeHtml } from '../../kernel/text/escape-html.ts';
import type { PageCalendar } from '../calendar.ts';
import { eventPath } from '../links.ts';
import type { PageRequest } from '../page-request.ts';

export const robots = ({ surroundings, visit }: PageRequest): string =>
  [
    'User-agent: *',
    `Disallow: ${new URL(visit.links.root).pathname}/`,
    `Sitemap: ${surroundings.site}/sitemap.xml`,
    '',
  ].join('\n');

/** The format allows 50,000. */
const MAX_EVENTS = 10_000;

/** The list, and what is to come, the soonest first. */
export async function sitemap(calendar: PageCalendar, { visit, surroundings: { site } }: PageRequest): Promise<string> {
  const slugs = await calendar.upcomingSlugs(visit, MAX_EVENTS);
  const entries = await inPortions(['/', ...slugs.map(eventPath)], async (some) =>
    some.map((path) => `  <url><loc>${escapeHtml(site + path)}</loc></url>\n`),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`;
}
