// The documentation of histories, reverts and the feed of changes.

import Type from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
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
  readonly history: DescriptionKey;
  readonly revert: DescriptionKey;
}

const WORDS: { readonly [Kind in ThingKind]: Wording } = {
  event: {
    group: 'Events',
    component: 'Event',
    history: 'event.history',
    revert: 'event.revert',
  },
  venue: {
    group: 'Venues',
    component: 'Venue',
    history: 'venue.history',
    revert: 'venue.revert',
  },
  organizer: {
    group: 'Organizers',
    component: 'Organizer',
    history: 'organizer.history',
    revert: 'organizer.revert',
  },
  category: {
    group: 'Categories',
    component: 'Term',
    history: 'category.history',
    revert: 'category.revert',
  },
  tag: {
    group: 'Tags',
    component: 'Term',
    history: 'tag.history',
    revert: 'tag.revert',
  },
};

const UNKNOWN_EVENT: readonly ErrorCode[] = ['rest-event-not-found', 'rest-invalid-event-id'];
const unknownErrors = (kind: ThingKind): readonly ErrorCode[] => (kind === 'event' ? UNKNOWN_EVENT : []);

export const historyDocumentation = (kind: ThingKind): Documentation =>
  listing({
    group: WORDS[kind].group,
    summary: WORDS[kind].history,
    right: toReadHistory(kind),
    answer: page('history', 'history.answer', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_history_page_not_found', ...unknownErrors(kind)],
  });

export const revertDocumentation = (kind: ThingKind): Documentation =>
  changing({
    group: WORDS[kind].group,
    example: REVERT_EXAMPLE,
    summary: WORDS[kind].revert,
    description: 'revert.description',
    right: toRevert(kind),
    answer: Type.Ref(WORDS[kind].component),
    errors: ['rest_revision_not_found', 'rest_revert_conflict', ...unknownErrors(kind)],
  });

export const CHANGES_DOCUMENTATION: Documentation = {
  group: 'Changes',
  summary: 'changes.summary',
  description: 'changes.description',
  right: toFollow,
  answers: [
    {
      status: 200,
      description: 'changes.answer',
      bodies: {
        [JSON_TYPE]: changesPage,
        'text/event-stream': Type.String({
          description: 'changes.stream',
        }),
      },
      headers: [],
    },
  ],
  errors: ['rest_forbidden'],
  takes: ['LastEventId'],
};
