// An uploaded picture: its files, what they show in words, and who brought it. Its streams are called `picture-<id>`; ids
// are shared with posts and with images elsewhere (image.ts), so an id always means the same picture.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Image } from '../../resource/domain/image.ts';

/** One file of a picture, by its name in the folder of pictures. Files never change. */
export interface PictureFile {
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly mimeType: string;
  /** In bytes. */
  readonly filesize: number;
}

/** What people say about a picture. */
export interface PictureTexts {
  readonly title: string;
  /** What it shows, for those who do not see it. */
  readonly alt: string;
  /** Whose it is, as it is shown beside it. */
  readonly credit: string;
}

/** The point that stays in sight where a picture is cut, in percent of its width and height. */
export interface PictureFocus {
  readonly focusX: number;
  readonly focusY: number;
}

const CENTRE: PictureFocus = { focusX: 50, focusY: 50 };

export interface Picture extends PictureTexts, PictureFocus {
  readonly id: number;
  /** Who uploaded it. */
  readonly author: number;
  readonly file: PictureFile;
  /** Smaller renditions, by the names of the contract. */
  readonly sizes: { readonly [name: string]: PictureFile };
  readonly uploaded: EpochSeconds;
  readonly modified: EpochSeconds;
  /** Its files are gone, or about to go. */
  readonly removed: boolean;
}

export type PictureFact =
  | Fact<'PictureUploaded', Omit<Picture, keyof PictureFocus | 'uploaded' | 'modified' | 'removed'>>
  | Fact<'PictureDescribed', PictureTexts>
  | Fact<'PictureFocused', PictureFocus>
  | Fact<'PictureRemoved', Record<never, never>>;

/** What may be uploaded, by the name that sharp has for it, with type and extension. SVG is a program, not a picture. */
export const PICTURE_FORMATS = {
  jpeg: { mimeType: 'image/jpeg', extension: 'jpg' },
  png: { mimeType: 'image/png', extension: 'png' },
  webp: { mimeType: 'image/webp', extension: 'webp' },
  gif: { mimeType: 'image/gif', extension: 'gif' },
  avif: { mimeType: 'image/avif', extension: 'avif' },
} as const;

export const PICTURE_TYPES: readonly string[] = Object.values(PICTURE_FORMATS).map(({ mimeType }) => mimeType);

/** Where files of pictures are found, below the address of the site. */
export const MEDIA_PATH = '/media/';

/** What posts show of a picture. */
export const imageOf = ({ id, file, sizes }: Picture): Image => ({
  id,
  url: addressOf(file),
  width: file.width,
  height: file.height,
  filesize: file.filesize,
  ...(Object.keys(sizes).length > 0 && {
    sizes: Object.fromEntries(
      Object.entries(sizes).map(([name, { width, height, mimeType, filesize, ...size }]) => [
        name,
        { url: addressOf(size), width, height, mimeType, filesize },
      ]),
    ),
  }),
});

const addressOf = ({ name }: Pick<PictureFile, 'name'>): string => `${MEDIA_PATH}${name}`;

const FILE = /^([a-z0-9-]+?)(?:-\d+x\d+)?\.[a-z]{3,4}$/;

/** What the names of all files of a picture begin with, by one of them; null: it is none. */
export const stemOf = (name: string): string | null => FILE.exec(name)?.[1] ?? null;

/** The same by an address of a picture, of any size and host: stems cannot be guessed. */
export function stemAt(address: string): string | null {
  const { pathname } = new URL(address);
  return pathname.startsWith(MEDIA_PATH) ? stemOf(pathname.slice(MEDIA_PATH.length)) : null;
}

/** An image as it is found from elsewhere: an uploaded one at the address of its site. */
export function imageAt<Known extends Image | null>(site: string, image: Known): Known;
export function imageAt(site: string, image: Image | null): Image | null {
  if (!image?.url.startsWith(MEDIA_PATH)) return image;
  const { url, sizes } = image;
  const atSite = Object.entries(sizes ?? {}).map(([name, size]) => [name, { ...size, url: site + size.url }]);
  return { ...image, url: site + url, ...(sizes && { sizes: Object.fromEntries(atSite) }) };
}

/** The id of an uploaded picture that a post shows; null: it shows none. */
export const pictureIn = ({ image }: { readonly image: Image | null }): number | null =>
  image?.url.startsWith(MEDIA_PATH) ? image.id : null;

/** The names of all files of a picture. */
export const filesOf = ({ file, sizes }: Pick<Picture, 'file' | 'sizes'>): readonly string[] =>
  [file, ...Object.values(sizes)].map(({ name }) => name);

/** Other words about a picture, or another point of it; what is absent stays. */
export function describePicture(picture: Picture, change: Partial<PictureTexts & PictureFocus>): Decision<PictureFact> {
  if (picture.removed) return rejected('picture_not_found');
  const { title, alt, credit, focusX, focusY } = { ...picture, ...change };
  const isDescribed = title !== picture.title || alt !== picture.alt || credit !== picture.credit;
  const isFocused = focusX !== picture.focusX || focusY !== picture.focusY;
  return accepted([
    ...(isDescribed ? [{ type: 'PictureDescribed', data: { title, alt, credit } } as const] : []),
    ...(isFocused ? [{ type: 'PictureFocused', data: { focusX, focusY } } as const] : []),
  ]);
}

/** Its files may be deleted once this is recorded. `shownBy`: how many posts show it. */
export function removePicture(picture: Picture, shownBy: number): Decision<PictureFact> {
  if (picture.removed) return rejected('picture_not_found');
  if (shownBy > 0) return rejected('picture_in_use');
  return accepted([{ type: 'PictureRemoved', data: {} }]);
}

export const evolvePicture: Evolve<Picture, PictureFact> = (picture, fact, at) => {
  // Earlier ones say nothing of whose it is.
  if (fact.type === 'PictureUploaded')
    return { ...CENTRE, ...fact.data, credit: fact.data.credit ?? '', uploaded: at, modified: at, removed: false };
  if (!picture) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'PictureDescribed':
    case 'PictureFocused':
      return { ...picture, ...fact.data, modified: at };
    case 'PictureRemoved':
      // What people wrote about it goes with it.
      return { ...picture, title: '', alt: '', credit: '', removed: true, modified: at };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};
