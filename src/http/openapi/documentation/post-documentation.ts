// The documentation of the routes of events, venues and organizers.
import Type from 'typebox';
import type { PostKind } from '../../../domain/post.ts';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import { page } from '../../schemas/lists.ts';
import type { Documentation, Group } from './documentation.ts';
import { POST_EXAMPLES } from './examples.ts';
import { listing, OLD_STATE_ERRORS, reading } from './reads.ts';
import { onPosts, toCreate } from './rights.ts';
import type { SharedParameter } from './shared.ts';
import { changing, creating, trashing } from './writes.ts';

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

/** What is specific to each kind. */
interface Specifics {
  readonly group: Group;
  readonly component: string;
  readonly collection: string;
  /** Accepted by single reads. */
  readonly takes: readonly SharedParameter[];
  readonly readErrors: readonly ErrorCode[];
  readonly createErrors: readonly ErrorCode[];
  /** Besides those of a creation. */
  readonly updateErrors: readonly ErrorCode[];
  /** If it is named by its id. */
  readonly idErrors: readonly ErrorCode[];
}

function postDocumentation(kind: PostKind, specifics: Specifics): PostDocumentation {
  const { group, collection, component, idErrors } = specifics;
  const takes: readonly SharedParameter[] = [...specifics.takes, 'AtLeast'];
  const answer = Type.Ref(component);
  const example = POST_EXAMPLES[kind].change;
  const read = {
    ...{ group, answer, right: onPosts('read', kind), takes },
    errors: [...specifics.readErrors, 'rest_past_protected', ...OLD_STATE_ERRORS],
  } as const;
  const update = {
    ...{ group, answer, right: onPosts('update', kind), example },
    errors: [...specifics.createErrors, ...specifics.updateErrors],
  } as const;
  const trash = { group, answer, right: onPosts('delete', kind), errors: [`${kind}-is-in-trash`] } as const;
  return {
    list: listing({
      group,
      right: read.right,
      summary: `${kind}_list.summary`,
      answer: page(collection, `${kind}_list.answer`, answer),
      errors: [`${kind}-archive-page-not-found`, 'rest_not_there_then'],
      takes: ['Password', 'AtLeast'],
    }),
    create: creating({
      group,
      answer,
      right: toCreate(kind),
      example: POST_EXAMPLES[kind].create,
      summary: `${kind}.create`,
      description: `${kind}.create_description`,
      errors: specifics.createErrors,
    }),
    read: reading({ ...read, summary: `${kind}.read`, errors: [...read.errors, ...idErrors] }),
    readBySlug: reading({ ...read, summary: `${kind}.read_by_slug` }),
    update: changing({ ...update, summary: `${kind}.update`, errors: [...update.errors, ...idErrors] }),
    updateBySlug: changing({ ...update, summary: `${kind}.update_by_slug` }),
    trash: trashing({ ...trash, summary: `${kind}.trash`, errors: [...trash.errors, ...idErrors] }),
    trashBySlug: trashing({ ...trash, summary: `${kind}.trash_by_slug` }),
  };
}

export const EVENT_DOCUMENTATION = postDocumentation('event', {
  group: 'Events',
  component: 'Event',
  collection: 'events',
  takes: ['EditContext'],
  readErrors: ['event-not-accessible', 'event-no-longer-available', 'event-password-protected'],
  createErrors: ['could-not-create-venue', 'could-not-create-organizer'],
  updateErrors: ['rest-event-not-found'],
  idErrors: ['rest-event-not-found', 'rest-invalid-event-id'],
});

export const VENUE_DOCUMENTATION = postDocumentation('venue', {
  group: 'Venues',
  component: 'Venue',
  collection: 'venues',
  takes: ['Password'],
  readErrors: ['venue-not-accessible'],
  createErrors: ['could-not-create-venue'],
  updateErrors: [],
  idErrors: [],
});

export const ORGANIZER_DOCUMENTATION = postDocumentation('organizer', {
  group: 'Organizers',
  component: 'Organizer',
  collection: 'organizers',
  takes: ['Password'],
  readErrors: ['organizer-not-accessible'],
  createErrors: ['could-not-create-organizer'],
  updateErrors: ['organizer-is-erased'],
  idErrors: [],
});
