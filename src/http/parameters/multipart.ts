// The one reader of forms with files (`multipart/form-data`), over @fastify/busboy: it goes through a body once, as it comes,
// within limits of its own, and gives others their turn.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import { phrase } from '../../locales/phrases.ts';
import { ApiError } from '../errors.ts';
import { contentTypeIn, MULTIPART } from './content-type.ts';
import type { ParameterMap } from './parameter-map.ts';
import { MAX_PAIRS, nestFields } from './query-string.ts';

/** A form with a file. */
export interface Upload {
  readonly fields: ParameterMap;
  /** The first file that is not empty; null: there is none. */
  readonly file: File | null;
}

/** Which file a form may have. */
interface FileRule {
  readonly maxBytes: number;
  /** The only part that may be a file, and the only file; absent: others are passed over. */
  readonly field?: string;
}

/** Bytes of all texts of a form, and of what stands around them. */
export const MAX_TEXT = 1_048_576;
/** The headers of one part may have so many bytes. Names of fields are much shorter. */
const MAX_HEADER_BYTES = 16_384;
const MAX_NAME = 8_192;
/** So many parts fit into it that they take some milliseconds. */
const PORTION_BYTES = 4_096;
/** RFC 2046, section 5.1.1: up to 70 characters. Those that need a backslash in a header are not among them. */
const BOUNDARY = /^[ !#-[\]-~]{1,70}$/;

/**
 * Reads a form; `rule` null: its files are passed over. Throws `rest_invalid_form`, `rest_too_many_parameters` beyond 2,000
 * parts or with names of more than 8,192 characters, `rest_request_too_large` beyond 1 MiB of texts, `rest_upload_too_large`
 * and `rest_upload_missing` as the rule says, and what reading the body throws.
 */
export async function readForm(
  contentType: string | undefined,
  body: Readable | Uint8Array,
  rule: FileRule | null,
): Promise<Upload> {
  const boundary = contentTypeIn(contentType).parameter('boundary') ?? '';
  if (!BOUNDARY.test(boundary)) throw new ApiError('rest_invalid_form');
  const maxFile = rule?.maxBytes ?? MAX_TEXT;
  const parser = new Busboy({
    headers: { 'content-type': `${MULTIPART}; boundary="${boundary}"` },
    limits: { parts: MAX_PAIRS, headerSize: MAX_HEADER_BYTES, fieldSize: MAX_TEXT + 1, fileSize: maxFile },
  });
  const refuse = (error: ApiError): unknown => parser.destroy(error);
  const fields: [string, string][] = [];
  let textBytes = 0;
  parser.on('partsLimit', () => refuse(new ApiError('rest_too_many_parameters')));
  parser.on('field', (name: string | undefined, value) => {
    textBytes += Buffer.byteLength(value);
    if (name === undefined) refuse(new ApiError('rest_invalid_form'));
    else if (name.length > MAX_NAME) refuse(new ApiError('rest_too_many_parameters'));
    else if (textBytes > MAX_TEXT) refuse(new ApiError('rest_request_too_large'));
    else fields.push([name, value]);
  });
  const files: UploadedFile[] = [];
  if (rule)
    parser.on('file', (field: string | undefined, part, name) => {
      part.on('error', refuse);
      if (rule.field !== undefined && field !== rule.field) refuse(missingUpload(rule.field));
      part.on('limit', () => refuse(uploadTooLarge(rule.maxBytes)));
      // Browsers send an empty one where none was chosen: it is no file.
      part.on('data', (chunk: Buffer<ArrayBuffer>) => {
        if (files.length === 0) files.push({ part, name, chunks: [] });
        const [first] = files;
        if (first?.part === part) first.chunks.push(chunk);
        else if (rule.field !== undefined) refuse(missingUpload(rule.field));
      });
    });
  await pipeline(inPortions(body, maxFile + 2 * MAX_TEXT), parser).catch((error: unknown) => {
    // What the parser says has no code.
    throw error instanceof ApiError || hasCode(error) ? error : new ApiError('rest_invalid_form');
  });
  const [upload] = files;
  return { fields: nestFields(fields), file: upload ? new File(upload.chunks, upload.name) : null };
}

interface UploadedFile {
  readonly part: Readable;
  readonly name: string;
  readonly chunks: Uint8Array<ArrayBuffer>[];
}

const hasCode = (error: unknown): boolean => error instanceof Error && 'code' in error;

async function* inPortions(body: Readable | Uint8Array, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  const turn = openTurns();
  let length = 0;
  for await (const chunk of chunksOf(body)) {
    length += chunk.length;
    if (length > most) throw new ApiError('rest_request_too_large');
    for (let at = 0; at < chunk.length; at += PORTION_BYTES) {
      yield chunk.subarray(at, at + PORTION_BYTES);
      await turn();
    }
  }
}

/** The connection is still needed for the answer. */
const chunksOf = (body: Readable | Uint8Array): Iterable<Uint8Array> | AsyncIterable<Uint8Array> =>
  body instanceof Uint8Array ? [body] : body.iterator({ destroyOnReturn: false });

/** The whole body of a request; throws `tooLarge` as soon as it is known to be longer than `most` bytes. */
export async function bytesOf(
  body: Readable,
  announced: string | undefined,
  most: number,
  tooLarge = (): ApiError => new ApiError('rest_request_too_large'),
): Promise<Buffer<ArrayBuffer>> {
  if (Number(announced ?? 0) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(body)) {
    length += chunk.length;
    if (length > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const missingUpload = (field: string): ApiError =>
  new ApiError('rest_upload_missing', { text: phrase('upload_missing', { field }) });

export const uploadTooLarge = (maxBytes: number): ApiError =>
  new ApiError('rest_upload_too_large', { text: phrase('upload_too_large', { megabytes: maxBytes / 1_048_576 }) });
