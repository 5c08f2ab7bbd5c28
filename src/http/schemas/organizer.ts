// The parameters of the organizer routes.

import { filledText, postId, postSlug } from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { oldState } from './as-of.ts';
import { linkedPostList } from './lists.ts';
import {
  anyId,
  authorship,
  contactField,
  description,
  existingId,
  optionalImage,
  required,
  text,
  website,
} from './primitives.ts';

const name: Parameter = text('organizer.organizer', filledText, { default: null });

const fields = {
  ...authorship,
  description: description('organizer'),
  phone: contactField('post.phone'),
  website: website('organizer'),
  email: contactField('organizer.email'),
  image: optionalImage,
} as const;

const id = existingId('organizer', postId('organizer'));
const slug = required(text('organizer.path_slug', postSlug('organizer')));

export const organizerList = linkedPostList('organizer');

export const organizerCreate: ParameterTable = { organizer: required(name), ...fields };

export const organizerUpdate: ParameterTable = { id, organizer: name, ...fields };

/** By slug. A `slug` that is sent beside the one in the path is the new one. */
export const organizerUpdateBySlug: ParameterTable = { slug, organizer: name, ...fields };

/** Whether there is one is for the handler to say: the log may hold what views have not. */
export const organizerRead: ParameterTable = { id: anyId('organizer'), ...oldState };
export const organizerReadBySlug: ParameterTable = { slug, ...oldState };
export const organizerDelete: ParameterTable = { id };
export const organizerDeleteBySlug: ParameterTable = { slug };
