// Which generation answers, and in which life. One key says all of that, `:version`: `birth batch checkpoint` of a generation
// in use, `>` and the name of the one that has taken its place, or nothing of one that is gone.
import { type Guard, type Life, ReadModelUnavailable } from '../read-model.ts';
import type { StoredVersion } from '../storage.ts';
import { generationKeys, type Keys } from './keys.ts';
import type { TrackedCache } from './tracked-cache.ts';

/** What was read, and the value of `:version` at that moment. */
export interface Reading<Value> {
  readonly version: string | null;
  /** Called if the generation was in use. */
  take(): Value | Promise<Value>;
}

interface InUseOptions {
  readonly name: string;
  readonly address: string;
  readonly guard: Guard;
  readonly cache: TrackedCache;
  readonly entered: Keys;
  /** Opens the fingerprint's generation anew if the one in use is gone. */
  readonly enter: () => Promise<Keys>;
}

export type InUse = ReturnType<typeof followInUse>;

/** How often a generation may be replaced, or lost, during one query. */
const MAX_ATTEMPTS = 10;

export const isInUse = (version: string | null): version is string => version !== null && !version.startsWith('>');

/** What a generation in use is at. */
export function stateIn(life: Life, version: string): StoredVersion {
  const [, batch, checkpoint = ''] = version.split(' ');
  return { life, batch: Number(batch), checkpoint };
}

const birthOf = (version: string): string => version.slice(0, version.indexOf(' '));

export function followInUse({ name, address, guard, cache, entered, enter }: InUseOptions) {
  /** `birth`: when it was last found in use. `replaced`: the one whose place it has taken, until it is found in use. */
  interface Followed {
    readonly keys: Keys;
    birth: string | null;
    replaced: Followed | null;
  }
  let current: Followed = { keys: entered, birth: null, replaced: null };

  function turnTo(keys: Keys, replaced: Keys | null): void {
    if (keys.base === current.keys.base) return;
    current = { keys, birth: null, replaced: replaced?.base === current.keys.base ? current : null };
  }

  async function follow(from: Keys, version: string | null): Promise<void> {
    const keys = version === null ? await enter() : generationKeys(name, version.slice(1));
    if (current.keys.base === from.base) turnTo(keys, version === null ? null : from);
  }

  const life = ({ base }: Keys, birth: string): Life => `${base}=${birth} ${cache.era}`;

  /** Trust from another era is not passed on: the former life is named as it would be now. */
  function lifeOf(followed: Followed, version: string): Life {
    const birth = birthOf(version);
    const now = life(followed.keys, birth);
    const { replaced } = followed;
    if (replaced?.birth) guard.succeed(life(replaced.keys, replaced.birth), now);
    followed.replaced = null;
    followed.birth = birth;
    return now;
  }

  return {
    keys: () => current.keys,
    /** Reads from the generation in use. */
    async read<Value>(ask: (keys: Keys) => Promise<Reading<Value>>) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const followed = current;
        const { era } = cache;
        const { version, take } = await ask(followed.keys);
        if (!isInUse(version)) await follow(followed.keys, version);
        else if (era === cache.era) return { at: stateIn(lifeOf(followed, version), version), value: await take() };
      }
      throw new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);
    },
    /** Reads another generation from now on; `replaced`: the one whose place it takes, with all its data. */
    turnTo,
  };
}
