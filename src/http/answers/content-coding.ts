// Compressed forms of answers: which of them a client accepts, and how they are made.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** As named in `Content-Encoding`; the better one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The old name of gzip, for clients that know no other: a `*` does not include it. */
const WITH_OLD_NAME = [...CODINGS, 'x-gzip'];
const NONE: readonly Coding[] = [];

/** As documented; its declared type lacks the option, which decides between equal weights. */
interface EncodingNegotiator {
  encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): string[];
}

/** Clients of one kind send the same header, so few are ever parsed. */
const negotiated = new LRUCache<string, readonly Coding[]>({ max: 100 });
const MAX_CACHED_LENGTH = 200;

/** The codings that an `Accept-Encoding` allows, the preferred one first. The plain form is always allowed. */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  if (header === undefined || header === '') return NONE;
  const before = negotiated.get(header);
  if (before !== undefined) return before;
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const offered = /x-gzip/i.test(header) ? WITH_OLD_NAME : CODINGS;
  const encodings = negotiator.encodings(offered, { preferred: offered });
  const accepted = CODINGS.filter((coding) => encodings.includes(coding) || encodings.includes(`x-${coding}`));
  accepted.sort((one, other) => placeOf(encodings, one) - placeOf(encodings, other));
  if (header.length <= MAX_CACHED_LENGTH) negotiated.set(header, accepted);
  return accepted;
}

const placeOf = (encodings: readonly string[], coding: Coding): number =>
  encodings.findIndex((name) => name === coding || name === `x-${coding}`);

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Beyond this level the time grows far faster than the gain. */
const BROTLI_QUALITY = 5;

/** Compresses on another thread than the one that answers requests. */
export const compressed = (coding: Coding, plain: Buffer): Promise<Buffer> =>
  coding === 'gzip'
    ? gzip(plain)
    : brotli(plain, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      });
