// The picture of an event, a venue or an organizer: in the size that the reader's screen needs, with what it shows in words.

import type { ImageAnswer } from '../answers.ts';
import { type Html, html } from '../html.ts';
import { pathWithin } from '../links.ts';

/** The width of a page is limited: see site.css. */
const SIZES = '(min-width: 76rem) 47rem, 100vw';
/** Up to three cards beside one another; on small screens a square. */
const CARD_SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 48vw, 10rem';
/** A thumbnail is cut; the others have the proportions of the picture. */
const CUT = 'thumbnail';

/** Pictures of other hosts are not shown: nothing of a page comes from elsewhere. */
export function pictureOf(site: string, image: ImageAnswer | false | undefined, text: string): Html | undefined {
  const path = image && pathWithin(site, image.url);
  if (!path) return undefined;
  const { width, height } = image;
  const srcset = sourcesOf(site, image);
  return html`<img class="picture" src=${path} alt=${text} width=${width} height=${height}
    srcset=${srcset} sizes=${srcset && SIZES} />`;
}

/** On a card beside its title, which says what it shows. Only the first one is worth waiting for. */
export function cardPicture(site: string, image: ImageAnswer | false, isFirst: 'first' | 'later'): Html | undefined {
  const path = image && pathWithin(site, image.url);
  if (!path) return undefined;
  const { width, height } = image;
  const srcset = sourcesOf(site, image);
  return html`<img src=${path} alt="" width=${width} height=${height} srcset=${srcset} sizes=${srcset && CARD_SIZES}
    loading=${isFirst === 'first' ? undefined : 'lazy'} fetchpriority=${isFirst === 'first' ? 'high' : undefined} />`;
}

/** Every width once, the smallest first; undefined where there is only one. */
function sourcesOf(site: string, { url, width, sizes = {} }: ImageAnswer): string | undefined {
  const whole = Object.entries(sizes).flatMap(([name, size]) => (name === CUT ? [] : [size]));
  const byWidth = new Map([...whole, { url, width }].map((one) => [one.width, pathWithin(site, one.url)]));
  const sources = [...byWidth].flatMap(([wide, path]) => (wide && path ? [{ wide, path }] : []));
  if (sources.length < 2) return undefined;
  return sources
    .sort((one, other) => one.wide - other.wide)
    .map(({ path, wide }) => `${path} ${wide}w`)
    .join(', ');
}
