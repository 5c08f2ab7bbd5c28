// What the API answers about uploaded pictures.
import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import type { ImageAnswer } from '../../../pages/answers.ts';
import { pathWithin } from '../../../pages/links.ts';

export const PICTURES = '/desk/pictures';

export type Picture = Answer<'Picture'>;

export type PicturesPage = PageOf<'media', Picture>;

/** The path of a rendition, or of the picture itself where it is smaller. */
export const sourceOf = (
  site: string,
  { sizes = {}, url }: Pick<ImageAnswer, 'sizes' | 'url'>,
  size: 'thumbnail' | 'large',
): string => pathWithin(site, sizes[size]?.url ?? url) ?? '';

/** What it is called where there is no title. */
export const nameOf = ({ id, title, alt }: Picture): string => title || alt || `#${id}`;
