// Which generation answers, in which life, and whether the guard admits it. One key says all of that, `:next`, which is
// normally cached: it costs no round trip.
import { type Guard, type Life, notReady, type Progress, ReadModelUnavailable } from '../read-model.ts';
import type { Terms } from '../term-queries.ts';
import { termCache } from './event-queries.ts';
import { generationKeys, isInUse, type Keys } from './keys.ts';
import type { Reader } from './reader.ts';

/** A generation and its cached data. */
export interface Views {
  readonly keys: Keys;
  readonly terms: () => Promise<Terms>;
}

/** One that is read. */
interface ReadViews extends Views {
  /** The value of `next` when the generation was last found in use; null before. */
  seen: string | null;
  /** The one that it has replaced, until it is seen in use. */
  replaced: ReadViews | null;
}

interface InUseOptions {
  readonly name: string;
  readonly address: string;
  readonly guard: Guard;
  readonly entered: Keys;
  /** Opens the fingerprint's generation anew if the one in use is gone. */
  readonly enter: () => Promise<Keys>;
}

interface InUse {
  keys(): Keys;
  /** Answers from the generation in use, if the guard admits it. */
  guarded<Answer>(ask: (views: Views) => Promise<Answer>): Promise<Answer>;
  progress(): Promise<Progress>;
  /** Reads another generation from now on; `replaced`: the one whose place it takes, with all its data. */
  turnTo(keys: Keys, replaced: Keys | null): void;
  /** Cache hits and misses since the start. */
  cacheCounts(): { readonly hits: number; readonly misses: number };
}

/** How often a generation may be replaced, or lost, during one query. */
const MAX_ATTEMPTS = 10;

export function followInUse(reader: Reader, { name, address, guard, entered, enter }: InUseOptions): InUse {
  const viewsOf = (keys: Keys, replaced: ReadViews | null): ReadViews => ({
    keys,
    terms: termCache(reader, keys),
    seen: null,
    replaced,
  });
  const lost = () => new ReadModelUnavailable(`The read model ${address} loses what is written to it.`);

  let current = viewsOf(entered, null);
  /** Reads of `next`, which are not counted. */
  const ofNext = { hits: 0, misses: 0 };

  function turnTo(keys: Keys, replaced: Keys | null): void {
    if (keys.base === current.keys.base) return;
    current = viewsOf(keys, replaced?.base === current.keys.base ? current : null);
  }

  /** Whether a generation is in use, or its successor; null if it is gone. */
  async function nextOf({ next }: Keys): Promise<{ readonly text: string | null; isTrue(): boolean }> {
    const { hits, misses } = reader.cache;
    const asked = reader.values([next]);
    ofNext.hits += reader.cache.hits - hits;
    ofNext.misses += reader.cache.misses - misses;
    const [entry = { text: null }] = await asked;
    return { text: entry.text, isTrue: () => reader.cache.keeps(next, entry) };
  }

  async function follow({ keys: from }: ReadViews, next: string | null): Promise<void> {
    const keys = next === null ? await enter() : generationKeys(name, next);
    if (current.keys.base === from.base) turnTo(keys, next === null ? null : from);
  }

  const life = (base: string, next: string): Life => `${base}${next} ${reader.cache.era}`;

  /** Trust from another era is not passed on: the former life is named as it would be now. */
  function lifeOf(views: ReadViews, next: string): Life {
    const now = life(views.keys.base, next);
    const { replaced } = views;
    if (replaced?.seen) guard.succeed(life(replaced.keys.base, replaced.seen), now);
    views.replaced = null;
    views.seen = next;
    return now;
  }

  /**
   * An answer of the generation in use. At the time of an answer `next` had the value that is cached afterwards: the
   * server announces a change before it answers later requests.
   */
  async function answerInUse<Answer>(
    ask: (views: Views) => Promise<Answer>,
  ): Promise<{ readonly answered: () => Answer; readonly life: Life; readonly next: string }> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const views = current;
      const { era } = reader.cache;
      const [answered, before] = await Promise.all([settled(ask(views)), nextOf(views.keys)]);
      const { text } = before.isTrue() ? before : await nextOf(views.keys);
      if (!isInUse(text)) await follow(views, text);
      else if (text === before.text && era === reader.cache.era)
        return { answered, life: lifeOf(views, text), next: text };
    }
    throw lost();
  }

  return {
    keys: () => current.keys,
    async guarded(ask) {
      for (;;) {
        const { answered, life: asked } = await answerInUse(ask);
        const verdict = guard.admits(asked);
        if (verdict === true) return answered();
        // Queries from before the judgement are repeated.
        if (verdict === false || !(await verdict)) throw notReady(address);
      }
    },
    async progress() {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const found = await answerInUse(
          ({ keys }) => reader.send('HMGET', keys.meta, 'checkpoint', 'mark', 'birth') as Promise<(string | null)[]>,
        );
        const [checkpoint, mark, birth] = found.answered();
        // Of one moment with the life only if both name the same birth.
        if (checkpoint != null && `=${birth}` === found.next) return { checkpoint, mark: mark ?? '', life: found.life };
      }
      throw lost();
    },
    turnTo,
    cacheCounts: () => ({ hits: reader.cache.hits - ofNext.hits, misses: reader.cache.misses - ofNext.misses }),
  };
}

/** Waits for a result or a failure; the returned function returns the one or throws the other. */
function settled<Answer>(work: Promise<Answer>): Promise<() => Answer> {
  return work.then(
    (answer) => () => answer,
    (error: unknown) => () => {
      throw error;
    },
  );
}
