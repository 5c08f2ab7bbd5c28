// Pictures for tests, and the form that uploads one.
import zlib from 'node:zlib';
import sharp from 'sharp';

const BACKGROUND = { r: 40, g: 90, b: 160 };

/** A picture with metadata: a place, and lying on its side. */
export const photo = (width = 1200, height = 800): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .withExif({ IFD0: { Copyright: 'secret place' }, IFD3: { GPSLatitude: '48/1 0/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

export const png = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { ...BACKGROUND, alpha: 0.5 } } })
    .png()
    .toBuffer();

/** A small file that says to be a picture of this size. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', zlib.deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlib.crc32(named));
  return Buffer.concat([length, named, sum]);
}

export interface Form {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: { readonly 'content-type': string };
}

/** A form with a file, as browsers send it. */
export async function formWith(
  file: Uint8Array,
  fields: { readonly [name: string]: string } = {},
  part = 'file',
): Promise<Form> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(part, new Blob([new Uint8Array(file)], { type: 'text/plain' }), 'note.txt');
  const sent = new Response(form);
  return {
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  };
}
