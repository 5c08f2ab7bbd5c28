// Which password-protected things a reader may see in full.
import { may, standingOf } from '../auth/policy.ts';
import type { Json } from '../event-store/envelope.ts';
import type { EventDocument, LinkedPostDocument } from '../read-model/documents.ts';
import type { Unlocked } from './assemble.ts';
import type { QueryDependencies, Reader } from './reader.ts';

type Protectable = EventDocument | LinkedPostDocument;

const NONE: Unlocked = new Set();

/** The documents among these whose password the reader presents. Costs nothing while no password is presented. */
export async function unlockedBy(
  { readModel, verifyPassword }: QueryDependencies,
  documents: readonly Protectable[],
  { password }: Reader,
): Promise<Unlocked> {
  if (!password) return NONE;
  const locked = documents.filter((document) => document.protected);
  if (locked.length === 0) return NONE;
  // Lists come without state; the hash stands there.
  const whole = await readModel.fetch(locked.map(({ kind, id }) => ({ kind, id })));
  const unlocked = new Set<Protectable>();
  for (const [index, document] of locked.entries()) {
    const hash = passwordHashIn(whole[index]?.state ?? null);
    if (hash !== null && (await verifyPassword(password, hash))) unlocked.add(document);
  }
  return unlocked;
}

function passwordHashIn(state: Json): string | null {
  if (state === null || typeof state !== 'object' || !('passwordHash' in state)) return null;
  return typeof state.passwordHash === 'string' ? state.passwordHash : null;
}

/** Whoever may edit a thing sees all of it after having written it, and when asking to edit. */
export const unlockedForEditor = (document: Protectable, { caller }: Reader): Unlocked =>
  may(caller, 'update', document.kind, standingOf(document)) ? new Set([document]) : NONE;
