// Builds all views anew beside those in use, compares the two, and switches. Until the switch nothing that is read has
// changed; with it, everything has.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LOG_START, type Position, type RecordedEvent } from '../../src/event-store/envelope.ts';
import { markOf } from '../../src/event-store/event-mark.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { fetchReadable } from '../../src/read-model/damage.ts';
import type { Build, Claim, Generation, Generations } from '../../src/read-model/generations.ts';
import { originOf } from '../../src/read-model/origin.ts';
import type { AnyProjection } from '../projection.ts';
import { catchUp } from './catch-up.ts';
import { type Verification, verify } from './compare.ts';

const PAGE = 1_000;

/** What is going on; told in this order, `progress` any number of times after each. */
export interface RebuildObserver {
  begin(what: 'events' | 'documents', total: number | null): void;
  /** Since `begin`. */
  reach(done: number): void;
  end(): void;
  /** Before the switch, if there is one. */
  verified(verification: Verification | null): void;
}

export interface RebuildOptions {
  readonly store: EventStore;
  readonly generations: Generations;
  readonly projections: readonly AnyProjection[];
  /** `check` compares and leaves everything as it is. */
  readonly afterwards: 'switch' | 'check';
  /** How many events there are to be folded; null when the log does not tell: then the views in use give an idea. */
  readonly countEvents: () => Promise<number | null>;
  readonly observer: RebuildObserver;
  /** Ends it before the switch; nothing has changed then. */
  readonly signal: AbortSignal;
}

export interface Rebuilt {
  readonly name: string;
  readonly events: number;
  /** Null when there was nothing to compare with: no views of this code with these settings that were ever filled. */
  readonly verification: Verification | null;
  readonly switched: boolean;
  /** Generations that were given up earlier, and those that were replaced now. */
  readonly dropped: { readonly before: number; readonly after: number };
}

/** The signal was given. */
export class RebuildInterrupted extends Error {
  override readonly name = 'RebuildInterrupted';
}

/**
 * Rejections: `RebuildUnderWay`, `RebuildInterrupted`, `ProjectionError`, those of the stores. After each of them the
 * generation in use is what it was.
 */
export async function rebuild(options: RebuildOptions): Promise<Rebuilt> {
  const claim = await options.generations.claim();
  try {
    const before = await claim.cleanUp();
    const build = await claim.begin();
    return await buildAndSwitch(options, claim, build, before);
  } finally {
    await claim.release().catch(() => {});
  }
}

async function buildAndSwitch(options: RebuildOptions, claim: Claim, build: Build, before: number): Promise<Rebuilt> {
  let live: Generation | null = null;
  let switched = false;
  try {
    live = await options.generations.live();
    const filling = filler(options, build);
    await filling.fill((await options.countEvents()) ?? (live && (await eventsIn(live))));
    const verification = live && (await isFilled(live)) ? await compare(options, live, build, filling.advance) : null;
    options.observer.verified(verification);
    if (options.afterwards === 'switch') {
      if (live) await emptyStranger(options.store, live);
      await switchTo(build, filling.advance);
    }
    switched = options.afterwards === 'switch';
    if (switched) await build.close();
    // It is done, whatever happens now: what cannot be dropped yet, the next one who rebuilds drops.
    const after = switched ? await claim.cleanUp().catch(() => 0) : 0;
    return { name: build.name, events: filling.events(), verification, switched, dropped: { before, after } };
  } finally {
    await live?.close();
    if (!switched) await build.discard().catch(() => {});
  }
}

function throwIfAborted({ signal }: RebuildOptions): void {
  if (signal.aborted) throw new RebuildInterrupted('The rebuild was interrupted; nothing has changed.');
}

/** Views that were never filled have nothing to compare with. */
const isFilled = async ({ model }: Generation): Promise<boolean> => (await model.checkpoint()) !== LOG_START;

/** About how many events its documents were folded from. */
async function eventsIn({ model, keys }: Generation): Promise<number> {
  let events = 0;
  for await (const portion of keys())
    for (const document of await fetchReadable(model, portion))
      events += document === null || document === 'damaged' ? 0 : document.revision + 1;
  return events;
}

/** A store that lets signals and timers in between two reads, however fast it is. */
const takingTurns = (store: EventStore): EventStore => ({
  ...store,
  async readAll(asked) {
    await nextTurn();
    return store.readAll(asked);
  },
  async *readByStream(asked) {
    for await (const events of store.readByStream(asked)) {
      await nextTurn();
      yield events;
    }
  },
});

function filler(options: RebuildOptions, { model }: Build) {
  const { projections, observer } = options;
  const store = takingTurns(options.store);
  const prefixes = projections.map(({ prefix }) => prefix);
  let events = 0;

  async function follow(onEvents: () => void): Promise<void> {
    throwIfAborted(options);
    await catchUp(store, model, projections, (more) => {
      throwIfAborted(options);
      events += more;
      onEvents();
    });
    throwIfAborted(options);
  }

  return {
    events: () => events,
    async fill(total: number | null): Promise<void> {
      observer.begin('events', total);
      try {
        await follow(() => observer.reach(events));
      } finally {
        observer.end();
      }
    },
    /** Applies what has come since, and says so when that was nothing that concerns the views. */
    async advance(): Promise<void> {
      const head = await store.head();
      await follow(() => {});
      const after = await model.checkpoint();
      if (after >= head) return;
      const [missing] = await store.readAll({ after, prefixes, limit: 1 });
      if (missing) return;
      const last = await lastEvent(store, after);
      await model.apply({ after, upTo: last?.position ?? after, mark: last ? markOf(last) : '', changes: [] });
    },
  };
}

/** The last event of the log, behind a position from which it is not far. */
async function lastEvent(store: EventStore, from: Position): Promise<RecordedEvent | null> {
  let last: RecordedEvent | null = null;
  for (;;) {
    const page = await store.readAll({ after: last?.position ?? from, limit: PAGE });
    last = page.at(-1) ?? last;
    if (page.length < PAGE) return last;
  }
}

/** Views of another log may be further on than this one will ever be; they are never read, and nothing is lost with them. */
async function emptyStranger(store: EventStore, { model }: Generation): Promise<void> {
  if ((await originOf(store, await model.progress())) === 'another log') await model.clear();
}

/** Concurrent writers may be faster once or twice: their events are applied here too. */
async function switchTo(build: Build, advance: () => Promise<void>): Promise<void> {
  do await advance();
  while ((await build.promote()) === 'behind');
}

async function compare(
  options: RebuildOptions,
  live: Generation,
  built: Build,
  advance: () => Promise<void>,
): Promise<Verification> {
  const { store, projections, observer } = options;
  const prefixes = projections.map(({ prefix }) => prefix);
  observer.begin('documents', null);
  try {
    return await verify({
      live,
      built,
      advance,
      async reach({ model }): Promise<Position> {
        const head = await store.head();
        const checkpoint = await model.checkpoint();
        if (checkpoint >= head) return checkpoint;
        const [next] = await store.readAll({ after: checkpoint, prefixes, limit: 1 });
        return next ? checkpoint : head;
      },
      onProgress(documents) {
        throwIfAborted(options);
        observer.reach(documents);
      },
    });
  } finally {
    observer.end();
  }
}
