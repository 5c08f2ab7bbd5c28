// Which generation answers, of which life the answer is, and whether the guard admits it. One key says all of that,
// `:next`, which is in the memory of the process as a rule: it costs no round trip.
import type { Guard, Life } from '../guard.ts';
import { notReady, type Progress, ReadModelUnavailable } from '../read-model.ts';
import type { Terms } from '../term-queries.ts';
import { generationKeys, isInUse, type Keys } from './keys.ts';
import type { Reader } from './reader.ts';
import { termCache } from './term-queries.ts';

/** A generation, and what is cached of it. */
export interface Views {
  readonly keys: Keys;
  readonly terms: () => Promise<Terms>;
}

/** One that is read. */
interface ReadViews extends Views {
  /** What `next` said when it was last found in use; null before. */
  seen: string | null;
  /** Whose place it has taken, until it is seen in use. */
  replaced: ReadViews | null;
}

export interface InUseOptions {
  readonly name: string;
  readonly address: string;
  readonly guard: Guard;
  readonly entered: Keys;
  /** Enters the fingerprint's generation anew, when the one in use is gone. */
  readonly enter: () => Promise<Keys>;
}

export interface InUse {
  keys(): Keys;
  /** Answers from the generation in use, where the guard admits it. */
  guarded<Answer>(ask: (views: Views) => Promise<Answer>): Promise<Answer>;
  progress(): Promise<Progress>;
  /** Reads another generation from now on; `replaced`: the one in whose place it is, with all that that one has. */
  turnTo(keys: Keys, replaced: Keys | null): void;
  /** Values that were found in memory, and that were not, since the start. */
  cacheCounts(): { readonly hits: number; readonly misses: number };
}

/** So often a generation may have been replaced, or lost, while one question is answered. */
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

  /** Whether a generation is in use, or what has taken its place; null when it is gone. */
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

  /** What was admitted in another era is not handed on: the life of the one before is named as it would be now. */
  function lifeOf(views: ReadViews, next: string): Life {
    const now = life(views.keys.base, next);
    const { replaced } = views;
    if (replaced?.seen) guard.succeed(life(replaced.keys.base, replaced.seen), now);
    views.replaced = null;
    views.seen = next;
    return now;
  }

  /**
   * What the generation in use answers. An answer that has come is of a time at which `next` still said what it says in
   * memory afterwards: the server announces a change before it answers anything that it is asked later.
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
        // What was asked before its life had been judged is asked again.
        if (verdict === false || !(await verdict)) throw notReady(address);
      }
    },
    async progress() {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const found = await answerInUse(
          ({ keys }) => reader.send('HMGET', keys.meta, 'checkpoint', 'mark', 'birth') as Promise<(string | null)[]>,
        );
        const [checkpoint, mark, birth] = found.answered();
        // Of one moment with the life only if they name the same birth.
        if (checkpoint != null && `=${birth}` === found.next) return { checkpoint, mark: mark ?? '', life: found.life };
      }
      throw lost();
    },
    turnTo,
    cacheCounts: () => ({ hits: reader.cache.hits - ofNext.hits, misses: reader.cache.misses - ofNext.misses }),
  };
}

/** Waits for an answer or a failure; what comes back gives the one or throws the other. */
function settled<Answer>(work: Promise<Answer>): Promise<() => Answer> {
  return work.then(
    (answer) => () => answer,
    (error: unknown) => () => {
      throw error;
    },
  );
}
