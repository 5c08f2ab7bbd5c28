// The documentation of histories, reverts and the feed of changes.
import Type from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { ThingKind } from '../../../queries/history/resource.ts';
import { changesPage, page } from '../../schemas/answers/lists.ts';
import { type Documentation, type Group, JSON_TYPE } from './documentation.ts';
import { REVERT_EXAMPLE } from './examples.ts';
import { listing } from './reads.ts';
import { toFollow, toReadHistory, toRevert } from './rights.ts';
import { changing } from './writes.ts';

interface Wording {
  readonly group: Group;
  readonly component: string;
  readonly history: string;
  readonly revert: string;
}

const WORDS: { readonly [Kind in ThingKind]: Wording } = {
  event: {
    group: 'Events',
    component: 'Event',
    history: 'What happened to an event',
    revert: 'Make an event look as it did at a revision',
  },
  venue: {
    group: 'Venues',
    component: 'Venue',
    history: 'What happened to a venue',
    revert: 'Make a venue look as it did at a revision',
  },
  organizer: {
    group: 'Organizers',
    component: 'Organizer',
    history: 'What happened to an organizer',
    revert: 'Make an organizer look as it did at a revision',
  },
  category: {
    group: 'Categories',
    component: 'Term',
    history: 'What happened to a category',
    revert: 'Make a category look as it did at a revision',
  },
  tag: {
    group: 'Tags',
    component: 'Term',
    history: 'What happened to a tag',
    revert: 'Make a tag look as it did at a revision',
  },
};

const UNKNOWN_EVENT: readonly ErrorCode[] = ['rest-event-not-found', 'rest-invalid-event-id'];
const unknownErrors = (kind: ThingKind): readonly ErrorCode[] => (kind === 'event' ? UNKNOWN_EVENT : []);

export const historyDocumentation = (kind: ThingKind): Documentation =>
  listing({
    group: WORDS[kind].group,
    summary: WORDS[kind].history,
    right: toReadHistory(kind),
    answer: page('history', 'Revisions, the newest first.', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_history_page_not_found', ...unknownErrors(kind)],
  });

export const revertDocumentation = (kind: ThingKind): Documentation =>
  changing({
    group: WORDS[kind].group,
    example: REVERT_EXAMPLE,
    summary: WORDS[kind].revert,
    description: 'What it was in between stays in its history.',
    right: toRevert(kind),
    answer: Type.Ref(WORDS[kind].component),
    errors: ['rest_revision_not_found', 'rest_revert_conflict', ...unknownErrors(kind)],
  });

export const CHANGES_DOCUMENTATION: Documentation = {
  group: 'Changes',
  summary: 'What happens, as it happens',
  description:
    'Page by page, waiting for the next change, or as a stream of server-sent events for those who accept text/event-stream. Everybody hears of what they may read the history of.',
  right: toFollow,
  answers: [
    {
      status: 200,
      description: 'Changes, oldest first.',
      bodies: {
        [JSON_TYPE]: changesPage,
        'text/event-stream': Type.String({
          description: 'Events named change; their data is a ChangeEntry, their id its position.',
        }),
      },
      headers: [],
    },
  ],
  errors: ['rest_forbidden'],
  takes: ['LastEventId'],
};
