// Sets and their agenda, folded from the log.
import { setImmediate as endOfRound } from 'node:timers/promises';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { fold, type Position, type Revision } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import {
  type Agenda,
  type AgendaFact,
  type ChangeSet,
  type ChangeSetFact,
  evolveAgenda,
  evolveChangeSet,
  NO_AGENDA,
} from '../domain/change-set.ts';
import { evolveSetMember, type SetMember } from '../domain/set-review.ts';
import { AGENDA } from '../facts/whole-sets.ts';

type Streams = Pick<EventStore, 'readStream'>;

/** One event for each set that was opened. */
export const IDS = 'ids-set';

export async function loadAgenda(store: Streams): Promise<Agenda> {
  return fold<Agenda, AgendaFact>(await store.readStream(AGENDA), evolveAgenda) ?? NO_AGENDA;
}

export interface LoadedSet {
  readonly state: ChangeSet;
  readonly revision: Revision;
  readonly position: Position;
}

export async function loadChangeSet(store: Streams, id: number): Promise<LoadedSet | null> {
  const events = await store.readStream(streamOf('set', id));
  const state = fold<ChangeSet, ChangeSetFact>(events, evolveChangeSet);
  return state && { state, revision: events.at(-1)?.revision ?? 0, position: events.at(-1)?.position ?? '' };
}

/** All sets, newest first; those that are pending unless other states are asked for. */
export async function loadChangeSets(
  store: Streams,
  states: readonly ChangeSet['state'][] = ['open', 'scheduled', 'failed'],
): Promise<ChangeSet[]> {
  const reserved = (await store.readStream(IDS)).length;
  const found: ChangeSet[] = [];
  for (let id = reserved; id >= 1; id--) {
    const set = await loadChangeSet(store, id);
    if (set && states.includes(set.state.state)) found.push(set.state);
  }
  return found;
}

/** How many proposals are read before other requests have their turn. */
const PORTION = 50;

/** The proposals of a set, in their order. */
export async function loadMembers(store: Streams, { proposals }: Pick<ChangeSet, 'proposals'>): Promise<SetMember[]> {
  const members: SetMember[] = [];
  for (const [index, id] of proposals.entries()) {
    if (index % PORTION === PORTION - 1) await endOfRound();
    const member = fold(await store.readStream(streamOf('proposal', id)), evolveSetMember);
    if (member) members.push(member);
  }
  return members;
}
