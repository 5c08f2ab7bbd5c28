// Finds events by id for routes, and says why one cannot be read.

import type { ErrorCode } from '../../locales/error-catalogue.ts';
import type { Unreadable } from '../../queries/get-one.ts';
import type { Finder } from '../../queries/log-fallback.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import { ApiError } from '../errors.ts';

export const UNREADABLE: Record<Unreadable, ErrorCode> = {
  unknown: 'rest-event-not-found',
  'in trash': 'event-no-longer-available',
  'not accessible': 'event-not-accessible',
  'password needed': 'event-password-protected',
};

type Source = Pick<Finder, 'fetch'>;

export async function eventById(source: Source, id: number | undefined): Promise<EventDocument | null> {
  const [document] = await source.fetch([{ kind: 'event', id: id ?? 0 }]);
  return document?.kind === 'event' ? document : null;
}

/**
 * The event of this id; throws if there is none. An id of another kind of resource is a different error from an unused
 * one.
 */
export async function presentEvent(source: Source, id: number | undefined): Promise<EventDocument> {
  const event = await eventById(source, id);
  if (event) return event;
  const keys = (['venue', 'organizer'] as const).map((kind) => ({ kind, id: id ?? 0 }));
  const others = await source.fetch(keys);
  if (others.some((document) => document !== null)) throw new ApiError('rest-invalid-event-id');
  throw new ApiError('rest-event-not-found');
}
