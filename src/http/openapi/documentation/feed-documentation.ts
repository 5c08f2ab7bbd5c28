// The documentation of the feeds.
import Type from 'typebox';
import { bodyOf, type Described, type Documentation, documented } from './documentation.ts';
import { notModified, SHOWN } from './reads.ts';
import { FOR_ALL, onPosts, type Right } from './rights.ts';
import type { AnswerHeader } from './shared.ts';

interface Feed extends Omit<Described, 'group' | 'right' | 'example'> {
  readonly mediaType: string;
  readonly right?: Right;
  readonly headers?: readonly AnswerHeader[];
}

function feed({ mediaType, right = FOR_ALL, headers = [], takes = [], ...rest }: Feed): Documentation {
  const carries: readonly AnswerHeader[] = ['ETag', ...headers];
  return documented(
    { ...rest, group: 'Events', right, takes: [...takes, 'AtLeast', 'IfNoneMatch'] },
    {
      200: { description: 'answer.read', ...bodyOf(Type.String(), mediaType), carries },
      304: notModified(carries),
    },
  );
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
