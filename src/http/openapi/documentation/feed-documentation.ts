// The documentation of the feeds.

import Type from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import type { Documentation, Right } from './documentation.ts';
import { FOR_ALL } from './documentation.ts';
import { SHOWN } from './reads.ts';
import { onPosts } from './rights.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

interface Feed {
  readonly summary: DescriptionKey;
  readonly description: DescriptionKey;
  readonly mediaType: string;
  readonly right?: Right;
  readonly headers?: readonly AnswerHeader[];
  readonly errors?: readonly ErrorCode[];
  readonly takes?: readonly SharedParameter[];
}

function feed({ summary, description, mediaType, right = FOR_ALL, headers = [], errors = [], takes = [] }: Feed) {
  const documentation: Documentation = {
    group: 'Events',
    summary,
    description,
    right,
    answers: [
      {
        status: 200,
        description: 'answer.read',
        bodies: { [mediaType]: Type.String() },
        headers: ['ETag', ...headers],
      },
      {
        status: 304,
        description: 'answer.not_modified',
        bodies: {},
        headers: ['ETag', ...headers],
      },
    ],
    errors,
    takes: [...takes, 'AtLeast', 'IfNoneMatch'],
  };
  return documentation;
}

const read = onPosts('read', 'event');

export const FEED_DOCUMENTATION = {
  calendar: feed({
    summary: 'calendar_feed.summary',
    description: 'calendar_feed.description',
    mediaType: 'text/calendar',
    right: read,
    headers: ['Total', 'TotalTwin', ...SHOWN],
    takes: ['Password'],
  }),
  event: feed({
    summary: 'event_feed.summary',
    description: 'event_feed.description',
    mediaType: 'text/calendar',
    right: read,
    errors: [
      'event-not-accessible',
      'event-no-longer-available',
      'event-password-protected',
      'rest-event-not-found',
      'rest-invalid-event-id',
    ],
    takes: ['EditContext'],
  }),
  rss: feed({
    summary: 'rss_feed.summary',
    description: 'newest_feed.description',
    mediaType: 'application/rss+xml',
    headers: SHOWN,
  }),
  atom: feed({
    summary: 'atom_feed.summary',
    description: 'newest_feed.description',
    mediaType: 'application/atom+xml',
    headers: SHOWN,
  }),
} as const;
