// Keeps one administrator: whoever would be the last one to go is held back, also when several go at once.
import { evolveUser, isUsableAdministrator, type UserAccount } from '../../domain/user.ts';
import type { RecordedEvent, Revision } from '../../event-store/envelope.ts';
import { streamOfUser } from '../reservations/user-names.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { refused, type UserRefused } from './user-refusals.ts';

/** Every departure of an administrator stands in this stream, so of two at once one is decided again. */
const REGISTER = 'administrators';
/** Looked at: older departures have long been written into the stream of the user, or never will be. */
const RECENT = 50;
/** A departure whose user was not written within so many milliseconds did not happen. */
const ABANDONED_AFTER = 60_000;

/** Ids of users who may be administrators; who of them is one, the log says. */
export type Candidates = () => Promise<readonly number[]>;

interface Departure {
  readonly user: number;
  /** Of the user's stream, before the departure. */
  readonly revision: Revision;
}

/**
 * Plans the departure of somebody who can administer the calendar and will not any more. With `candidates` it is refused
 * where nobody else would be left. The plan stands first in the unit: where a batch is no transaction, a departure that
 * was planned counts until it is clear that it did not come true.
 */
export async function planDeparture(
  unit: UnitOfWork,
  { user, revision }: { readonly user: UserAccount; readonly revision: Revision },
  candidates: Candidates | undefined,
): Promise<UserRefused | null> {
  const departures = await unit.store.readStream(REGISTER, { direction: 'backwards', limit: RECENT });
  const isDeparting = underWay(unit, departures);
  if (candidates && !(await isAnybodyLeft(unit, user.id, candidates, isDeparting)))
    return refused('last_administrator', user.login);
  const departure: Departure = { user: user.id, revision };
  await unit.record(REGISTER, [{ type: 'AdministratorDeparted', data: departure }], 'first');
  return null;
}

async function isAnybodyLeft(
  unit: UnitOfWork,
  leaving: number,
  candidates: Candidates,
  isDeparting: (departure: Departure) => boolean,
): Promise<boolean> {
  for (const id of await candidates()) {
    if (id === leaving) continue;
    const { state, revision } = await unit.load(streamOfUser(id), evolveUser);
    if (isUsableAdministrator(state) && !isDeparting({ user: id, revision })) return true;
  }
  return false;
}

/** Whether a user is about to go: planned a moment ago, while the user's own stream does not tell yet. */
function underWay({ metadata }: UnitOfWork, departures: readonly RecordedEvent[]): (departure: Departure) => boolean {
  const now = Date.parse(metadata.instant);
  const fresh = departures.filter((event) => now - Date.parse(event.metadata.instant) <= ABANDONED_AFTER);
  // Only this file writes to this stream.
  const planned = fresh.map(({ data }) => data as unknown as Departure);
  return ({ user, revision }) => planned.some((one) => one.user === user && one.revision === revision);
}
