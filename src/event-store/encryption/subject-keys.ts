// The port of the keys: one for each person or organizer whose data lies encrypted in the log. They are kept outside the
// log, so that they can be destroyed. Adapters: sqlite-keys.ts, redis-keys.ts; test/contract/subject-keys.contract.ts
// states what they promise.
import { createHash } from 'node:crypto';
import { EventStoreUnavailable } from '../event-store.ts';

/** Whose data it is, by the stream that tells of it: `organizer-7`, `user-2`. */
export type Subject = string;

/** 32 random bytes, or that there will never be any again. */
export type KeyState = Uint8Array | 'destroyed';

export interface KeysCopy {
  readonly pepper: Uint8Array | null;
  readonly subjects: ReadonlyMap<Subject, KeyState>;
}

/** The keys that were opened are not there any more: what is written from now on could not be read after a restart. */
export class KeysReplaced extends EventStoreUnavailable {}

/** Rejections: `EventStoreUnavailable`, since without keys the log cannot be read. */
export interface SubjectKeys {
  /** Another text after each destruction; cheap to ask for. */
  erasures(): Promise<string>;
  /**
   * Tells these keys from all others, and nothing about them; null before `pepper` was first asked for. Cheap to ask for.
   * Other keys that are put in their place while they are open answer from then on.
   */
  identity(): Promise<string | null>;
  /** Subjects that never had a key are missing from the answer. */
  find(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, KeyState>>;
  /** As `find`, with new keys for those who never had one; what is answered is safely stored. */
  make(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, KeyState>>;
  /**
   * Destroys the key, for good, also of a subject that never had one: a mark stays behind, so that no other is made
   * and the key does not count as lost. `false`: it had been destroyed before.
   */
  destroy(subject: Subject): Promise<boolean>;
  /** 32 random bytes for what must be found again and not be read; made on first need, then the same for ever. */
  pepper(): Promise<Uint8Array>;
  /** Whether nothing was ever stored here. */
  isEmpty(): Promise<boolean>;
  /** All of it as it is at one moment, for a backup. */
  copy(): Promise<KeysCopy>;
  /**
   * Adds what a copy has: no key is replaced, and what was destroyed here or there stays destroyed. `other keys`: nothing
   * was added, as the copy is not of these keys.
   */
  take(copy: KeysCopy): Promise<'taken' | 'other keys'>;
  close(): Promise<void>;
}

export const KEY_BYTES = 32;

/** By the pepper, of which it tells nothing. */
export const identityOf = (pepper: Uint8Array): string =>
  createHash('sha256').update('daybook keys').update(pepper).digest('hex').slice(0, 32);
