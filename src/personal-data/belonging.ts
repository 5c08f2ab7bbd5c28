// Keys that are lost are noticed at the start, not when somebody asks for the first organizer.
import { LOG_START } from '../event-store/envelope.ts';
import { type EventStore, EventStoreUnavailable } from '../event-store/event-store.ts';
import { personalIn, valuesOf } from './fields.ts';
import type { KeyRing } from './key-ring.ts';
import { isSealed } from './sealing.ts';

const PREFIXES = ['user-', 'organizer-'];

/**
 * Rejects with `EventStoreUnavailable` when there are no keys at all and the log has something that was encrypted with
 * some: whoever went on would make new ones, and sign nobody in. `store` is the log as it is stored; `keysAt` is shown.
 */
export async function assertKeysAreThere(
  store: Pick<EventStore, 'readAll'>,
  keys: Pick<KeyRing, 'isEmpty'>,
  keysAt: string,
): Promise<void> {
  if (!(await keys.isEmpty())) return;
  const beginnings = await Promise.all(
    PREFIXES.map((prefix) => store.readAll({ after: LOG_START, prefixes: [prefix], limit: 1 })),
  );
  const sealed = beginnings.flat().find((event) => {
    const personal = personalIn(event);
    return personal !== null && valuesOf(event.data, personal.fields).some(isSealed);
  });
  if (!sealed) return;
  throw new EventStoreUnavailable(
    `The keys of personal data are gone: ${keysAt} has none, and ${sealed.stream} is encrypted. Put back the backup of ` +
      'the keys that belongs to this log, and check DAYBOOK_KEYS.',
  );
}
