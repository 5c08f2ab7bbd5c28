// The routes of uploaded pictures: /media.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { present as onlyPresent } from '../../../domain/present.ts';
import { entityTag } from '../../../http/answers/etag.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { ApiError, foundOr } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import { changing, creating, deleting, listing, reading } from '../../../http/openapi/documentation.ts';
import { missingUpload } from '../../../http/parameters/multipart.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { FILE_FIELD, uploads } from '../../../http/plugins/uploads.ts';
import type { Method, Routes } from '../../../http/route.ts';
import { sendMarked, sendPage } from '../../../http/routes/pages.ts';
import {
  awaitPosition,
  awaitWritten,
  contextOf,
  type RouteDependencies,
  writtenOr,
} from '../../../http/routes/writing.ts';
import { page } from '../../../http/schemas/lists.ts';
import { byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import { openQueue } from '../../../kernel/event-loop/shared-work.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { mayChangePicture, mayUpload } from '../../../people/auth/policy.ts';
import type { SubjectKeys } from '../../../people/personal-data/facts/subject-keys.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { pagingOf } from '../../../queries/arguments.ts';
import { showing } from '../../../read-model/documents.ts';
import { imageObject } from '../../../rendering/post-fragment.ts';
import { fill, fragmentOf, insideString } from '../../../rendering/slots.ts';
import type { Site } from '../../site/queries/site.ts';
import { describePictureOf, findPicture, loadPicture, recordPicture, removePictureOf } from '../commands/pictures.ts';
import { filesOf, imageOf, PICTURE_TYPES, type Picture, type PictureTexts } from '../domain/picture.ts';
import { type MediaStore, MediaUnavailable } from '../media/media-store.ts';
import type { PictureMaker, Rendered, Unrenderable } from '../media/renditions.ts';
import { listPictures } from '../queries/list-pictures.ts';
import { pictureCreate, pictureList, pictureRead, pictureUpdate } from './picture-schema.ts';

// The documentation of the routes of uploaded pictures.

const answer = Type.Ref('Picture');
const about = { group: 'Pictures', answer } as const;
const route = guardedRoutes({ of: 'endpoint', may: mayUpload }, about);
const onOwn = guardedRoutes({ of: 'posts', may: mayChangePicture }, about, mayUpload);

export interface MediaRouteDependencies extends RouteDependencies {
  readonly store: EventStore;
  readonly media: MediaStore;
  /** The keys of the texts about pictures. */
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  readonly pictures: PictureMaker;
  /** The name of the files of a new picture; it cannot be guessed. */
  readonly newStem: () => string;
  /** Its logo is a picture that is shown. */
  readonly site: Pick<Site, 'logo' | 'look'>;
  /** The largest file that may be uploaded, in bytes. */
  readonly maxUpload: number;
}

/** One picture may take hundreds of megabytes, and several seconds of all processors. */
const AT_ONCE = 1;
const MAX_WAITING = 16;
const PARAMETERS = ['page', 'per_page', 'author', 'search'];
export const mediaRoutes: Routes<MediaRouteDependencies> = async (api, dependencies) => {
  const { commands, queries, store, media, keys, pictures, newStem, maxUpload, site } = dependencies;
  const { readModel } = queries;
  const inTurn = openQueue({
    atOnce: AT_ONCE,
    maxWaiting: MAX_WAITING,
    refused: () => new ApiError('rest_pictures_unavailable', { headers: { 'Retry-After': '2' } }),
  });

  /** How many posts show it, and the site itself as its logo. */
  async function uses(id: number): Promise<number> {
    const kinds = ['event', 'venue', 'organizer'] as const;
    const counts = await Promise.all(kinds.map((kind) => readModel.countNamed(kind, showing(id))));
    return counts.reduce((sum, count) => sum + count, site.logo?.id === id ? 1 : 0);
  }

  async function pictureObject({ links }: FastifyRequest, picture: Picture) {
    const { id, title, alt, credit, focusX, focusY, author, uploaded, modified, file } = picture;
    const image = JSON.parse(fill(fragmentOf(imageObject(imageOf(picture))), { site: insideString(links.site) }));
    const { url, sizes = {}, width, height, filesize } = image;
    return {
      id,
      url,
      rest_url: `${links.root}/media/${id}`,
      title,
      alt,
      credit,
      focus_x: focusX,
      focus_y: focusY,
      author: await openActors(store).person(author),
      date: instantText(uploaded),
      modified: instantText(modified),
      mime_type: file.mimeType,
      width,
      height,
      filesize,
      sizes,
      used: await uses(id),
    };
  }

  async function sendOne(
    reply: FastifyReply,
    { id, state, revision, position, created }: Written<Picture>,
  ): Promise<Body> {
    await awaitWritten(dependencies, reply, position);
    reply.header('etag', entityTag(revision, ''));
    if (created) reply.code(201).header('location', `${reply.request.links.root}/media/${id}`);
    return JSON.stringify(await pictureObject(reply.request, state));
  }

  api.get(
    '/media',
    route(
      listing,
      {
        summary: 'picture.list',
        answer: page('media', 'picture.page', answer),
        errors: ['rest_picture_page_not_found'],
      },
      { querystring: pictureList({ perPage: queries.perPage }) },
    ),
    async (request, reply) => {
      const { query } = request;
      await awaitPosition(dependencies, request);
      const paging = pagingOf(query, queries.perPage);
      const { total, pictures: onPage } = await listPictures(readModel, query, paging);
      const page = {
        paging,
        total,
        path: 'media',
        names: PARAMETERS,
        pastTheEnd: 'rest_picture_page_not_found',
      } as const;
      return sendPage(
        reply,
        { media: await Promise.all(onPage.map((picture) => pictureObject(request, picture))) },
        page,
      );
    },
  );

  await api.register(uploads, { maxBytes: maxUpload, may: mayUpload });
  api.post(
    '/media',
    route(
      creating,
      {
        summary: 'picture.upload',
        description: 'picture.upload_form',
        file: 'picture.file',
        example: { alt: 'Singers on a bridge at night' },
        errors: [
          ...(['rest_upload_missing', 'rest_upload_not_a_picture', 'rest_upload_too_large'] as const),
          'rest_pictures_unavailable',
        ],
      },
      { body: pictureCreate },
    ),
    async (request, reply) => {
      const file = request.upload?.file;
      if (!file) throw missingUpload(FILE_FIELD);
      const { title = '', alt = '', credit = '' } = request.body;
      const rendered = await inTurn(async () => pictures.render(new Uint8Array(await file.arrayBuffer()), newStem()));
      if (typeof rendered === 'string') throw unrenderable(rendered);
      return sendOne(reply, await recorded(request, rendered, { title, alt, credit }));
    },
  );

  async function recorded(request: FastifyRequest, { file, sizes, files }: Rendered, texts: PictureTexts) {
    await withMedia(() => media.write(files));
    const result = await recordPicture(commands, contextOf(request), { file, sizes, ...texts });
    // A repeated request, or a refused one, has no use for them.
    const isUsed = result.kind === 'written' && result.written.state.file.name === file.name;
    if (!isUsed) await media.remove(files.map(({ name }) => name)).catch(() => {});
    return writtenOr(result, request);
  }

  api.get(
    `/media/${ID}`,
    route(
      reading,
      { summary: 'picture.read', errors: ['rest_picture_not_found'] },
      { params: byId, querystring: pictureRead },
    ),
    async (request, reply) =>
      sendMarked(
        reply,
        await pictureObject(request, await foundOr('rest_picture_not_found', findPicture(store, request.params.id))),
      ),
  );

  /** `Allow` names a method only to callers who may change this very picture. */
  const offering = (method: Method) => ({
    allow: async (caller: FastifyRequest['caller'], { id }: { readonly id: number }): Promise<readonly Method[]> => {
      const picture = mayUpload(caller) ? await findPicture(store, id) : null;
      return picture && mayChangePicture(caller, picture) ? [method] : [];
    },
  });

  api.patch(
    `/media/${ID}`,
    {
      ...onOwn(
        changing,
        {
          summary: 'picture.describe',
          errors: ['rest_picture_not_found'],
          example: { alt: 'Singers on a bridge at night' },
        },
        { params: byId, body: pictureUpdate },
      ),
      config: offering('PATCH'),
    },
    async ({ params, body }, reply) => {
      const { title, alt, credit, focus_x: focusX, focus_y: focusY } = body;
      const [texts, focus] = [onlyPresent({ title, alt, credit }), onlyPresent({ focusX, focusY })];
      return step(reply, await describePictureOf(commands, contextOf(reply.request), params.id, texts, focus));
    },
  );

  api.delete(
    `/media/${ID}`,
    {
      ...onOwn(
        deleting,
        {
          summary: 'picture.remove',
          errors: ['rest_picture_not_found', 'rest_picture_in_use', 'rest_pictures_unavailable'],
        },
        { params: byId, querystring: pictureRead },
      ),
      config: offering('DELETE'),
    },
    async ({ params }, reply) => {
      const { id } = params;
      await site.look();
      const result = await removePictureOf(commands, contextOf(reply.request), id, await uses(id));
      await eraseRemoved(id);
      return step(reply, result);
    },
  );

  /** Its files and the key of its texts. Also of a picture removed before: that may have been interrupted. */
  async function eraseRemoved(id: number): Promise<void> {
    const picture = await loadPicture(store, id);
    if (!picture?.removed) return;
    await media.remove(filesOf(picture)).catch(() => {});
    await keys.destroy(streamOf('picture', id));
  }

  const step = (reply: FastifyReply, result: CommandResult<Picture>): Promise<Body> =>
    sendOne(reply, writtenOr(result, reply.request));
};

async function withMedia<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MediaUnavailable) throw new ApiError('rest_pictures_unavailable');
    throw error;
  }
}

function unrenderable(why: Unrenderable): ApiError {
  if (why === 'unavailable') return new ApiError('rest_pictures_unavailable', { status: 501 });
  const text = why === 'too many pixels' ? 'upload_too_many_pixels' : 'upload_not_a_picture';
  return new ApiError('rest_upload_not_a_picture', { text: phrase(text, { types: PICTURE_TYPES }) });
}
