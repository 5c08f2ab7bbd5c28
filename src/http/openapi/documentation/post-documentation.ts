// The documentation of the routes of events, venues and organizers.

import Type from 'typebox';
import type { PostKind } from '../../../domain/post.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { page } from '../../schemas/answers/lists.ts';
import type { Documentation, Group } from './documentation.ts';
import { POST_EXAMPLES } from './examples.ts';
import { listing, OLD_STATE_ERRORS, reading } from './reads.ts';
import { onPosts, toCreate } from './rights.ts';
import type { SharedParameter } from './shared.ts';
import { changing, creating, MERGE, trashing } from './writes.ts';

/** One for each endpoint of a kind. */
export interface PostDocumentation {
  readonly list: Documentation;
  readonly create: Documentation;
  readonly read: Documentation;
  readonly readBySlug: Documentation;
  readonly update: Documentation;
  readonly updateBySlug: Documentation;
  readonly trash: Documentation;
  readonly trashBySlug: Documentation;
}

/** What sets the kinds apart. Whole sentences each, so that they can be translated. */
interface Wording {
  readonly group: Group;
  readonly component: string;
  readonly collection: string;
  readonly list: DescriptionKey;
  readonly page: DescriptionKey;
  readonly create: DescriptionKey;
  readonly created: DescriptionKey;
  readonly read: DescriptionKey;
  readonly readBySlug: DescriptionKey;
  readonly update: DescriptionKey;
  readonly updateBySlug: DescriptionKey;
  readonly trash: DescriptionKey;
  readonly trashBySlug: DescriptionKey;
}

interface KindErrors {
  readonly pastTheEnd: ErrorCode;
  readonly read: readonly ErrorCode[];
  readonly readById: readonly ErrorCode[];
  readonly create: readonly ErrorCode[];
  readonly update: readonly ErrorCode[];
  readonly updateById: readonly ErrorCode[];
  readonly updateBySlug: readonly ErrorCode[];
  readonly inTrash: ErrorCode;
  readonly trashById: readonly ErrorCode[];
}

function postDocumentation(
  kind: PostKind,
  words: Wording,
  errors: KindErrors,
  read: readonly SharedParameter[],
): PostDocumentation {
  const { group } = words;
  const answer = Type.Ref(words.component);
  const readErrors = [...errors.read, 'rest_past_protected', ...OLD_STATE_ERRORS] as const;
  const right = onPosts('read', kind);
  return {
    list: listing({
      group,
      right,
      summary: words.list,
      answer: page(words.collection, words.page, answer),
      errors: [errors.pastTheEnd, 'rest_not_there_then'],
      takes: ['Password', 'AtLeast'],
    }),
    create: creating({
      group,
      example: POST_EXAMPLES[kind].create,
      summary: words.create,
      description: words.created,
      right: toCreate(kind),
      answer,
      errors: errors.create,
    }),
    read: reading({
      group,
      right,
      summary: words.read,
      answer,
      errors: [...readErrors, ...errors.readById],
      takes: [...read, 'AtLeast'],
    }),
    readBySlug: reading({
      group,
      right,
      summary: words.readBySlug,
      answer,
      errors: readErrors,
      takes: [...read, 'AtLeast'],
    }),
    update: changing({
      group,
      example: POST_EXAMPLES[kind].change,
      summary: words.update,
      description: MERGE,
      right: onPosts('update', kind),
      answer,
      errors: [...errors.update, ...errors.updateById],
    }),
    updateBySlug: changing({
      group,
      example: POST_EXAMPLES[kind].change,
      summary: words.updateBySlug,
      description: MERGE,
      right: onPosts('update', kind),
      answer,
      errors: [...errors.update, ...errors.updateBySlug],
    }),
    trash: trashing({
      group,
      summary: words.trash,
      right: onPosts('delete', kind),
      answer,
      errors: [errors.inTrash, ...errors.trashById],
    }),
    trashBySlug: trashing({
      group,
      summary: words.trashBySlug,
      right: onPosts('delete', kind),
      answer,
      errors: [errors.inTrash],
    }),
  };
}

export const EVENT_DOCUMENTATION = postDocumentation(
  'event',
  {
    group: 'Events',
    component: 'Event',
    collection: 'events',
    list: 'event_list.summary',
    page: 'event_list.answer',
    create: 'event.create',
    created: 'event.create_description',
    read: 'event.read',
    readBySlug: 'event.read_by_slug',
    update: 'event.update',
    updateBySlug: 'event.update_by_slug',
    trash: 'event.trash',
    trashBySlug: 'event.trash_by_slug',
  },
  {
    pastTheEnd: 'event-archive-page-not-found',
    read: ['event-not-accessible', 'event-no-longer-available', 'event-password-protected'],
    readById: ['rest-event-not-found', 'rest-invalid-event-id'],
    create: ['could-not-create-venue', 'could-not-create-organizer'],
    update: ['could-not-create-venue', 'could-not-create-organizer', 'rest-event-not-found'],
    updateById: ['rest-invalid-event-id'],
    updateBySlug: [],
    inTrash: 'event-is-in-trash',
    trashById: ['rest-event-not-found', 'rest-invalid-event-id'],
  },
  ['EditContext'],
);

export const VENUE_DOCUMENTATION = postDocumentation(
  'venue',
  {
    group: 'Venues',
    component: 'Venue',
    collection: 'venues',
    list: 'venue_list.summary',
    page: 'venue_list.answer',
    create: 'venue.create',
    created: 'venue.create_description',
    read: 'venue.read',
    readBySlug: 'venue.read_by_slug',
    update: 'venue.update',
    updateBySlug: 'venue.update_by_slug',
    trash: 'venue.trash',
    trashBySlug: 'venue.trash_by_slug',
  },
  {
    pastTheEnd: 'venue-archive-page-not-found',
    read: ['venue-not-accessible'],
    readById: [],
    create: ['could-not-create-venue'],
    update: ['could-not-create-venue'],
    updateById: [],
    updateBySlug: [],
    inTrash: 'venue-is-in-trash',
    trashById: [],
  },
  ['Password'],
);

export const ORGANIZER_DOCUMENTATION = postDocumentation(
  'organizer',
  {
    group: 'Organizers',
    component: 'Organizer',
    collection: 'organizers',
    list: 'organizer_list.summary',
    page: 'organizer_list.answer',
    create: 'organizer.create',
    created: 'organizer.create_description',
    read: 'organizer.read',
    readBySlug: 'organizer.read_by_slug',
    update: 'organizer.update',
    updateBySlug: 'organizer.update_by_slug',
    trash: 'organizer.trash',
    trashBySlug: 'organizer.trash_by_slug',
  },
  {
    pastTheEnd: 'organizer-archive-page-not-found',
    read: ['organizer-not-accessible'],
    readById: [],
    create: ['could-not-create-organizer'],
    update: ['could-not-create-organizer', 'organizer-is-erased'],
    updateById: [],
    updateBySlug: [],
    inTrash: 'organizer-is-in-trash',
    trashById: [],
  },
  ['Password'],
);
