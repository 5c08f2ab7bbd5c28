// Compressed forms of answers: which of them a client takes, and how they are made.
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** As `Content-Encoding` names them; the better one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Clients of one make send the same header, so few are ever read. Whatever else comes must not fill the memory. */
const MOST_KNOWN = 100;
const LONGEST_KNOWN = 200;
const known = new Map<string, readonly Coding[]>();
const NONE: readonly Coding[] = [];

/** The codings that an `Accept-Encoding` allows, the preferred one first. The plain form is always allowed. */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  if (header === undefined || header === '') return NONE;
  const before = known.get(header);
  if (before !== undefined) return before;
  const accepted = readHeader(header);
  if (header.length > LONGEST_KNOWN) return accepted;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(header, accepted);
  return accepted;
}

function readHeader(header: string): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters));
  }
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  return CODINGS.filter((coding) => weight(coding) > 0).sort((one, other) => weight(other) - weight(one));
}

/** A weight that cannot be read counts as a refusal: the plain form is never wrong. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
  if (weight === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Beyond this the time taken grows far faster than what is gained. */
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
