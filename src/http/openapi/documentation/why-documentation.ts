// The documentation of the question why an event is in a list.
import { whyAnswer } from '../../schemas/why.ts';
import type { Documentation } from './documentation.ts';
import { reading } from './reads.ts';
import { onPosts } from './rights.ts';

export const WHY_DOCUMENTATION: Documentation = reading({
  group: 'Events',
  summary: 'event.why',
  description: 'event.why_description',
  right: onPosts('read', 'event'),
  answer: whyAnswer,
  errors: [
    'rest-event-not-found',
    'rest-invalid-event-id',
    'event-no-longer-available',
    'event-not-accessible',
    'event-password-protected',
    'rest_not_there_then',
  ],
});
