// Detects at startup that keys are lost or belong to another log, instead of at the first read of an organizer.
import { LOG_START, type RecordedEvent } from '../../../log/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../../../log/event-store.ts';
import { decryptText, isEncrypted } from './encrypting-store.ts';
import type { KeyRing } from './key-ring.ts';
import { type Personal, personalIn, valuesOf, withFields } from './personal-fields.ts';

const PREFIXES = ['user-', 'organizer-'];
const NO_SUBJECTS: ReadonlySet<string> = new Set();

interface EncryptedEvent {
  readonly event: RecordedEvent;
  readonly personal: Personal;
}

/**
 * Rejects with `EventStoreUnavailable` if there are no keys at all although the log contains encrypted data, or if the
 * keys belong to another log: continuing would create new ones, and no user could sign in. Missing single keys are no
 * reason. `store` is the log as stored; `keysAt` is shown.
 */
export async function assertKeysAreThere(
  store: Pick<EventStore, 'readAll'>,
  keys: Pick<KeyRing, 'isEmpty' | 'look'>,
  keysAt: string,
): Promise<void> {
  const isEmpty = await keys.isEmpty();
  // With keys, checking the beginning has to do: searching for what is not there would read the whole log.
  const selections = isEmpty ? PREFIXES.map((prefix) => [prefix]) : [PREFIXES];
  const beginnings = await Promise.all(
    selections.map((prefixes) => store.readAll({ after: LOG_START, prefixes, limit: prefixes.length })),
  );
  const encrypted = beginnings.flat().flatMap((event): EncryptedEvent[] => {
    return personalIn(event)
      .filter(({ fields }) => valuesOf(event.data, fields).some(isEncrypted))
      .map((personal) => ({ event, personal }));
  });
  const [first] = encrypted;
  if (!first) return;
  if (isEmpty)
    throw new EventStoreUnavailable(
      `The keys of personal data are gone: ${keysAt} has none, and ${first.event.stream} is encrypted. Put back the ` +
        'backup of the keys that belongs to this log, and check DAYBOOK_KEYS.',
    );
  const keyOf = await keys.look(new Set(encrypted.map(({ personal }) => personal.subject)), NO_SUBJECTS);
  const states = encrypted.map(({ event, personal }) => {
    const key = keyOf(personal.subject);
    if (key === undefined) return 'missing';
    if (key === 'destroyed') return 'destroyed';
    return opens(key, event, personal) ? 'own' : 'other';
  });
  if (states.includes('own') || !states.includes('other')) return;
  throw new EventStoreUnavailable(
    `The keys of personal data do not decrypt ${first.event.stream}: keys and log do not belong together. Check ` +
      'DAYBOOK_KEYS and DAYBOOK_EVENT_STORE, or put back backups of both that were made together.',
  );
}

/**
 * Throws `EventStoreUnavailable` if a log names other keys than those with this identity; null for none. A log of before names
 * none.
 */
export function assertKeysOf(
  log: { readonly keys: string | null } | null,
  identity: string | null,
  keysAt: string,
): void {
  if (log === null || log.keys === null || log.keys === identity) return;
  const what =
    identity === null
      ? `The keys of personal data are gone: ${keysAt} has none`
      : `The keys in ${keysAt} are those of another calendar`;
  throw new EventStoreUnavailable(
    `${what}. Put back the backup of the keys that belongs to this log, and check DAYBOOK_KEYS. Nothing was changed.`,
  );
}

/** Whether a key decrypts everything encrypted in an event. */
function opens(key: Uint8Array, { stream, type, id, data }: RecordedEvent, { fields }: Personal): boolean {
  let isOpen = true;
  withFields(data, fields, (value, field) => {
    if (isEncrypted(value) && decryptText(key, { stream, type, field, id }, value) === null) isOpen = false;
    return value;
  });
  return isOpen;
}
