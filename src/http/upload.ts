// The file in a form that was sent, and the fields beside it.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { phrase } from '../locales/phrases.ts';
import { ApiError } from './errors.ts';

export interface Upload {
  readonly bytes: Buffer;
  readonly fields: { readonly [name: string]: string };
}

/** The part that holds the file. */
export const FILE_FIELD = 'file';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 10_000;

/** Lets the routes of a scope receive one file of at most this size. */
export async function acceptUploads(scope: FastifyInstance, maxBytes: number): Promise<void> {
  await scope.register(multipart, {
    limits: { files: 1, fileSize: maxBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FIELDS + 1 },
  });
}

/** Reads the form of a request. Throws the errors of uploads. */
export async function readUpload(request: FastifyRequest, maxBytes: number): Promise<Upload> {
  if (!request.isMultipart()) throw missing();
  const fields: { [name: string]: string } = {};
  let bytes: Buffer | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value ?? '');
      else if (part.fieldname === FILE_FIELD) bytes = await part.toBuffer();
      else throw missing();
    }
  } catch (error) {
    throw problemIn(error, maxBytes);
  }
  if (!bytes || bytes.length === 0) throw missing();
  return { bytes, fields };
}

const missing = (): ApiError =>
  new ApiError('rest_upload_missing', { text: phrase('upload_missing', { field: FILE_FIELD }) });

const TOO_MUCH: readonly unknown[] = ['FST_REQ_FILE_TOO_LARGE', 'FST_ERR_CTP_BODY_TOO_LARGE'];

function problemIn(error: unknown, maxBytes: number): unknown {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (TOO_MUCH.includes(code)) {
    const megabytes = maxBytes / 1_048_576;
    return new ApiError('rest_upload_too_large', { text: phrase('upload_too_large', { megabytes }) });
  }
  if (code === 'FST_FILES_LIMIT') return missing();
  // What the parser of forms says has no code, or one of the library.
  return code === null || String(code).startsWith('FST_') ? new ApiError('rest_invalid_form') : error;
}
