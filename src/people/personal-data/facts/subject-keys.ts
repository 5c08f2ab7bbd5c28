// The port of the keys: one for each person or organizer with encrypted data in the log. They are stored outside the
// log, so that they can be destroyed. Adapters: sqlite-keys.ts, redis-keys.ts; test/contract/subject-keys.contract.ts
// states what they promise.
// decision 6
import { hash } from 'node:crypto';
import { EventStoreUnavailable } from '../../../log/event-store.ts';

/** Whose data it is, named by their stream: `organizer-7`, `user-2`. */
export type Subject = string;

/** 32 random bytes, or the mark that they were destroyed for good. */
export type KeyState = Uint8Array | 'destroyed';

export interface KeysCopy {
  readonly pepper: Uint8Array | null;
  readonly subjects: ReadonlyMap<Subject, KeyState>;
}

/** The opened keys no longer exist: anything written now could not be read after a restart. */
export class KeysReplaced extends EventStoreUnavailable {}

/** Rejections: `EventStoreUnavailable`, because without keys the log cannot be read. */
export interface SubjectKeys {
  /** Changes with every destruction; cheap to read. */
  erasures(): Promise<string>;
  /**
   * Identifies these keys and reveals nothing about them; null before the first call of `pepper`. Cheap to read. If
   * other keys replace them while they are open, those answer from then on.
   */
  identity(): Promise<string | null>;
  /** Subjects that never had a key are missing from the result. */
  find(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, KeyState>>;
  /** Like `find`, with new keys for subjects that never had one; the returned keys are safely stored. */
  make(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, KeyState>>;
  /**
   * Destroys the key for good, also of a subject that never had one: a mark remains, so that no other is created and
   * the key does not count as lost. `false`: it was destroyed before.
   */
  destroy(subject: Subject): Promise<boolean>;
  /** 32 random bytes for values that must be findable but not readable; created on first use and never changed. */
  pepper(): Promise<Uint8Array>;
  /** Whether nothing was ever stored here. */
  isEmpty(): Promise<boolean>;
  /** All keys as of one moment, for a backup. */
  copy(): Promise<KeysCopy>;
  /**
   * Adds the keys of a copy: no key is replaced, and destroyed ones, here or there, stay destroyed. `other keys`:
   * nothing was added, because the copy is of other keys.
   */
  take(copy: KeysCopy): Promise<'taken' | 'other keys'>;
  close(): Promise<void>;
}

export const KEY_BYTES = 32;

/** Derived from the pepper, without revealing it. */
export const identityOf = (pepper: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from('daybook keys'), pepper])).slice(0, 32);
