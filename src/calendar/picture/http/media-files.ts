// The files of uploaded pictures, at the root of the site. A file never changes, and its name cannot be guessed: whether a
// picture is shown anywhere is up to the posts that name it.
import type { FastifyInstance } from 'fastify';
import { isKnown } from '../../../http/answers/etag.ts';
import { ApiError } from '../../../http/errors.ts';
import { MEDIA_PATH, PICTURE_FORMATS } from '../domain/picture.ts';
import type { MediaStore } from '../media/media-store.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

const TYPES: { readonly [extension: string]: string } = Object.fromEntries(
  Object.values(PICTURE_FORMATS).map(({ extension, mimeType }) => [extension, mimeType]),
);

export function serveMedia(app: FastifyInstance, media: Pick<MediaStore, 'find'>): void {
  app.get<{ readonly Params: { readonly name: string } }>(`${MEDIA_PATH}:name`, async (request, reply) => {
    const { name } = request.params;
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const etag = `"${name}"`;
    const file = type === undefined ? null : await media.find(name);
    if (!file) throw new ApiError('rest_no_route');
    reply.headers({
      etag,
      'cache-control': FOR_EVER,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply
      .header('content-length', file.size)
      .type(type ?? '')
      .send(file.open());
  });
}
