// The smaller objects inside answers.
import { address, component, dateTime, integer, listOf, mapOf, object, optional, text } from './members.ts';

export const imageSize = object('A smaller rendition of an image.', {
  width: integer('Width in pixels.'),
  height: integer('Height in pixels.'),
  'mime-type': text('Media type, such as image/jpeg.'),
  ...optional({ filesize: integer('Size in bytes.') }),
  url: address('Address of the rendition.'),
});

export const image = object('A picture, by its address.', {
  url: text('Address of the picture.'),
  id: integer('Id, which may be sent as image from now on.'),
  extension: text('Ending of the file name without its dot; empty when there is none.'),
  ...optional({
    width: integer('Width in pixels, when it is known.'),
    height: integer('Height in pixels, when it is known.'),
    filesize: integer('Size in bytes, when it is known.'),
    sizes: mapOf(component('ImageSize', 'One rendition.'), 'Smaller renditions by their names, when there are any.'),
  }),
});

export const costDetails = object('What the cost is made of.', {
  currency_symbol: text('Sign of the currency; empty when none was given.'),
  currency_code: text('Always empty.'),
  currency_position: text('prefix or postfix; empty when no sign was given.'),
  values: listOf(text('A number, or what was said instead of one.'), 'All amounts, lowest first.'),
});

const part = (description: string, digits: number) => ({
  ...text(description),
  pattern: digits === 4 ? '^[0-9]{4}$' : '^[0-9]{2}$',
});

export const dateDetails = object('A date and time, taken apart.', {
  year: part('Year, four digits.', 4),
  month: part('Month, two digits.', 2),
  day: part('Day of the month, two digits.', 2),
  hour: part('Hour from 00 to 23.', 2),
  minutes: part('Minutes, two digits.', 2),
  seconds: part('Seconds, two digits.', 2),
});

/** `name` and `name_details`. */
export const dateMembers = (name: string, description: string) => ({
  [name]: dateTime(description),
  [`${name}_details`]: component('DateDetails', 'The same, taken apart.'),
});
