// Uploaded pictures on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import { type ListSettings, search } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging, text } from '../../../http/schemas/primitives.ts';

const texts = optional({
  title: text('picture.title', 'stringOrEmpty'),
  alt: text('picture.alt', 'stringOrEmpty'),
});

/** Beside the file, as fields of the same form. */
export const pictureCreate = Type.Object({ ...texts });

const id = anyId('picture');
export const pictureRead = Type.Object({ id });
export const pictureUpdate = Type.Object({ id, ...texts });

export const pictureList = ({ perPage }: ListSettings) =>
  Type.Object({
    ...paging(perPage),
    ...optional({ author: integer('picture.author', 'positiveInt'), search: search('picture.search') }),
  });

export const picture = shown.object('shown_picture', {
  id: shown.integer('picture.id'),
  url: shown.address('shown_picture.url'),
  rest_url: shown.address('shown.url'),
  title: shown.text('picture.title'),
  alt: shown.text('picture.alt'),
  author: shown.component('Actor', 'shown_picture.author'),
  date: shown.instant('shown_picture.date'),
  modified: shown.instant('shown_picture.modified'),
  mime_type: shown.text('image_size.mime_type'),
  width: shown.integer('image.width'),
  height: shown.integer('image.height'),
  filesize: shown.integer('image.filesize'),
  sizes: shown.mapOf(shown.component('ImageSize', 'image.size'), 'image.sizes'),
  used: shown.integer('shown_picture.used'),
});
