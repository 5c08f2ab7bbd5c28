// Images: an id of ours for an address of somebody else's.
import { createHash } from 'node:crypto';
import { type DescribedImage, evolveImage, type Image } from '../domain/image.ts';
import type { RecordedEvent } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/fold.ts';
import type { CommandDependencies } from './context.ts';
import { streamOf } from './reservations/reservations.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** An id, an address, or an address with what is known of the picture. */
export type ImageReference = number | string | DescribedImage;

/** An image by id, or null. */
export async function findImage(store: Pick<EventStore, 'readStream'>, id: number): Promise<Image | null> {
  return fold(await store.readStream(streamOf('image', id)), evolveImage);
}

/** The stream that knows which id an address has. */
const addressStream = (url: string): string => `image-url-${createHash('sha256').update(url).digest('hex')}`;

/**
 * The image of a reference: a known one by id (null when there is none), or by address. A new address gets an id, which
 * names it from then on.
 */
export async function imageFor(
  unit: UnitOfWork,
  { postIds }: CommandDependencies,
  reference: ImageReference,
): Promise<Image | null> {
  if (typeof reference === 'number') return findImage(unit.store, reference);
  const described = typeof reference === 'string' ? { url: reference, width: null, height: null } : reference;
  const stream = addressStream(described.url);
  const known = knownId(await unit.store.readStream(stream, { limit: 1 }));
  if (known !== null) return findImage(unit.store, known);
  const image: Image = { id: await unit.nextId(postIds), ...described };
  await unit.record(stream, [{ type: 'ImageAddressTaken', data: { id: image.id } }]);
  await unit.record(streamOf('image', image.id), [{ type: 'ImageRegistered', data: image }]);
  return image;
}

function knownId([taken]: readonly RecordedEvent[]): number | null {
  const data = taken?.data;
  if (data === null || typeof data !== 'object' || !('id' in data)) return null;
  return Number(data.id);
}
