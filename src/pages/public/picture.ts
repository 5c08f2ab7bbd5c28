// The picture of an event, a venue or an organizer: in the size that the reader's screen needs, with what it shows in words.
import { type Html, html } from '../html.ts';
import { pathWithin } from '../links.ts';
import type { ShownImage } from '../shown.ts';

/** The width of a page is limited: see site.css. */
const SIZES = '(min-width: 64rem) 60rem, 100vw';
/** A thumbnail is cut; the others have the proportions of the picture. */
const CUT = 'thumbnail';

/** Pictures of other hosts are not shown: nothing of a page comes from elsewhere. */
export function pictureOf(site: string, image: ShownImage | false | undefined, text: string): Html | undefined {
  const path = image && pathWithin(site, image.url);
  if (!path) return undefined;
  const { width, height } = image;
  const srcset = sourcesOf(site, image);
  return html`<img class="picture" src=${path} alt=${text} width=${width} height=${height}
    srcset=${srcset} sizes=${srcset && SIZES} />`;
}

/** Every width once, the smallest first; undefined where there is only one. */
function sourcesOf(site: string, { url, width, sizes = {} }: ShownImage): string | undefined {
  const whole = Object.entries(sizes).flatMap(([name, size]) => (name === CUT ? [] : [size]));
  const byWidth = new Map([...whole, { url, width }].map((one) => [one.width, pathWithin(site, one.url)]));
  const sources = [...byWidth].flatMap(([wide, path]) => (wide && path ? [{ wide, path }] : []));
  if (sources.length < 2) return undefined;
  return sources
    .sort((one, other) => one.wide - other.wide)
    .map(({ path, wide }) => `${path} ${wide}w`)
    .join(', ');
}
