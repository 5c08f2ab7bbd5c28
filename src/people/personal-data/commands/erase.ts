// Erases the personal data of an organizer or a user: records the fact, then destroys the key without which earlier
// data cannot be read.

import {
  eraseOrganizer,
  evolveOrganizer,
  type Organizer,
  slugAfterErasure,
} from '../../../calendar/linked-post/domain/organizer.ts';
import { needsOwnSlug } from '../../../calendar/resource/domain/post.ts';
import { ownersOf, releaseName, reserveSlug, streamOf } from '../../../commands/reservations/reservations.ts';
import { releaseSlug } from '../../../commands/reservations/slugs.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../commands/unit-of-work.ts';
import { evolveGuestLink } from '../../../editorial/guest-links/domain/guest-link.ts';
import { type EventMetadata, fold, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { appendRepeatedly } from '../../../log/writing.ts';
import { eraseUser, evolveUser, namesOf } from '../../users/domain/user.ts';
import { ERASING } from '../facts/personal-fields.ts';
import type { SubjectKeys } from '../facts/subject-keys.ts';

export const ERASABLE = ['organizer', 'user', 'submission', 'guest'] as const;
export type ErasableKind = (typeof ERASABLE)[number];

export interface ErasureDependencies {
  readonly store: EventStore;
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  readonly newEventId: () => string;
}

export type ErasureOutcome =
  | { readonly kind: 'erased' }
  /** Both fact and key existed: an earlier erasure was interrupted. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'erased before' }
  | { readonly kind: 'unknown' }
  /** Too many concurrent changes; retry. */
  | { readonly kind: 'busy' };

const MAX_ATTEMPTS = 12;

/**
 * The fact comes first: from then on no personal data is shown, and nothing is written that would need the key. If the
 * process dies in between, another run completes it. Names are released before the fact, unlike elsewhere, because they
 * are unknown afterwards. Rejections: those of the event store.
 */
export async function erase(
  { store, keys, newEventId }: ErasureDependencies,
  metadata: EventMetadata,
  kind: ErasableKind,
  id: number,
): Promise<ErasureOutcome> {
  const subject = streamOf(kind, id);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const unit = beginUnitOfWork(store, metadata, newEventId);
    const events = await unit.store.readStream(subject);
    if (events.length === 0) return { kind: 'unknown' };
    if (events.some(({ type }) => ERASING.has(type))) {
      const isNew = await keys.destroy(subject);
      return { kind: isNew ? 'completed' : 'erased before' };
    }
    await PLANS[kind](unit, subject, events);
    const outcome = await appendRepeatedly(unit.commit);
    if (outcome.kind === 'conflict') continue;
    await keys.destroy(subject);
    return { kind: 'erased' };
  }
  return { kind: 'busy' };
}

const PLANS: {
  readonly [Kind in ErasableKind]: (
    unit: UnitOfWork,
    stream: string,
    events: readonly RecordedEvent[],
  ) => Promise<void>;
} = {
  organizer: planOrganizer,
  user: planUser,
  submission: (unit, stream) => unit.record(stream, [{ type: 'SubmissionErased', data: {} }]),
  guest: async (unit, stream) => {
    const { state } = await unit.load(stream, evolveGuestLink);
    if (state) await unit.record(stream, [{ type: 'GuestErased', data: { target: state.target } }]);
  },
};

async function planOrganizer(unit: UnitOfWork, stream: string, events: readonly RecordedEvent[]): Promise<void> {
  const organizer = fold(events, evolveOrganizer);
  if (!organizer) throw new Error(`${stream} has events and no state`);
  await releaseNamesOf(unit, organizer);
  const preferred = slugAfterErasure(organizer);
  const { id, status } = organizer;
  const slug = needsOwnSlug(status)
    ? await reserveSlug(unit, { kind: 'organizer', id, preferred, origin: 'derived' })
    : preferred;
  await record(unit, stream, eraseOrganizer(organizer, slug));
}

async function releaseNamesOf(unit: UnitOfWork, { id, name, slug, before }: Organizer): Promise<void> {
  const { store, metadata, newEventId } = unit;
  const owner = streamOf('organizer', id);
  unit.add(releaseName(await ownersOf(store, 'organizer', name), { owner, metadata, newEventId }));
  for (const held of new Set([slug, before?.slug ?? slug])) await release(unit, 'organizer', held, owner);
}

async function planUser(unit: UnitOfWork, stream: string, events: readonly RecordedEvent[]): Promise<void> {
  const user = fold(events, evolveUser);
  // The names of a removed user were released then. The identity at a single sign-on stays reserved: an erased user
  // must not sign in again, and a digest reveals nothing.
  for (const name of user ? namesOf(user) : []) await release(unit, 'user', name, stream);
  await record(unit, stream, eraseUser(user));
}

async function release(unit: UnitOfWork, kind: string, slug: string, owner: string): Promise<void> {
  if (slug === '') return;
  const { store, metadata, newEventId } = unit;
  unit.add(await releaseSlug(store, { kind, slug, owner, metadata, newEventId, leaving: 'free at once' }));
}

async function record(
  unit: UnitOfWork,
  stream: string,
  decision: ReturnType<typeof eraseOrganizer> | ReturnType<typeof eraseUser>,
): Promise<void> {
  if (decision.kind === 'rejected') throw new Error(`${stream} cannot be erased: ${decision.rejection.code}`);
  await unit.record(stream, decision.facts);
}
