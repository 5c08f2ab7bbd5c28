// Detects damage: a checksum is stored with each document and compared whenever it is read. Whatever changed the texts
// since they were written (a disk, a restored page, a person), they do not get into an answer.
// decision 10

import { crc32 } from 'node:zlib';
import { singleFlight } from '../kernel/event-loop/shared-work.ts';
import type { Document, DocumentKey } from './documents.ts';
import { type ReadModel, ReadModelUnavailable } from './read-model.ts';

/** A stored value of the read model is not what was written to it. */
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

/** Units of a text that are processed at once. */
const PIECE = 2 ** 15;
const desk = Buffer.allocUnsafe(2 * PIECE);

/** Longer lengths wrap around to 0, so that a checksum is an exact number. */
const MAX_LENGTH = 2 ** 20;
const DIGESTS = 2 ** 32;

/**
 * Length and CRC-32 of a text, in one number below 2^52. Computed over UTF-16 units, as strings are in memory: encoding
 * UTF-8 would take several times as long for texts that are not English.
 */
export function checksumOf(text: string): number {
  let digest = 0;
  for (let at = 0; at < text.length; at += PIECE)
    digest = crc32(desk.subarray(0, desk.write(text.slice(at, at + PIECE), 'utf16le')), digest);
  return (text.length % MAX_LENGTH) * DIGESTS + digest;
}

/** Digits of a checksum. */
const CHECKSUM_DIGITS = 16;

/** A text behind its checksum. */
export const withChecksum = (text: string): string => String(checksumOf(text)).padStart(CHECKSUM_DIGITS, '0') + text;

/** Such a text again. Throws `ReadModelDamaged`, naming the place. */
export function withoutChecksum(stored: string, place: string): string {
  const text = stored.slice(CHECKSUM_DIGITS);
  if (Number(stored.slice(0, CHECKSUM_DIGITS)) !== checksumOf(text)) throw new ReadModelDamaged(place);
  return text;
}

/** Parses stored JSON. Throws `ReadModelDamaged` if it is invalid. */
export function parseStored<Value>(text: unknown, place: string): Value {
  try {
    return JSON.parse(String(text)) as Value; // As it was written.
  } catch (error) {
    throw new ReadModelDamaged(place, { cause: error });
  }
}

/** Documents by key, in the requested order; `damaged` for those that cannot be read, null for missing ones. */
export async function fetchReadable(
  model: Pick<ReadModel, 'fetch'>,
  keys: readonly DocumentKey[],
): Promise<(Document | 'damaged' | null)[]> {
  try {
    return await model.fetch(keys);
  } catch (error) {
    if (!(error instanceof ReadModelDamaged)) throw error;
  }
  const documents: (Document | 'damaged' | null)[] = [];
  for (const key of keys) documents.push(await fetchOne(model, key));
  return documents;
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

/** The same read model, distrusted as soon as something in it is found damaged; the read that finds it is refused. */
export function distrustedWhenDamaged(model: ReadModel): ReadModel {
  const distrusting = singleFlight<void, null>();

  /** Concurrent reads that find it damaged distrust it once. */
  const distrust = (): Promise<void> => distrusting(null, () => model.distrust());

  async function watched<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      // A read model that cannot be written now is distrusted by the next read.
      if (error instanceof ReadModelDamaged) await distrust().catch(() => {});
      throw error;
    }
  }

  return {
    ...model,
    apply: (batch) => watched(model.apply(batch)),
    fetch: (keys) => watched(model.fetch(keys)),
    findBySlug: (kind, slug) => watched(model.findBySlug(kind, slug)),
    listEvents: (query, recall) => watched(model.listEvents(query, recall)),
    findEvents: (query) => watched(model.findEvents(query)),
    countFacets: (query, facets) => watched(model.countFacets(query, facets)),
    newestEvents: (query) => watched(model.newestEvents(query)),
    explainEvent: (query, id, conditions) => watched(model.explainEvent(query, id, conditions)),
    listLinkedPosts: (query) => watched(model.listLinkedPosts(query)),
    listTerms: (query) => watched(model.listTerms(query)),
    terms: () => watched(model.terms()),
  };
}
