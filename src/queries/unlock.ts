// Which password-protected resources a reader may see in full.

import type { Json } from '../log/envelope.ts';
import { may, rightsSubjectOf } from '../people/auth/policy.ts';
import type { EventDocument, LinkedPostDocument } from '../read-model/documents.ts';
import type { Unlocked } from './assemble.ts';
import type { EmbeddedSource, QueryDependencies, Reader } from './reader.ts';

type Protectable = EventDocument | LinkedPostDocument;

const NONE: Unlocked = new Set();

/** Passwords that are verified for one request; each takes some 50 ms of a core. The rest stays masked. */
const MAX_VERIFIED = 50;

/** The dependencies of that decision. */
export interface UnlockDependencies extends Pick<QueryDependencies, 'verifyPassword' | 'recallVerdict'> {
  readonly readModel: Pick<EmbeddedSource, 'fetch'>;
}

/**
 * The documents among these whose password the reader sends. Costs nothing without a password. Rejects with what
 * `reader.guess` throws if this reader has tried too many.
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
  // Lists come without state, which has the hash.
  const whole = await dependencies.readModel.fetch(locked.map(({ kind, id }) => ({ kind, id })));
  const unlocked = new Set<Protectable>();
  let verified = 0;
  for (const [index, document] of locked.entries()) {
    const hash = passwordHashIn(whole[index]?.state ?? null);
    if (hash === null) continue;
    const verdict = dependencies.recallVerdict?.(password, hash);
    if (verdict === undefined) verified += 1;
    if (
      verdict ??
      (verified <= MAX_VERIFIED && (await isOpenedBy(dependencies, document, hash, { ...reader, password })))
    )
      unlocked.add(document);
  }
  return unlocked;
}

/** A wrong password counts against the reader; a right one, or one that could not be verified, does not. */
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

/** A reader who may edit a resource sees all of it after writing it, and when requesting it for editing. */
export const unlockedForEditor = (document: Protectable, { caller }: Reader): Unlocked =>
  may(caller, 'update', document.kind, rightsSubjectOf(document)) ? new Set([document]) : NONE;
