// Uploaded pictures on the wire: what their routes take, and what they answer.
import { type ListSettings, search } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

const texts = optional({
  title: text('picture.title', 'stringOrEmpty'),
  alt: text('picture.alt', 'stringOrEmpty'),
  credit: text('picture.credit', 'stringOrEmpty'),
});

const focus = optional({
  focus_x: integer('picture.focus_x', 'percent'),
  focus_y: integer('picture.focus_y', 'percent'),
});

/** Beside the file, as fields of the same form. */
export const pictureCreate = Type.Object({ ...texts });

const id = anyId('picture');
export const pictureRead = Type.Object({ id });
export const pictureUpdate = Type.Object({ id, ...texts, ...focus });

export const pictureList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({ author: integer('picture.author', 'positiveInt'), search: search('picture.search') }),
  });

export const picture = member.object('shown_picture', {
  id: member.integer('picture.id'),
  url: member.address('shown_picture.url'),
  rest_url: member.address('shown.url'),
  title: member.text('picture.title'),
  alt: member.text('picture.alt'),
  credit: member.text('picture.credit'),
  focus_x: member.integer('picture.focus_x'),
  focus_y: member.integer('picture.focus_y'),
  author: member.component('Actor', 'shown_picture.author'),
  date: member.instant('shown_picture.date'),
  modified: member.instant('shown_picture.modified'),
  mime_type: member.text('image_size.mime_type'),
  width: member.integer('image.width'),
  height: member.integer('image.height'),
  filesize: member.integer('image.filesize'),
  sizes: member.mapOf(member.component('ImageSize', 'image.size'), 'image.sizes'),
  used: member.integer('shown_picture.used'),
});
