// An image of a post: the address of a picture elsewhere, which is recorded and never fetched, with an id of ours; or that
// of an uploaded one (picture.ts), below the address of the site.
import { type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';

/** A smaller rendition, as the source calendar described it. */
export interface ImageSize {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly mimeType: string;
  /** In bytes; absent if unknown. */
  readonly filesize?: number;
}

/** Never changes once recorded, so documents embed it completely. */
export interface Image {
  readonly id: number;
  readonly url: string;
  /** In pixels; null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** In bytes; absent if unknown. */
  readonly filesize?: number;
  /** By name; absent if there are none. */
  readonly sizes?: { readonly [name: string]: ImageSize };
}

/** An image by its address, with its known properties. */
export type DescribedImage = Omit<Image, 'id'>;

/** An image by its id, one that has been looked up already, an address, or an address with its known properties. */
export type ImageReference = number | Image | string | DescribedImage;

export type ImageFact = Fact<'ImageRegistered', Image>;

/** The file extension without its dot; `''` if there is none. */
export const extensionOf = (url: string): string =>
  /\.([a-z0-9]{1,8})(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase() ?? '';

export const evolveImage: Evolve<Image, ImageFact> = (_image, fact) => {
  if (fact.type !== 'ImageRegistered') throw new UnexpectedFact(fact);
  return fact.data;
};
