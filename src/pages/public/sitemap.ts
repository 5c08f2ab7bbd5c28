// For search engines: where pages are.
import type { PageCalendar } from '../calendar.ts';
import { eventPath } from '../links.ts';
import type { PageRequest } from '../pages.ts';

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
export async function sitemap(calendar: PageCalendar, { visit, surroundings }: PageRequest): Promise<string> {
  const { site } = surroundings;
  const slugs = await calendar.upcomingSlugs(visit, MAX_EVENTS);
  const addresses = [`${site}/`, ...slugs.map((slug) => `${site}${eventPath(slug)}`)];
  const entries = addresses.map((at) => `  <url><loc>${escaped(at)}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
