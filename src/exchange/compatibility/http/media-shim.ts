// `media`: pictures are uploaded as the body of a request or as the part `file` of a form, listed, described and deleted.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, forbidden, invalidParameters } from '../../../http/errors.ts';
import { contentTypeIn, MULTIPART } from '../../../http/parameters/content-type.ts';
import { bytesOf, readForm, type Upload, uploadTooLarge } from '../../../http/parameters/multipart.ts';
import { emptyMap } from '../../../http/parameters/parameter-map.ts';
import { decodePercent } from '../../../http/parameters/query-string.ts';
import { compileUnknown } from '../../../http/parameters/unknown-parameters.ts';
import { ID } from '../../../http/plugins/routing.ts';
import type { Method, Routes } from '../../../http/route.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { byId } from '../../../http/schemas/path.ts';
import { textAsHtml } from '../../../kernel/text/plain-text.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { formatCivil } from '../../../kernel/time/civil-time.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayUpload } from '../../../people/auth/policy.ts';
import { carryHeaders, type OwnAnswer, type OwnApi, translating } from './own-api.ts';
import { pageOfItems } from './page-of-items.ts';
import { SHIM_DOCUMENTATION } from './shim-documentation.ts';
import { shimMediaTables } from './shims-schema.ts';

type OwnPicture = Answer<'Picture'>;
type OwnSize = OwnPicture['sizes'][string];

interface MediaShimOptions {
  readonly own: OwnApi;
  /** The largest file that is taken, in bytes. */
  readonly maxUpload: number;
}

const MAX_SLUGS = 50;

export const mediaShim: Routes<MediaShimOptions> = async (api, { own, maxUpload }) => {
  const allowing = (...methods: readonly Method[]) => ({
    allow: (caller: Caller): readonly Method[] => (mayUpload(caller) ? methods : []),
  });
  const ofAll = allowing('GET', 'POST');
  const ofOne = allowing('GET', 'POST', 'PUT', 'PATCH', 'DELETE');

  api.get(
    '/media',
    { schema: { ...SHIM_DOCUMENTATION.pictures, querystring: shimMediaTables.list }, config: ofAll },
    async (request, reply) => {
      const { page = 1, per_page = 10, slug, ...filters } = request.query;
      if (slug !== undefined) return JSON.stringify(await named(request, reply, listOf(slug), filters));
      const ask = (own_page: number, size: number) =>
        own.ask<{ readonly media: readonly OwnPicture[] }>(request, 'GET', '/media', {
          query: { ...filters, page: own_page, per_page: size },
        });
      const pictures = await translating({ rest_picture_page_not_found: 'rest_post_invalid_page_number' }, () =>
        pageOfItems(reply, { page, per_page }, ask, ({ media }) => media),
      );
      return JSON.stringify(pictures.map((picture) => mediaObject(picture, request)));
    },
  );

  api.get(
    `/media/${ID}`,
    { schema: { ...SHIM_DOCUMENTATION.readPicture, params: byId, querystring: shimMediaTables.read }, config: ofOne },
    async (request, reply) => answer(reply, await present(request)),
  );

  /** Those of these slugs, which are the names of their files; all on one page. */
  async function named(
    request: FastifyRequest,
    reply: FastifyReply,
    slugs: readonly string[],
    { search = '', ...filters }: { readonly search?: string; readonly author?: number },
  ) {
    if (slugs.length > MAX_SLUGS) throw invalidParameters('slug');
    const answers = await Promise.all(
      slugs.map((slug) => {
        const query = { ...filters, search: `${search} ${slug}`, per_page: MAX_SLUGS };
        return own.ask<{ readonly media: readonly OwnPicture[] }>(request, 'GET', '/media', { query });
      }),
    );
    const matches = answers.flatMap(({ body }) => body.media).filter(({ url }) => slugs.includes(slugOf(url)));
    const pictures = [...new Map(matches.map((picture) => [picture.id, picture])).values()];
    const [first] = answers;
    if (first) carryHeaders(reply, first);
    reply.headers({ 'x-wp-total': String(pictures.length), 'x-wp-totalpages': String(Math.min(pictures.length, 1)) });
    return pictures.map((picture) => mediaObject(picture, request));
  }

  const present = (request: FastifyRequest<{ readonly Params: { readonly id: number } }>) =>
    onOne(() => own.ask<OwnPicture>(request, 'GET', `/media/${request.params.id}`));

  api.route({
    method: ['POST', 'PUT', 'PATCH'],
    url: `/media/${ID}`,
    schema: { ...SHIM_DOCUMENTATION.describe, params: byId, body: shimMediaTables.update },
    config: ofOne,
    handler: async (request, reply) => {
      const { title, alt_text: alt } = request.body;
      const members = { ...(title !== undefined && { title: raw(title) }), ...(alt !== undefined && { alt }) };
      const path = `/media/${request.params.id}`;
      return answer(reply, await onOne(() => own.ask<OwnPicture>(request, 'PATCH', path, { members })));
    },
  });

  api.delete(
    `/media/${ID}`,
    {
      schema: { ...SHIM_DOCUMENTATION.removePicture, params: byId, querystring: shimMediaTables.remove },
      config: ofOne,
    },
    async (request, reply) => {
      if (!mayUpload(request.caller)) throw forbidden(request.caller);
      if (request.query.force !== true) throw new ApiError('rest_trash_not_supported');
      const before = await present(request);
      const removed = await onOne(() => own.ask(request, 'DELETE', `/media/${request.params.id}`));
      return carryHeaders(reply, removed).send({ deleted: true, previous: mediaObject(before.body, request) });
    },
  );

  await api.register(uploading, { own, maxUpload });
};

