// Members shared by several kinds of records of the events API, as command inputs.

import type { EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import type { CostInput } from '../../../../calendar/event/domain/cost.ts';
import type { CostDisplay } from '../../../../calendar/event/domain/currency.ts';
import type { DescribedImage, ImageSize } from '../../../../calendar/resource/domain/image.ts';
import { isPostStatus, type PostInput } from '../../../../calendar/resource/domain/post.ts';
import { present } from '../../../../domain/present.ts';
import { isWebAddress } from '../../../../kernel/text/web-address.ts';
import { resolveZone } from '../../../../kernel/time/zone.ts';
import { typedCost } from '../../editor-text.ts';
import { type ForeignRecord, filledTextIn, idIn, isObject, isWallClock, textIn } from '../../fields.ts';

/** The result for a record, or why it is refused. */
export type Converted<Made> = Made | { readonly invalid: string };

/** Missing contact data is empty. */
export const contact = (record: ForeignRecord, name: string): string => textIn(record, name) ?? '';

export const slugOf = (record: ForeignRecord): { readonly slug?: string } =>
  present({ slug: filledTextIn(record, 'slug') });

const NO_DATE = /^0000-/;

/** The members of every post. `keep`: with the number of its author. */
export function postInput(record: ForeignRecord, authors: 'keep' | 'drop'): Converted<{ readonly input: PostInput }> {
  const status = filledTextIn(record, 'status') ?? 'publish';
  if (!isPostStatus(status)) return { invalid: `the status "${status}" is not known` };
  const written = filledTextIn(record, 'date_utc');
  const dateUtc = NO_DATE.test(written ?? '') ? undefined : written;
  const author = authors === 'keep' ? idIn(record, 'author') : undefined;
  const { image } = record;
  return {
    input: present({
      // Without its date it would be public at once.
      status: status === 'future' && dateUtc === undefined ? 'draft' : status,
      dateUtc,
      author,
      image: image === undefined ? undefined : imageIn(image),
    }),
  };
}

/** An end that cannot be read, such as `open end`, counts as if it were not there. */
export function endIn(record: ForeignRecord): { readonly end?: string; readonly unreadEnd?: string } {
  const written = filledTextIn(record, 'end_date');
  if (written === undefined) return {};
  return isWallClock(written) ? { end: written } : { unreadEnd: written };
}

export function timesOf(record: ForeignRecord): Converted<{ readonly times: NonNullable<EventInput['times']> }> {
  const start = filledTextIn(record, 'start_date');
  if (start === undefined) return { invalid: 'no start_date' };
  if (!isWallClock(start)) return { invalid: `start_date "${start}" is not a date and time` };
  const { end = start } = endIn(record);
  if (end < start) return { invalid: `it ends (${end}) before it starts (${start})` };
  const timezone = filledTextIn(record, 'timezone');
  if (timezone !== undefined && !resolveZone(timezone)) return { invalid: `the time zone "${timezone}" is not known` };
  return { times: present({ start, end, timezone, allDay: record.all_day === true }) };
}

export function costOf(record: ForeignRecord, display: CostDisplay): CostInput | null {
  const details = isObject(record.cost_details) ? record.cost_details : {};
  const values = Array.isArray(details.values) ? details.values.map(String) : [];
  const symbol = contact(details, 'currency_symbol');
  const position = contact(details, 'currency_position');
  return typedCost({ text: contact(record, 'cost'), values, symbol, position }, display);
}

/** A picture in a record, with its stated size and renditions; null for none. */
export function imageIn(image: unknown): DescribedImage | null {
  const url = isObject(image) ? filledTextIn(image, 'url') : undefined;
  if (!isObject(image) || url === undefined) return null;
  const sizes = Object.fromEntries(
    Object.entries(isObject(image.sizes) ? image.sizes : {}).flatMap(([name, size]) => {
      const dimensions = sizeIn(size);
      return dimensions === null ? [] : [[name, dimensions]];
    }),
  );
  return {
    url,
    width: idIn(image, 'width') ?? null,
    height: idIn(image, 'height') ?? null,
    ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
  };
}

function sizeIn(size: unknown): ImageSize | null {
  if (!isObject(size)) return null;
  const url = filledTextIn(size, 'url') ?? filledTextIn(size, 'source_url');
  const [width, height] = [idIn(size, 'width'), idIn(size, 'height')];
  if (url === undefined || !isWebAddress(url) || width === undefined || height === undefined) return null;
  const mimeType =
    filledTextIn(size, 'mime-type') ?? filledTextIn(size, 'mimeType') ?? filledTextIn(size, 'mime_type') ?? '';
  return { url, width, height, mimeType };
}
