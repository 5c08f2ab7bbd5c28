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

/** The most that the format allows would be 50,000. */
const MAX_PAGES = 100;
const PER_PAGE = 50;

/** What is to come, the soonest first, and the lists. */
export async function sitemap(calendar: PageCalendar, { visit, surroundings }: PageRequest): Promise<string> {
  const upcoming = await calendar.upcoming(visit);
  const addresses = [`${surroundings.site}/`];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = await calendar.events(visit, { ...upcoming, page, per_page: PER_PAGE });
    if ('refused' in found) break;
    addresses.push(...found.events.map(({ slug }) => `${surroundings.site}${eventPath(slug)}`));
    if (page >= found.pages) break;
  }
  const entries = addresses.map((at) => `  <url><loc>${escaped(at)}</loc></url>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}</urlset>\n`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
