// A static site of what is on: `node examples/static-site/build.js http://127.0.0.1:8080 site`. A list of all events to come, and a page
// for each. Build it again when something changes; examples/newsletter shows how to follow changes.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDaybook } from '../../clients/javascript/client.js';

const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const page = (title, body) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
${body}
</html>
`;

const placeOf = ({ venue }) => (venue.venue === undefined ? '' : `, ${escaped(venue.venue)}`);

/** Descriptions come as HTML that the service has cleaned. */
const eventPage = (event) =>
  page(
    event.title,
    `<p>${escaped(event.start_date)}${placeOf(event)}</p>\n${event.description}\n<p><a href="index.html">All events</a></p>`,
  );

const lineOf = (event) =>
  `<li><time datetime="${escaped(event.start_date.slice(0, 10))}">${escaped(event.start_date)}</time>
<a href="${escaped(event.slug)}.html">${escaped(event.title)}</a>${placeOf(event)}</li>`;

/**
 * Writes the site of the service at `origin` into `folder`. Resolves with the number of its events.
 * @param {string} origin
 * @param {string} folder
 * @param {string} from The first day, `2026-11-26`; default: today.
 */
export async function buildSite(origin, folder, from = new Date().toISOString().slice(0, 10)) {
  const daybook = openDaybook({ url: `${origin}/calendar/events/v1` });
  await mkdir(folder, { recursive: true });
  const lines = [];
  for await (const event of daybook.each('getEvents', { start_date: from })) {
    await writeFile(path.join(folder, `${event.slug}.html`), eventPage(event));
    lines.push(lineOf(event));
  }
  await writeFile(path.join(folder, 'index.html'), page('What is on', `<ul>\n${lines.join('\n')}\n</ul>`));
  return lines.length;
}

if (process.argv[1] === import.meta.filename) {
  const [origin = 'http://127.0.0.1:8080', folder = 'site'] = process.argv.slice(2);
  console.log(`${await buildSite(origin, folder)} events in ${folder}`);
}
