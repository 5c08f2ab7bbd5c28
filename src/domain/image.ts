// An image: the address of a picture that lies elsewhere, under an id of ours. It is recorded, never fetched.
import { type Evolve, type Fact, UnfoldableFact } from './decider.ts';

/** A smaller rendition, as the calendar that it came from tells it. */
export interface ImageSize {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly mimeType: string;
}

/** Never changes once it is registered, so every document that shows it holds all of it. */
export interface Image {
  readonly id: number;
  readonly url: string;
  /** In pixels; null when not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** By their names; absent when there are none. */
  readonly sizes?: { readonly [name: string]: ImageSize };
}

/** An image by its address, with what is known of it. */
export type DescribedImage = Omit<Image, 'id'>;

export type ImageFact = Fact<'ImageRegistered', Image>;

/** The file name's ending without its dot; `''` when the address has none. */
export const extensionOf = (url: string): string =>
  /\.([a-z0-9]{1,8})(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? '';

export const evolveImage: Evolve<Image, ImageFact> = (_image, fact) => {
  if (fact.type !== 'ImageRegistered') throw new UnfoldableFact(fact.type);
  return fact.data;
};
