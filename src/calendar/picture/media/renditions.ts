// Pictures from what people upload: checked by their content, without metadata, upright, in the sizes of the contract
// (section 3.5: thumbnail 150 × 150, medium 300, medium_large 768 wide, large 1024, 1536 and 2048 for large originals).
// sharp does it in threads of its own.
// decision 29
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { shareOf } from '../../../kernel/memory/limit.ts';
import { PICTURE_FORMATS, type PictureFile } from '../domain/picture.ts';
import type { NewFile } from './media-store.ts';

/** A picture ready to be kept. */
export interface Rendered {
  readonly file: PictureFile;
  readonly sizes: { readonly [name: string]: PictureFile };
  readonly files: readonly NewFile[];
}

/** Why bytes cannot become a picture. `unavailable`: the library is not installed here. */
export type Unrenderable = 'not a picture' | 'too many pixels' | 'unavailable';

export type PictureMaker = ReturnType<typeof openPictureMaker>;

/** 50 megapixels: more than most cameras have, of all frames of an animation. One may take eight bytes of what a container allows. */
const MAX_PIXELS = shareOf(50_000_000, 1 / 10);
/** So long may making one size take. Some files say little and take long. */
const MAX_SECONDS = 30;

type Format = keyof typeof PICTURE_FORMATS;

interface Box {
  readonly name: string;
  readonly width: number;
  readonly height?: number;
  readonly fit: 'inside' | 'cover';
}

const BOXES: readonly Box[] = [
  { name: 'thumbnail', width: 150, height: 150, fit: 'cover' },
  { name: 'medium', width: 300, height: 300, fit: 'inside' },
  { name: 'medium_large', width: 768, fit: 'inside' },
  { name: 'large', width: 1024, height: 1024, fit: 'inside' },
  { name: '1536x1536', width: 1536, height: 1536, fit: 'inside' },
  { name: '2048x2048', width: 2048, height: 2048, fit: 'inside' },
];

type Decode = (bytes: Uint8Array, options: SharpOptions) => Sharp;

/** Loaded with the first upload: it is large, and systems without it serve everything else. */
async function loadSharp(): Promise<Decode | null> {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    return sharp;
  } catch {
    return null;
  }
}

export function openPictureMaker(load = loadSharp) {
  let decoder: Promise<Decode | null> | null = null;
  return {
    /** Renders the files of a picture; their names begin with `stem`. */
    async render(bytes: Uint8Array, stem: string) {
      decoder ??= load();
      const decode = await decoder;
      return decode === null ? 'unavailable' : rendered(decode, bytes, stem);
    },
  };
}

async function rendered(decode: Decode, bytes: Uint8Array, stem: string): Promise<Rendered | Unrenderable> {
  const read = (frames: 'all' | 'first' = 'first') =>
    decode(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: frames === 'all' }).timeout({
      seconds: MAX_SECONDS,
    });
  const about = await metadataOf(read('all'));
  if (typeof about === 'string') return about;
  try {
    // Animations move in full size only.
    const original = await encoded(read('all').autoOrient(), about.format, stem);
    const boxes = BOXES.filter((one) => isSmaller(one, original.about));
    const again = await reduced(decode, read, original.about);
    const smaller: [string, Encoded][] = [];
    for (const { name, fit, ...box } of boxes)
      smaller.push([name, await encoded(again().resize({ ...box, fit }), about.format, stem, 'sized')]);
    return {
      file: original.about,
      sizes: Object.fromEntries(smaller.map(([name, { about: size }]) => [name, size])),
      files: [original, ...smaller.map(([, one]) => one)].map(({ file }) => file),
    };
  } catch (error) {
    if (error instanceof Error && /timeout/i.test(error.message)) return 'too many pixels';
    // Its beginning is that of a picture; the rest is not.
    return 'not a picture';
  }
}

/** Pixels on the shorter side of what all smaller sizes are made from. */
const REDUCED = 2_048;

/** What smaller sizes are made from. A large picture is decoded once for all of them: each time takes seconds. */
async function reduced(decode: Decode, read: () => Sharp, { width, height }: PictureFile): Promise<() => Sharp> {
  const upright = (): Sharp => read().autoOrient();
  if (Math.min(width, height) < 1.5 * REDUCED) return upright;
  const { data, info } = await upright()
    .resize({ width: REDUCED, height: REDUCED, fit: 'outside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return () => decode(data, { raw });
}

/** A rendition is for originals that are larger than it on a side. */
const isSmaller = ({ width, height }: Box, original: { readonly width: number; readonly height: number }): boolean =>
  original.width > width || (height !== undefined && original.height > height);

async function metadataOf(picture: Sharp): Promise<{ readonly format: Format } | Unrenderable> {
  let about: Metadata;
  try {
    about = await picture.metadata();
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'too many pixels' : 'not a picture';
  }
  if (about.width * about.height > MAX_PIXELS) return 'too many pixels';
  const format = about.format === 'heif' && about.compression === 'av1' ? 'avif' : about.format;
  return isFormat(format) ? { format } : 'not a picture';
}

const isFormat = (format: string): format is Format => Object.hasOwn(PICTURE_FORMATS, format);

interface Encoded {
  readonly about: PictureFile;
  readonly file: NewFile;
}

/** Encoding leaves metadata out: it would tell where a picture was taken. */
async function encoded(picture: Sharp, format: Format, stem: string, named?: 'sized'): Promise<Encoded> {
  const { mimeType, extension } = PICTURE_FORMATS[format];
  const { data, info } = await picture.toFormat(format).toBuffer({ resolveWithObject: true });
  const { width } = info;
  const height = info.pageHeight ?? info.height;
  const name = named === undefined ? `${stem}.${extension}` : `${stem}-${width}x${height}.${extension}`;
  return { about: { name, width, height, mimeType, filesize: data.length }, file: { name, bytes: data } };
}
