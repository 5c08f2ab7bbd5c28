// What events, venues and organizers have in common.

import Type, { type TSchema } from 'typebox';
import { POST_STATUSES } from '../../../domain/post-status.ts';
import { dateTime, eitherOf, listOf, oneOf, text } from './members.ts';

export const authorshipMembers = {
  author: text('Id of the user who is the author.'),
  status: oneOf('Status. Only what has the status publish is public.', POST_STATUSES),
  date: dateTime('Publication, on the clock of the site.'),
  date_utc: dateTime('Publication in UTC; zeros while no date is fixed.'),
  modified: dateTime('Last change, on the clock of the site.'),
  modified_utc: dateTime('Last change in UTC; zeros while no date is fixed and nothing was changed.'),
};

export const globalIdMembers = {
  global_id: text('Id that no other site uses: host and path of the site, and the id.'),
  global_id_lineage: listOf(text('A global id.'), 'All global ids, beginning with the present one.'),
};

/** `image` of what may be under a password. */
export const shownOrHidden = (description: string, image: TSchema): TSchema =>
  eitherOf(description, [image, Type.Literal(false)]);
