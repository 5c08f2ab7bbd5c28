// The files of uploaded pictures, at the root of the site. A file never changes, and its name cannot be guessed: whether a
// picture is shown anywhere is up to the posts that name it.
import type { FastifyInstance } from 'fastify';
import { isKnown } from '../../../http/answers/etag.ts';
import { ApiError } from '../../../http/errors.ts';
import { MEDIA_PATH } from '../domain/picture.ts';
import type { MediaStore } from '../media/media-store.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

const TYPES: { readonly [extension: string]: string } = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

export function serveMedia(app: FastifyInstance, media: Pick<MediaStore, 'find'>): void {
  app.get<{ readonly Params: { readonly name: string } }>(`${MEDIA_PATH}:name`, async (request, reply) => {
    const { name } = request.params;
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    const etag = `"${name}"`;
    const found = type === undefined ? null : await media.find(name);
    if (!found) throw new ApiError('rest_no_route');
    reply.headers({
      etag,
      'cache-control': FOR_EVER,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply
      .header('content-length', found.size)
      .type(type ?? '')
      .send(found.open());
  });
}
