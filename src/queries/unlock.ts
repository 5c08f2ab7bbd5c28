// Which password-protected resources a reader may see in full.
import { may, rightsSubjectOf } from '../auth/policy.ts';
import type { Json } from '../event-store/envelope.ts';
import type { EventDocument, LinkedPostDocument } from '../read-model/documents.ts';
import type { Unlocked } from './assemble.ts';
import type { EmbeddedSource, QueryDependencies, Reader } from './reader.ts';

type Protectable = EventDocument | LinkedPostDocument;

const NONE: Unlocked = new Set();

/** Passwords that are verified for one request; each takes some 50 ms of a core. What is left stays masked. */
const MAX_VERIFIED = 50;

/** What it takes to find that out. */
export interface UnlockDependencies extends Pick<QueryDependencies, 'verifyPassword' | 'recallVerdict'> {
  readonly readModel: Pick<EmbeddedSource, 'fetch'>;
}

/**
 * The documents among these whose password the reader presents. Costs nothing while no password is presented. Rejects with
 * what `reader.guess` throws when this reader has tried too many.
 */
export async function unlockedBy(
  dependencies: UnlockDependencies,
  documents: readonly Protectable[],
  reader: Reader,
): Promise<Unlocked> {
  const { password } = reader;
  if (!password) return NONE;
  const locked = documents.filter((document) => document.protected);
  if (locked.length === 0) return NONE;
  // Lists come without state; the hash stands there.
  const whole = await dependencies.readModel.fetch(locked.map(({ kind, id }) => ({ kind, id })));
  const unlocked = new Set<Protectable>();
  let verified = 0;
  for (const [index, document] of locked.entries()) {
    const hash = passwordHashIn(whole[index]?.state ?? null);
    if (hash === null) continue;
    const known = dependencies.recallVerdict?.(password, hash);
    if (known === undefined) verified += 1;
    if (
      known ??
      (verified <= MAX_VERIFIED && (await isOpenedBy(dependencies, document, hash, { ...reader, password })))
    )
      unlocked.add(document);
  }
  return unlocked;
}

/** What is wrong counts against the reader; what is right, or could not be verified, does not. */
async function isOpenedBy(
  { verifyPassword }: UnlockDependencies,
  { kind, id }: Protectable,
  hash: string,
  { password, guess }: Reader & { readonly password: string },
): Promise<boolean> {
  const attempt = guess?.(`${kind} ${id}`);
  const isRight = await verifyPassword(password, hash).catch((error: unknown) => {
    attempt?.forgive();
    throw error;
  });
  if (isRight) attempt?.forgive();
  return isRight;
}

function passwordHashIn(state: Json): string | null {
  if (state === null || typeof state !== 'object' || !('passwordHash' in state)) return null;
  return typeof state.passwordHash === 'string' ? state.passwordHash : null;
}

/** A reader who may edit a resource sees all of it after having written it, and when asking to edit. */
export const unlockedForEditor = (document: Protectable, { caller }: Reader): Unlocked =>
  may(caller, 'update', document.kind, rightsSubjectOf(document)) ? new Set([document]) : NONE;
