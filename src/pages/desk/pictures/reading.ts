// What the API answers about uploaded pictures.
import { pathWithin } from '../../links.ts';

export const PICTURES = '/desk/pictures';

export interface ShownPicture {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly alt: string;
  readonly author: { readonly id: number; readonly name: string };
  readonly date: string;
  readonly width: number;
  readonly height: number;
  readonly filesize: number;
  readonly sizes: {
    readonly [name: string]: { readonly url: string; readonly width: number; readonly height: number };
  };
  /** How many posts show it. */
  readonly used: number;
}

export interface PicturesPage {
  readonly media: readonly ShownPicture[];
  readonly total: number;
  readonly total_pages: number;
}

/** The path of a rendition, or of the picture itself where it is smaller. */
export const sourceOf = (site: string, { sizes, url }: ShownPicture, size: 'thumbnail' | 'large'): string =>
  pathWithin(site, sizes[size]?.url ?? url) ?? '';
