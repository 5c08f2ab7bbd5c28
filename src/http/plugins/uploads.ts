// Forms with a file, for the routes of the scope that it is registered in. They are read as they come, and only once it is
// known who the caller is and what they may: the file of a stranger is not read at all.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Caller } from '../../people/auth/caller.ts';
import { forbidden } from '../errors.ts';
import { contentTypeIn, MULTIPART } from '../parameters/content-type.ts';
import { readForm, type Upload } from '../parameters/multipart.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads the form of a request with a file, in scopes that take files; null: it has none. Throws the errors of uploads. */
    readonly readUpload?: (request: FastifyRequest) => Promise<Upload> | null;
  }
}

interface UploadsOptions {
  /** The largest file that is taken, in bytes. */
  readonly maxBytes: number;
  readonly may: (caller: Caller) => boolean;
}

/** The part that holds the file. */
export const FILE_FIELD = 'file';

/** The form is at `request.upload`, its fields among the parameters of the route. */
export const uploads = fp(async (scope: FastifyInstance, { maxBytes, may }: UploadsOptions) => {
  scope.addContentTypeParser(MULTIPART, (_request, _payload, done) => done(null));
  scope.decorate('readUpload', ({ method, headers, caller, raw }: FastifyRequest): Promise<Upload> | null => {
    const type = headers['content-type'];
    // Other methods know no such forms.
    if (method !== 'POST' || contentTypeIn(type).essence !== MULTIPART) return null;
    if (!may(caller)) throw forbidden(caller);
    return readForm(type, raw, { maxBytes, field: FILE_FIELD });
  });
});
