// All users, from the log itself: right where no views have been made yet, or none can be asked.
import { evolveUser, type UserAccount } from '../../domain/user.ts';
import { LOG_START, type RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { fold } from '../../event-store/fold.ts';

const PAGE = 1000;

/** By id. It reads everything that was ever recorded of users. */
export async function allUsers(store: Pick<EventStore, 'readAll'>): Promise<UserAccount[]> {
  const streams = new Map<string, RecordedEvent[]>();
  let after = LOG_START;
  for (;;) {
    const page = await store.readAll({ after, prefixes: ['user-'], limit: PAGE });
    for (const event of page) {
      const known = streams.get(event.stream);
      if (known) known.push(event);
      else streams.set(event.stream, [event]);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  const users = [...streams.values()].flatMap((events) => fold(events, evolveUser) ?? []);
  return users.sort((one, other) => one.id - other.id);
}
