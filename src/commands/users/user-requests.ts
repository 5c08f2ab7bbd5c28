// Requests about users that clients may repeat without fear: the same key of the same caller has its effect once. The
// secret of the first answer is not kept anywhere, so a repeated one cannot tell it again.
import type { Caller } from '../../auth/caller.ts';
import { evolveUser } from '../../domain/user.ts';
import { type Answered, earlierAnswer, keyStream } from '../idempotency.ts';
import { streamOfUser } from '../reservations/user-names.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { UserWritten } from './user-changes.ts';
import { refused, type UserRefused } from './user-refusals.ts';

/** A key that a client has chosen; each caller has keys of its own. */
export interface RequestKey {
  readonly caller: Caller;
  readonly key: string;
}

/** What a request was for. */
export type Made = 'user' | 'credential';

interface Remembered extends Answered {
  /** Number of the credential that was issued with it. */
  readonly credential: number;
  readonly made: Made;
}

export interface Earlier extends Omit<UserWritten, 'kind'> {
  readonly kind: 'repeated';
  readonly credentialId: number;
}

/** What the key led to before, as it stands now; null when it was not used, or what it made is gone. */
export async function earlierRequest(
  unit: UnitOfWork,
  key: RequestKey | null,
  wanted: Made,
): Promise<Earlier | UserRefused | null> {
  const answer = key && (await earlierAnswer(unit.store, key.caller, key.key));
  if (!answer) return null;
  // What this file has written says what was made; anything else is of another sort.
  const { id, stream, credential, made } = answer as Partial<Remembered> & Answered;
  if (made !== wanted || credential === undefined) return refused('key_used', '');
  const { state: user, revision, position } = await unit.load(stream, evolveUser);
  return user && { kind: 'repeated', user: { ...user, id }, revision, position, credentialId: credential };
}

/** Plans to remember what a key leads to. It stands first: a key without its thing counts as not used. */
export async function rememberRequest(
  unit: UnitOfWork,
  key: RequestKey | null,
  { id, credential, made }: Omit<Remembered, 'stream'>,
): Promise<void> {
  if (key === null) return;
  const data: Remembered = { stream: streamOfUser(id), id, credential, made };
  await unit.record(keyStream(key.caller, key.key), [{ type: 'RequestAnswered', data }], 'first');
}
