// Keys in Redis: for several machines. They are outside every generation and cannot be replaced, so the server must
// persist to disk (`appendonly yes`) and must not evict (`noeviction`).
import { randomBytes } from 'node:crypto';
import { connectRedis } from '../../../kernel/redis/connect.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import { identityOf, KEY_BYTES, type KeyState, type KeysCopy, type Subject, type SubjectKeys } from './subject-keys.ts';

interface RedisKeysOptions {
  /** `redis://` or, encrypted, `rediss://`: user, password, host, port, database. */
  readonly url: string;
  /** Prefix of both keys. */
  readonly name?: string;
  /** Time-out of a command, in milliseconds. */
  readonly deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 2_000;

/** Replaces a destroyed key. */
const DESTROYED = '';

// KEYS: subjects, store. ARGV: the subject.
const DESTROY = `
  if redis.call('HGET', KEYS[1], ARGV[1]) == '' then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], '')
  redis.call('HINCRBY', KEYS[2], 'erasures', 1)
  return 1
`;

/** Opens the keys. Rejects with `EventStoreUnavailable`, saying what to do, if Redis cannot be used. */
export async function openRedisKeys(options: RedisKeysOptions): Promise<SubjectKeys> {
  const { url, name = 'daybook', deadlineMs = DEFAULT_DEADLINE_MS } = options;
  const subjectsKey = `${name}:{keys}:subjects`;
  const storeKey = `${name}:{keys}:store`;
  const unavailable = (error: unknown): Error => {
    const why = error instanceof Error ? error.message || error.name : String(error);
    return new EventStoreUnavailable(
      `The keys of personal data in ${withoutPassword(url)} are unavailable (${why}): look at the server and at DAYBOOK_KEYS.`,
      { cause: error },
    );
  };

  const redis = await connectRedis({ url, deadlineMs, connectWithinMs: deadlineMs }).catch((error: unknown) => {
    throw unavailable(error);
  });

  async function ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function find(subjects: readonly Subject[]): Promise<Map<Subject, KeyState>> {
    const states = new Map<Subject, KeyState>();
    if (subjects.length === 0) return states;
    const values = await redis.hmget(subjectsKey, ...subjects);
    for (const [index, subject] of subjects.entries()) {
      const value = values[index];
      if (typeof value === 'string') states.set(subject, stateIn(value));
    }
    return states;
  }

  async function copy(): Promise<KeysCopy> {
    const answers = await redis.multi().hget(storeKey, 'pepper').hgetall(subjectsKey).exec();
    // In the form of the two commands' replies.
    const [pepper, subjects] = (answers ?? []).map(([, answer]) => answer) as [string | null, Record<string, string>];
    const states = Object.entries(subjects).map(([subject, value]): [Subject, KeyState] => [subject, stateIn(value)]);
    return { pepper: pepper === null ? null : Buffer.from(pepper, 'base64'), subjects: new Map(states) };
  }

  async function take({ pepper, subjects }: KeysCopy): Promise<'taken' | 'other keys'> {
    if (pepper) {
      const text = Buffer.from(pepper).toString('base64');
      await redis.hsetnx(storeKey, 'pepper', text);
      if ((await redis.hget(storeKey, 'pepper')) !== text) return 'other keys';
    }
    for (const [subject, state] of subjects) {
      if (state === 'destroyed') await redis.eval(DESTROY, 2, subjectsKey, storeKey, subject);
      else await redis.hsetnx(subjectsKey, subject, Buffer.from(state).toString('base64'));
    }
    return 'taken';
  }

  const newKey = (): string => randomBytes(KEY_BYTES).toString('base64');

  return {
    erasures: () => ask(async () => (await redis.hget(storeKey, 'erasures')) ?? ''),
    identity: () =>
      ask(async () => {
        const pepper = await redis.hget(storeKey, 'pepper');
        return pepper === null ? null : identityOf(Buffer.from(pepper, 'base64'));
      }),
    find: (subjects) => ask(() => find(subjects)),
    make: (subjects) =>
      ask(async () => {
        const states = await find(subjects);
        const missing = subjects.filter((subject) => !states.has(subject));
        if (missing.length === 0) return states;
        await Promise.all(missing.map((subject) => redis.hsetnx(subjectsKey, subject, newKey())));
        // Another process may have been faster.
        return new Map([...states, ...(await find(missing))]);
      }),
    destroy: (subject) => ask(async () => (await redis.eval(DESTROY, 2, subjectsKey, storeKey, subject)) === 1),
    pepper: () =>
      ask(async () => {
        await redis.hsetnx(storeKey, 'pepper', newKey());
        return Buffer.from((await redis.hget(storeKey, 'pepper')) ?? '', 'base64');
      }),
    copy: () => ask(copy),
    take: (copy) => ask(() => take(copy)),
    isEmpty: () => ask(async () => (await redis.exists(subjectsKey, storeKey)) === 0),
    close: async () => redis.disconnect(),
  };
}

const stateIn = (value: string): KeyState => (value === DESTROYED ? 'destroyed' : Buffer.from(value, 'base64'));

/** An address without user and password. */
function withoutPassword(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return '(an address that cannot be read)';
  }
}
