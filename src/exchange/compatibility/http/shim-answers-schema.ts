// What the shims answer: objects in the forms of other software.
import Type, { type TProperties, type TSchema } from 'typebox';
import * as shown from '../../../http/schemas/members.ts';
import { optional } from '../../../http/schemas/primitives.ts';

/** What is there because clients expect it, and is the same in every answer. */
const constant = (value: string): TSchema => shown.oneOf('shim.constant', [value]);
const alwaysNull: TSchema = Type.Unsafe({ enum: [null], description: 'shim.constant' });
const noMembers = shown.object('shown.always_empty', {});

const links = shown.object('shim.links', {
  self: shown.listOf(shown.object('link', { href: shown.address('link.href') }), 'shim.self'),
  collection: shown.listOf(shown.object('link', { href: shown.address('link.href') }), 'shim.collection'),
});

const common: TProperties = { meta: shown.emptyList('shown.always_empty'), _links: links };

export const shimTag = shown.object('shim.tag', {
  id: shown.integer('shown.id'),
  count: shown.integer('shown_term.count'),
  description: shown.text('shown_term.description'),
  link: shown.address('shown.url'),
  name: shown.text('shown_term.name'),
  slug: shown.text('shown.slug'),
  taxonomy: constant('post_tag'),
  ...common,
});

export const shimUser = shown.object('shim.user', {
  id: shown.integer('user.id'),
  name: shown.text('shown_user.name'),
  url: constant(''),
  description: constant(''),
  link: shown.address('shim.site'),
  slug: shown.text('shown.slug'),
  avatar_urls: noMembers,
  ...common,
  ...optional({
    username: shown.text('shown_user.login'),
    first_name: constant(''),
    last_name: constant(''),
    nickname: shown.text('shown_user.name'),
    email: shown.text('shown_user.email'),
    locale: shown.text('shim.locale'),
    roles: shown.listOf(shown.text('shown_user.role'), 'shim.roles'),
    capabilities: shown.mapOf(shown.flag('shim.always_true'), 'shim.capabilities'),
    extra_capabilities: shown.mapOf(shown.flag('shim.always_true'), 'shim.roles'),
  }),
});

const rendered = (description: Parameters<typeof shown.object>[0]): TSchema =>
  shown.object(description, { ...optional({ raw: shown.text('shim.raw') }), rendered: shown.text('shim.rendered') });

/** `2026-11-20T13:00:00`, without an offset. */
const local = (description: Parameters<typeof shown.text>[0]): TSchema =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' });

const size = shown.object('image.size', {
  file: shown.text('shim.file'),
  width: shown.integer('image.width'),
  height: shown.integer('image.height'),
  filesize: shown.integer('image.filesize'),
  mime_type: shown.text('image_size.mime_type'),
  source_url: shown.address('image_size.url'),
});

export const shimPicture = shown.object('shim.picture', {
  id: shown.integer('picture.id'),
  date: local('shown_picture.date'),
  date_gmt: local('shown_picture.date'),
  guid: rendered('shown_picture.url'),
  modified: local('shown_picture.modified'),
  modified_gmt: local('shown_picture.modified'),
  slug: shown.text('shown.slug'),
  status: constant('inherit'),
  type: constant('attachment'),
  link: shown.address('shown_picture.url'),
  title: rendered('picture.title'),
  author: shown.integer('shown.author'),
  featured_media: Type.Integer({ enum: [0], description: 'shim.constant' }),
  comment_status: constant('closed'),
  ping_status: constant('closed'),
  template: constant(''),
  ...common,
  description: rendered('shown.always_empty'),
  caption: rendered('shown.always_empty'),
  alt_text: shown.text('picture.alt'),
  media_type: constant('image'),
  mime_type: shown.text('image_size.mime_type'),
  media_details: shown.object('shim.media_details', {
    width: shown.integer('image.width'),
    height: shown.integer('image.height'),
    file: shown.text('shim.file'),
    filesize: shown.integer('image.filesize'),
    sizes: shown.mapOf(size, 'image.sizes'),
    image_meta: noMembers,
  }),
  post: alwaysNull,
  source_url: shown.address('shown_picture.url'),
});

const deletion = (previous: string): TSchema =>
  shown.object('answer.deleted', {
    deleted: shown.flag('shim.always_true'),
    previous: shown.component(previous, 'shim.previous'),
  });
export const removedTag = deletion('ShimTag');
export const removedPicture = deletion('ShimPicture');

/** In the document where the service has shims. */
export const SHIM_COMPONENTS: { readonly [name: string]: TSchema } = {
  ShimUser: shimUser,
  ShimTag: shimTag,
  ShimPicture: shimPicture,
};