/** A scope of its own: its bodies are read once it is known who the caller is. */
const uploading: Routes<MediaShimOptions> = async (api, { own, maxUpload }) => {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', (_request, _body, done) => done(null));
  const unknownIn = compileUnknown(shimMediaTables.create, 'write');

  api.post(
    '/media',
    {
      schema: { ...SHIM_DOCUMENTATION.upload, body: shimMediaTables.create },
      config: { allow: (caller: Caller): readonly Method[] => (mayUpload(caller) ? ['GET', 'POST'] : []) },
      preHandler: async ({ caller }) => {
        if (!mayUpload(caller)) throw forbidden(caller);
      },
    },
    async (request, reply) => {
      const { fields, file } = await uploadIn(request, maxUpload);
      const parameters = Object.assign(emptyMap(), request.queryString, fields);
      const unknown = unknownIn(parameters);
      if (unknown.length > 0) request.unknownParameters = unknown;
      const form = new FormData();
      if (file) form.append('file', file, file.name);
      form.append('title', String(raw(parameters.title) ?? titleOf(file)));
      form.append('alt', String(parameters.alt_text ?? ''));
      return answer(reply, await own.ask<OwnPicture>(request, 'POST', '/media', { form }));
    },
  );
};

const onOne = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  translating({ rest_picture_not_found: 'rest_post_invalid_id' }, work);

/** A text may be sent as such, or as `{ "raw": … }`. */
const raw = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value;

const titleOf = (file: File | null): string => (file?.name ?? '').replace(/\.[^.]*$/, '');

async function uploadIn({ raw, headers }: FastifyRequest, maxUpload: number): Promise<Upload> {
  const type = headers['content-type'];
  if (contentTypeIn(type).essence === MULTIPART) return readForm(type, raw, { maxBytes: maxUpload });
  const bytes = await bytesOf(raw, headers['content-length'], maxUpload, () => uploadTooLarge(maxUpload));
  const file = bytes.length === 0 ? null : new File([bytes], nameIn(headers['content-disposition']));
  return { fields: emptyMap(), file };
}

/** The name of a file in `Content-Disposition`; its own encoding counts more. */
function nameIn(disposition = ''): string {
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decodePercent(encoded.trim());
  const [, quoted, bare = ''] = /filename\s*=\s*(?:"([^"]*)"|([^;]*))/i.exec(disposition) ?? [];
  return (quoted ?? bare).trim();
}

function answer(reply: FastifyReply, response: OwnAnswer<OwnPicture>): FastifyReply {
  const { request } = reply;
  if (response.status === 201) reply.header('location', `${request.links.root}/media/${response.body.id}`);
  return carryHeaders(reply.code(response.status), response).send(mediaObject(response.body, request));
}

function mediaObject(picture: OwnPicture, { links, siteZone, context }: FastifyRequest) {
  const { id, url, title, alt, author, mime_type, width, height, filesize } = picture;
  const text = (value: string) => ({ ...(context === 'edit' && { raw: value }), rendered: textAsHtml(value) });
  const local = (instant: string): string => {
    const seconds = Math.floor(Date.parse(instant) / 1000);
    return formatCivil(seconds + siteZone.offsetAt(seconds)).replace(' ', 'T');
  };
  const utc = (instant: string): string => instant.slice(0, 19);
  const whole = { url, width, height, 'mime-type': mime_type, filesize };
  const sizes = Object.entries({ ...picture.sizes, full: whole }).map(([name, size]) => [name, sizeObject(size)]);
  return {
    id,
    date: local(picture.date),
    date_gmt: utc(picture.date),
    guid: text(url),
    modified: local(picture.modified),
    modified_gmt: utc(picture.modified),
    slug: slugOf(url),
    status: 'inherit',
    type: 'attachment',
    link: url,
    title: text(title),
    author: author.id,
    featured_media: 0,
    comment_status: 'closed',
    ping_status: 'closed',
    template: '',
    meta: [],
    description: text(''),
    caption: text(''),
    alt_text: alt,
    media_type: 'image',
    mime_type,
    media_details: { width, height, file: fileIn(url), filesize, sizes: Object.fromEntries(sizes), image_meta: {} },
    post: null,
    source_url: url,
    _links: { self: [{ href: `${links.root}/media/${id}` }], collection: [{ href: `${links.root}/media` }] },
  };
}

const fileIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const slugOf = (url: string): string => fileIn(url).replace(/\.\w+$/, '');

const sizeObject = ({ url, width, height, filesize, ...size }: OwnSize) => ({
  file: fileIn(url),
  width,
  height,
  filesize,
  mime_type: size['mime-type'],
  source_url: url,
});
