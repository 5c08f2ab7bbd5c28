// The smaller objects inside answers.

import {
  address,
  alike,
  component,
  dateTime,
  integer,
  listOf,
  mapOf,
  object,
  text,
} from '../../../http/schemas/members.ts';
import { optional } from '../../../http/schemas/primitives.ts';
import type { DescriptionKey } from '../../../locales/language.ts';

export const imageSize = object('image_size', {
  width: integer('image.width'),
  height: integer('image.height'),
  'mime-type': text('image_size.mime_type'),
  ...optional({ filesize: integer('image.filesize') }),
  url: address('image_size.url'),
});

export const image = object('image', {
  url: text('image.url'),
  id: integer('image.id'),
  extension: text('image.extension'),
  ...optional({
    width: integer('image.known_width'),
    height: integer('image.known_height'),
    filesize: integer('image.known_filesize'),
    sizes: mapOf(component('ImageSize', 'image.size'), 'image.sizes'),
  }),
});

export const costDetails = object('cost_details', {
  currency_symbol: text('cost_details.currency_symbol'),
  currency_code: text('shown.always_empty'),
  currency_position: text('cost_details.currency_position'),
  values: listOf(text('cost_details.value'), 'cost_details.values'),
});

const part = (description: DescriptionKey, digits: number) => ({
  ...text(description),
  pattern: digits === 4 ? '^[0-9]{4}$' : '^[0-9]{2}$',
});

export const dateDetails = object('date_details', {
  year: part('date_details.year', 4),
  month: part('date_details.month', 2),
  day: part('date_details.day', 2),
  hour: part('date_details.hour', 2),
  minutes: part('date_details.minutes', 2),
  seconds: part('date_details.seconds', 2),
});

/** `name` and `name_details`. */
export const dateMembers = <Name extends string>(name: Name, description: DescriptionKey) =>
  Object.assign(alike([name], dateTime(description)), {
    ...alike([`${name}_details` as const], component('DateDetails', 'shown.details_of_date')),
  });
