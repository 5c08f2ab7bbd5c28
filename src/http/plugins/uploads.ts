// Forms with a file, for the routes of the scope that it is registered in. They are read as they come, and only once it is
// known who the caller is: a stranger's file is not read at all.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { phrase } from '../../locales/phrases.ts';
import { ApiError, forbidden } from '../errors.ts';
import { nestFields } from '../parameters/query-string.ts';
import type { Upload } from '../parameters/request-body.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads the form of a request with a file, in scopes that take files. Throws the errors of uploads. */
    readonly readUpload?: (request: FastifyRequest) => Promise<Upload>;
  }
}

export interface UploadsOptions {
  /** Of a file, in bytes. */
  readonly maxBytes: number;
}

/** The part that holds the file. */
const FILE_FIELD = 'file';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 262_144;

/** The form is at `request.upload`, its fields among the parameters of the route. */
export const uploads = fp(async (scope: FastifyInstance, { maxBytes }: UploadsOptions) => {
  await scope.register(multipart, {
    limits: { files: 1, fileSize: maxBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: MAX_FIELDS + 1 },
  });
  scope.decorate('readUpload', async (request: FastifyRequest): Promise<Upload> => {
    if (request.caller === null) throw forbidden(null);
    try {
      return await readParts(request);
    } catch (error) {
      throw problemIn(error, maxBytes);
    }
  });
});

async function readParts(request: FastifyRequest): Promise<Upload> {
  const fields: [string, string][] = [];
  let file: File | null = null;
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== FILE_FIELD) throw missingUpload();
      const bytes = await part.toBuffer();
      // Browsers send an empty one where none was chosen.
      if (bytes.length > 0) file = new File([new Uint8Array(bytes)], part.filename);
    } else {
      if (part.valueTruncated) throw new ApiError('rest_request_too_large');
      fields.push([part.fieldname, String(part.value ?? '')]);
    }
  }
  return { fields: nestFields(fields), file };
}

export const missingUpload = (): ApiError =>
  new ApiError('rest_upload_missing', { text: phrase('upload_missing', { field: FILE_FIELD }) });

function problemIn(error: unknown, maxBytes: number): unknown {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    const megabytes = maxBytes / 1_048_576;
    return new ApiError('rest_upload_too_large', { text: phrase('upload_too_large', { megabytes }) });
  }
  if (code === 'FST_FILES_LIMIT') return missingUpload();
  // What the parser of forms says has no code, or one of the library.
  return code === '' || code.startsWith('FST_') ? new ApiError('rest_invalid_form') : error;
}
