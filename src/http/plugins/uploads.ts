// Forms with a file, for the routes of the scope that it is registered in.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { forbidden } from '../errors.ts';
import { readUpload } from '../parameters/request-body.ts';

export interface UploadsOptions {
  /** Bytes of the form as a whole. */
  readonly bodyLimit: number;
}

/** The form is at `request.upload`. */
export const uploads = fp(async (api: FastifyInstance, { bodyLimit }: UploadsOptions) => {
  // Large bodies are not read for callers who have not said who they are.
  api.addHook('preParsing', (request, _reply, payload, done) => {
    const isForm = request.headers['content-type']?.startsWith(MULTIPART) === true;
    const isAnonymous = isForm && request.headers.authorization === undefined;
    done(isAnonymous ? forbidden(null) : null, payload);
  });
  api.addContentTypeParser(
    MULTIPART,
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, bytes: Buffer) => {
      request.upload = await readUpload(request.headers['content-type'] ?? MULTIPART, bytes);
      return undefined;
    },
  );
});

const MULTIPART = 'multipart/form-data';
