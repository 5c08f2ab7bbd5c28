// How damage is noticed: beside what is stored stands its checksum, which is compared whenever it is read. Whatever changed
// the texts since they were written (a disk, a restored page, a hand), they do not get into an answer.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Document, DocumentKey } from './documents.ts';
import type { Generation } from './generations.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model.ts';

/** Something that is stored in the read model is not what was written to it. */
export class ReadModelDamaged extends ReadModelUnavailable {
  /** Where it is stored, for operators. */
  readonly place: string;

  constructor(place: string, options?: ErrorOptions) {
    super(
      `The read model is damaged: ${place} is not what was written there. A running service fills it again from the log; \`daybook rebuild\` does so without one.`,
      options,
    );
    this.place = place;
  }
}

/** Units of a text that are looked at in one go. */
const PIECE = 2 ** 15;
const desk = Buffer.allocUnsafe(2 * PIECE);

/** Lengths beyond this count from 0 again, so that a checksum is an exact number. */
const MAX_LENGTH = 2 ** 20;
const DIGESTS = 2 ** 32;

/**
 * Length and CRC-32 of texts, in one number below 2^52; NaN, which no checksum equals, when one of them is no text. In units
 * of UTF-16, as strings lie in memory: as UTF-8, texts that are not English would take several times as long.
 */
export function checksumOf(texts: readonly unknown[]): number {
  const length = lengthOf(texts);
  if (Number.isNaN(length)) return length;
  let digest = 0;
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    for (let at = 0; at < text.length; at += PIECE)
      digest = crc32(desk.subarray(0, desk.write(text.slice(at, at + PIECE), 'utf16le')), digest);
  }
  return length * DIGESTS + digest;
}

/** Whether texts are as long as a checksum says: what can be asked of each that is read, at no cost. */
export const hasLength = (texts: readonly unknown[], checksum: unknown): boolean =>
  lengthOf(texts) === Math.floor(Number(checksum) / DIGESTS);

function lengthOf(texts: readonly unknown[]): number {
  let length = 0;
  for (const text of texts) {
    if (text === null) continue;
    if (typeof text !== 'string') return Number.NaN;
    length += text.length;
  }
  return length % MAX_LENGTH;
}

/** Parses what was stored as JSON. Throws `ReadModelDamaged` when it is none any more. */
export function parseStored<Value>(text: unknown, place: string): Value {
  try {
    return JSON.parse(String(text)) as Value; // As it was written.
  } catch (error) {
    throw new ReadModelDamaged(place, { cause: error });
  }
}

/** Documents by key, in the order asked; `damaged` for those that cannot be read, null where there is none. */
export async function fetchReadable(
  model: Pick<ReadModel, 'fetch'>,
  keys: readonly DocumentKey[],
): Promise<(Document | 'damaged' | null)[]> {
  try {
    return await model.fetch(keys);
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
  }
  const found: (Document | 'damaged' | null)[] = [];
  for (const key of keys) found.push(await fetchOne(model, key));
  return found;
}

async function fetchOne(model: Pick<ReadModel, 'fetch'>, key: DocumentKey): Promise<Document | 'damaged' | null> {
  try {
    const [document = null] = await model.fetch([key]);
    return document;
  } catch (error) {
    if (error instanceof ReadModelDamaged) return 'damaged';
    throw error;
  }
}

/** The keys of all documents that cannot be read. */
export async function damagedDocuments({ model, keys }: Pick<Generation, 'model' | 'keys'>): Promise<DocumentKey[]> {
  const damaged: DocumentKey[] = [];
  for await (const portion of keys()) {
    const documents = await fetchReadable(model, portion);
    damaged.push(...portion.filter((_, at) => documents[at] === 'damaged'));
    await nextTurn();
  }
  return damaged;
}

/** The same read model, which is distrusted as soon as something in it is found damaged; that question is refused. */
export function distrustedWhenDamaged(model: ReadModel): ReadModel {
  let underWay: Promise<void> | null = null;

  /** Those who find it damaged at the same time distrust it once. */
  function distrust(): Promise<void> {
    underWay ??= model.distrust().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  async function watched<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      // A read model that cannot be written now is distrusted by the next one who asks.
      if (error instanceof ReadModelDamaged) await distrust().catch(() => {});
      throw error;
    }
  }

  return {
    ...model,
    apply: (batch) => watched(model.apply(batch)),
    fetch: (keys) => watched(model.fetch(keys)),
    findBySlug: (kind, slug) => watched(model.findBySlug(kind, slug)),
    listEvents: (query) => watched(model.listEvents(query)),
    findEvents: (query) => watched(model.findEvents(query)),
    listLinkedPosts: (query) => watched(model.listLinkedPosts(query)),
    listTerms: (query) => watched(model.listTerms(query)),
    terms: () => watched(model.terms()),
  };
}
