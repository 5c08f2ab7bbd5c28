// The documentation of the feeds.
import Type from 'typebox';
import type { ErrorCode } from '../../../locales/error-catalogue.ts';
import type { Documentation, Right } from './documentation.ts';
import { FOR_ALL } from './documentation.ts';
import { SHOWN } from './reads.ts';
import { onPosts } from './rights.ts';
import type { AnswerHeader, SharedParameter } from './shared.ts';

interface Feed {
  readonly summary: string;
  readonly description: string;
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
        description: 'What was asked for.',
        bodies: { [mediaType]: Type.String() },
        headers: ['ETag', ...headers],
      },
      {
        status: 304,
        description: 'The client has this answer already.',
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
    summary: 'Events as an iCalendar, to subscribe to',
    description: 'Those that the list finds by the same filters, on one page: the first 10,000 in its order.',
    mediaType: 'text/calendar',
    right: read,
    headers: ['Total', 'TotalTwin', ...SHOWN],
    takes: ['Password'],
  }),
  event: feed({
    summary: 'An event as an iCalendar',
    description: 'One event, for whoever may read it.',
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
    summary: 'The newest events as RSS',
    description: 'The 50 events that were published last, the newest first.',
    mediaType: 'application/rss+xml',
    headers: SHOWN,
  }),
  atom: feed({
    summary: 'The newest events as Atom',
    description: 'The 50 events that were published last, the newest first.',
    mediaType: 'application/atom+xml',
    headers: SHOWN,
  }),
} as const;
