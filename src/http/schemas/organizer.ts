// The parameters of the organizer routes.
import Type from 'typebox';
import { oldState } from './as-of.ts';
import { linkedPostList } from './lists.ts';
import {
  anyId,
  authorship,
  contactField,
  description,
  existingId,
  optional,
  optionalImage,
  text,
  website,
} from './primitives.ts';

const name = text('organizer.organizer', 'filledText', { default: null });

const fields = optional({
  ...authorship,
  description: description('organizer'),
  phone: contactField('post.phone'),
  website: website('organizer'),
  email: contactField('organizer.email'),
  image: optionalImage,
});

const id = existingId('organizer', ['postId', 'organizer']);
const slug = text('organizer.path_slug', ['postSlug', 'organizer']);

export const organizerList = linkedPostList('organizer');

export const organizerCreate = Type.Object({ organizer: name, ...fields });

export const organizerUpdate = Type.Object({ id, ...optional({ organizer: name }), ...fields });

/** By slug. A `slug` that is sent beside the one in the path is the new one. */
export const organizerUpdateBySlug = Type.Object({ slug, ...optional({ organizer: name }), ...fields });

/** Whether there is one is for the handler to say: the log may hold what views have not. */
export const organizerRead = Type.Object({ id: anyId('organizer'), ...oldState });
export const organizerReadBySlug = Type.Object({ slug, ...oldState });
export const organizerDelete = Type.Object({ id });
export const organizerDeleteBySlug = Type.Object({ slug });
