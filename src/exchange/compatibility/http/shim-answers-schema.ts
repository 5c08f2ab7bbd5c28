// What the shims answer: objects in the forms of other software.
import * as member from '../../../http/schemas/members.ts';
import { optional } from '../../../http/schemas/primitives.ts';
import Type, { type TProperties, type TSchema } from '../../../http/schemas/type.ts';

/** What is there because clients expect it, and is the same in every answer. */
const constant = (value: string): TSchema => member.oneOf('shim.constant', [value]);
const alwaysNull: TSchema = Type.Unsafe({ enum: [null], description: 'shim.constant' });
const noMembers = member.object('shown.always_empty', {});

const links = member.object('shim.links', {
  self: member.listOf(member.object('link', { href: member.address('link.href') }), 'shim.self'),
  collection: member.listOf(member.object('link', { href: member.address('link.href') }), 'shim.collection'),
});

const common: TProperties = { meta: member.emptyList('shown.always_empty'), _links: links };

const shimTag = member.object('shim.tag', {
  id: member.integer('shown.id'),
  count: member.integer('shown_term.count'),
  description: member.text('shown_term.description'),
  link: member.address('shown.url'),
  name: member.text('shown_term.name'),
  slug: member.text('shown.slug'),
  taxonomy: constant('post_tag'),
  ...common,
});

const shimUser = member.object('shim.user', {
  id: member.integer('user.id'),
  name: member.text('shown_user.name'),
  url: constant(''),
  description: constant(''),
  link: member.address('shim.site'),
  slug: member.text('shown.slug'),
  avatar_urls: noMembers,
  ...common,
  ...optional({
    username: member.text('shown_user.login'),
    first_name: constant(''),
    last_name: constant(''),
    nickname: member.text('shown_user.name'),
    email: member.text('shown_user.email'),
    locale: member.text('shim.locale'),
    roles: member.listOf(member.text('shown_user.role'), 'shim.roles'),
    capabilities: member.mapOf(member.flag('shim.always_true'), 'shim.capabilities'),
    extra_capabilities: member.mapOf(member.flag('shim.always_true'), 'shim.roles'),
  }),
});

const rendered = (description: Parameters<typeof member.object>[0]): TSchema =>
  member.object(description, { ...optional({ raw: member.text('shim.raw') }), rendered: member.text('shim.rendered') });

/** `2026-11-20T13:00:00`, without an offset. */
const local = (description: Parameters<typeof member.text>[0]): TSchema =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' });

const size = member.object('image.size', {
  file: member.text('shim.file'),
  width: member.integer('image.width'),
  height: member.integer('image.height'),
  filesize: member.integer('image.filesize'),
  mime_type: member.text('image_size.mime_type'),
  source_url: member.address('image_size.url'),
});

const shimPicture = member.object('shim.picture', {
  id: member.integer('picture.id'),
  date: local('shown_picture.date'),
  date_gmt: local('shown_picture.date'),
  guid: rendered('shown_picture.url'),
  modified: local('shown_picture.modified'),
  modified_gmt: local('shown_picture.modified'),
  slug: member.text('shown.slug'),
  status: constant('inherit'),
  type: constant('attachment'),
  link: member.address('shown_picture.url'),
  title: rendered('picture.title'),
  author: member.integer('shown.author'),
  featured_media: Type.Integer({ enum: [0], description: 'shim.constant' }),
  comment_status: constant('closed'),
  ping_status: constant('closed'),
  template: constant(''),
  ...common,
  description: rendered('shown.always_empty'),
  caption: rendered('shown.always_empty'),
  alt_text: member.text('picture.alt'),
  media_type: constant('image'),
  mime_type: member.text('image_size.mime_type'),
  media_details: member.object('shim.media_details', {
    width: member.integer('image.width'),
    height: member.integer('image.height'),
    file: member.text('shim.file'),
    filesize: member.integer('image.filesize'),
    sizes: member.mapOf(size, 'image.sizes'),
    image_meta: noMembers,
  }),
  post: alwaysNull,
  source_url: member.address('shown_picture.url'),
});

const deletion = (previous: string): TSchema =>
  member.object('answer.deleted', {
    deleted: member.flag('shim.always_true'),
    previous: member.component(previous, 'shim.previous'),
  });
export const removedTag = deletion('ShimTag');
export const removedPicture = deletion('ShimPicture');

/** In the document where the service has shims. */
export const SHIM_COMPONENTS: { readonly [name: string]: TSchema } = {
  ShimUser: shimUser,
  ShimTag: shimTag,
  ShimPicture: shimPicture,
};
