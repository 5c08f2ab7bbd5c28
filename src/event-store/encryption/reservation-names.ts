// Names of reservation streams that contain personal data: a login, an e-mail address, the slug of an organizer. In the
// log such a stream is named by a keyed digest, which finds it and reveals nothing.
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EventStore } from '../event-store.ts';
import type { KeyRing } from './key-ring.ts';

const REGISTERS = ['slug-user-', 'slug-organizer-', 'name-organizer-'] as const;
/** No login, e-mail address or slug looks like this: logins have at most 60 characters, the others never begin so. */
const STORED = /^~[0-9a-f]{64}$/;
/** Names whose stored name is cached; others are looked up again. */
const MAX_CACHED = 50_000;

export interface RegisterNames {
  /** The name of a stream in the log. */
  stored(stream: string): Promise<string>;
}

/**
 * Reservation streams that were started under plain names continue under them: a stream cannot be renamed. Whether
 * there is one is checked once.
 */
export function openRegisterNames(store: Pick<EventStore, 'readStream'>, keys: Pick<KeyRing, 'pepper'>): RegisterNames {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED });

  async function place(stream: string, register: string): Promise<string> {
    const [plain] = await store.readStream(stream, { limit: 1 });
    if (plain) return stream;
    const digest = createHmac('sha256', await keys.pepper())
      .update(stream)
      .digest('hex');
    return `${register}~${digest}`;
  }

  return {
    async stored(stream) {
      const register = registerOf(stream);
      if (register === undefined || STORED.test(stream.slice(register.length))) return stream;
      const cached = cache.get(stream);
      if (cached !== undefined) return cached;
      const placed = await place(stream, register);
      cache.set(stream, placed);
      return placed;
    },
  };
}

/** Most streams reserve no personal data; their first letter shows it. */
function registerOf(stream: string): string | undefined {
  if (stream[0] !== 's' && stream[0] !== 'n') return undefined;
  return REGISTERS.find((register) => stream.startsWith(register));
}
