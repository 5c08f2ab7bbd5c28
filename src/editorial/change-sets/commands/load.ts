// Sets and their agenda, folded from the log.
import { setImmediate as endOfRound } from 'node:timers/promises';
import { numbered } from '../../../commands/numbered.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
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

/** One event for each set that was opened. */
export const IDS = 'ids-set';

export async function loadAgenda(store: StreamReader): Promise<Agenda> {
  return fold<Agenda, AgendaFact>(await store.readStream(AGENDA), evolveAgenda) ?? NO_AGENDA;
}

export const CHANGE_SETS = { kind: 'set', evolve: evolveChangeSet, missing: 'set_not_found' } as const;

const sets = numbered<ChangeSet, ChangeSetFact>(CHANGE_SETS);
export const loadChangeSet = sets.load;

/** All sets, newest first; those that are pending unless other states are asked for. */
export async function loadChangeSets(
  store: StreamReader,
  states: readonly ChangeSet['state'][] = ['open', 'scheduled', 'failed'],
): Promise<ChangeSet[]> {
  const all = (await sets.all(store)).map(({ state }) => state);
  return all.filter(({ state }) => states.includes(state)).reverse();
}

/** How many proposals are read before other requests have their turn. */
const PORTION = 50;

/** The proposals of a set, in their order. */
export async function loadMembers(
  store: StreamReader,
  { proposals }: Pick<ChangeSet, 'proposals'>,
): Promise<SetMember[]> {
  const members: SetMember[] = [];
  for (const [index, id] of proposals.entries()) {
    if (index % PORTION === PORTION - 1) await endOfRound();
    const member = fold(await store.readStream(streamOf('proposal', id)), evolveSetMember);
    if (member) members.push(member);
  }
  return members;
}
