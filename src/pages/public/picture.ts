// The picture of an event, a venue or an organizer: in the size that the reader's screen needs, with what it shows in words.

import type { PictureFocus } from '../../calendar/picture/domain/picture.ts';
import type { ImageAnswer } from '../answers.ts';
import { type Html, html } from '../html.ts';
import { pathWithin } from '../links.ts';
import type { PictureDetails } from '../picture-details.ts';
import type { Surroundings } from './layout.ts';

/** The width of a page is limited: see site.css. */
const SIZES = '(min-width: 76rem) 47rem, 100vw';
/** Up to three cards beside one another; on small screens a square. */
const CARD_SIZES = '(min-width: 64rem) 24rem, (min-width: 40rem) 48vw, 10rem';
/** The large card above a list: two of its three columns, or the whole width. */
const HERO_SIZES = '(min-width: 76rem) 50rem, (min-width: 64rem) 66vw, 100vw';

/** Pictures of other hosts are not shown: nothing of a page comes from elsewhere. */
export function pictureOf(
  { site, words }: Pick<Surroundings, 'site' | 'words'>,
  image: ImageAnswer | false | undefined,
  details: PictureDetails | null,
): Html | undefined {
  const path = image && pathWithin(site, image.url);
  if (!path) return undefined;
  const { width, height } = image;
  const srcset = sourcesOf(site, image);
  const picture = html`<img class=${`picture${focusClass(details)}`} src=${path} alt=${details?.alt ?? ''} width=${width} height=${height}
    srcset=${srcset} sizes=${srcset && SIZES} />`;
  const { credit = '' } = details ?? {};
  return credit === ''
    ? picture
    : html`<figure>${picture}<figcaption>${words('picture_credit', { credit })}</figcaption></figure>`;
}

/** The point that stays in sight, in tenths: the policy of the pages admits no styles of elements. */
export const focusClass = (focus: PictureFocus | null | undefined): string =>
  focus ? `${tenths('across', focus.focusX)}${tenths('down', focus.focusY)}` : '';

const tenths = (way: 'across' | 'down', percent: number): string =>
  Math.round(percent / 10) === 5 ? '' : ` ${way}-${Math.round(percent / 10)}`;

/** On a card beside its title, which says what it shows. Only the first one is worth waiting for. */
export function cardPicture(site: string, image: ImageAnswer | false, isFirst: 'first' | 'later'): Html | undefined {
  const path = image && pathWithin(site, image.url);
  if (!path) return undefined;
  const { width, height } = image;
  const srcset = sourcesOf(site, image);
  const sizes = isFirst === 'first' ? HERO_SIZES : CARD_SIZES;
  return html`<img class=${focusClass(image.focus).trim() || undefined} src=${path} alt="" width=${width} height=${height} srcset=${srcset} sizes=${srcset && sizes}
    loading=${isFirst === 'first' ? undefined : 'lazy'} fetchpriority=${isFirst === 'first' ? 'high' : undefined} />`;
}

/** Every width once, the smallest first; undefined where there is only one. */
function sourcesOf(site: string, { url, width, sizes = {} }: ImageAnswer): string | undefined {
  // A thumbnail is cut; the others have the proportions of the picture.
  const { thumbnail: _, ...whole } = sizes;
  const byWidth = new Map([...Object.values(whole), { url, width }].map((one) => [one.width ?? 0, one.url]));
  byWidth.delete(0);
  if (byWidth.size < 2) return undefined;
  return [...byWidth]
    .sort(([one], [other]) => one - other)
    .map(([wide, address]) => `${pathWithin(site, address)} ${wide}w`)
    .join(', ');
}
