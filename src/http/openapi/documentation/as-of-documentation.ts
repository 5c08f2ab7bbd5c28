// The documentation of histories, reverts and the feed of changes.
import Type from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { ResourceKind } from '../../../queries/history/resource.ts';
import { changesPage } from '../../schemas/changes.ts';
import { page } from '../../schemas/lists.ts';
import { bodyOf, type Documentation, documented, type Group } from './documentation.ts';
import { REVERT_EXAMPLE } from './examples.ts';
import { listing } from './reads.ts';
import { toFollow, toReadHistory, toRevert } from './rights.ts';
import { changing } from './writes.ts';

interface Specifics {
  readonly group: Group;
  readonly component: string;
  /** For a resource that is not found. */
  readonly errors: readonly ErrorCode[];
}

const SPECIFICS: { readonly [Kind in ResourceKind]: Specifics } = {
  event: { group: 'Events', component: 'Event', errors: ['rest-event-not-found', 'rest-invalid-event-id'] },
  venue: { group: 'Venues', component: 'Venue', errors: [] },
  organizer: { group: 'Organizers', component: 'Organizer', errors: [] },
  category: { group: 'Categories', component: 'Term', errors: [] },
  tag: { group: 'Tags', component: 'Term', errors: [] },
};

export const historyDocumentation = (kind: ResourceKind): Documentation =>
  listing({
    group: SPECIFICS[kind].group,
    summary: `${kind}.history`,
    right: toReadHistory(kind),
    answer: page('history', 'history.answer', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_history_page_not_found', ...SPECIFICS[kind].errors],
  });

export const revertDocumentation = (kind: ResourceKind): Documentation =>
  changing({
    group: SPECIFICS[kind].group,
    example: REVERT_EXAMPLE,
    summary: `${kind}.revert`,
    description: 'revert.description',
    right: toRevert(kind),
    answer: Type.Ref(SPECIFICS[kind].component),
    errors: ['rest_revision_not_found', 'rest_revert_conflict', ...SPECIFICS[kind].errors],
  });

export const CHANGES_DOCUMENTATION: Documentation = documented(
  {
    group: 'Changes',
    summary: 'changes.summary',
    description: 'changes.description',
    right: toFollow,
    errors: ['rest_forbidden'],
    takes: ['LastEventId'],
  },
  {
    200: {
      description: 'changes.answer',
      content: {
        ...bodyOf(changesPage).content,
        ...bodyOf(Type.String({ description: 'changes.stream' }), 'text/event-stream').content,
      },
      carries: [],
    },
  },
);
