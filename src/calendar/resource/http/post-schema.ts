// Shared by events, venues and organizers.

import { dateTime, eitherOf, listOf, oneOf, text } from '../../../http/schemas/members.ts';
import { optional } from '../../../http/schemas/primitives.ts';
import Type, { type TSchema } from '../../../http/schemas/type.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { POST_STATUSES } from '../domain/post.ts';

export const authorshipMembers = {
  author: text('shown.author'),
  status: oneOf('shown.status', POST_STATUSES),
  date: dateTime('shown.date'),
  date_utc: dateTime('shown.date_utc'),
  modified: dateTime('shown.modified'),
  modified_utc: dateTime('shown.modified_utc'),
};

export const globalIdMembers = {
  global_id: text('shown.global_id'),
  global_id_lineage: listOf(text('shown.one_global_id'), 'shown.global_id_lineage'),
};

/** `image` of a resource that may be protected. */
export const shownOrHidden = <Image extends TSchema>(description: DescriptionKey, image: Image) =>
  eitherOf(description, [image, Type.Unsafe<false>({ type: 'boolean', enum: [false] })]);

/** Only of a resource with an event that cannot be folded. */
export const parkedMember = optional({ parked_at: text('shown.parked_at') });
