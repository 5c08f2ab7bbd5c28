// Builds all read models anew beside those in use, compares the two, and switches. Nothing that readers see changes
// before the switch.
// decision 11
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyProjection } from '../../../projections/projection.ts';
import { LOG_START, type Position, type RecordedEvent } from '../../log/envelope.ts';
import { type EventStore, markOf } from '../../log/event-store.ts';
import { fetchReadable } from '../damage.ts';
import type { Build, Claim, Generation, Generations } from '../generations.ts';
import { originOf } from '../trust.ts';
import { catchUp } from './catch-up.ts';
import { type Verification, verify } from './compare.ts';

const PAGE = 1_000;

/** The steps of a rebuild, in this order; any number of `progress` after each. */
export interface RebuildObserver {
  begin(what: 'events' | 'documents', total: number | null): void;
  /** Since `begin`. */
  reach(done: number): void;
  end(): void;
  /** Before the switch, if there is one. */
  verified(verification: Verification | null): void;
}

interface RebuildOptions {
  readonly store: EventStore;
  readonly generations: Generations;
  readonly projections: readonly AnyProjection[];
  /** `check` compares and changes nothing. */
  readonly afterwards: 'switch' | 'check';
  /** How many events there are to fold; null if the log cannot tell: then the read model in use gives an estimate. */
  readonly countEvents: () => Promise<number | null>;
  readonly observer: RebuildObserver;
  /** Aborts before the switch; nothing has changed then. */
  readonly signal: AbortSignal;
}

export interface Rebuilt {
  readonly name: string;
  readonly events: number;
  /** Null if there was nothing to compare: no filled read model of this code with these settings. */
  readonly verification: Verification | null;
  readonly switched: boolean;
  /** Generations that were abandoned earlier, and those replaced now. */
  readonly dropped: { readonly before: number; readonly after: number };
}

/** The signal was aborted. */
export class RebuildInterrupted extends Error {
  override readonly name = 'RebuildInterrupted';
}

/**
 * Rejections: `RebuildUnderWay`, `RebuildInterrupted`, `ProjectionError`, those of the stores. After each of them the
 * generation in use is unchanged.
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
      if (live) await clearOtherLogs(options.store, live);
      await switchTo(build, filling.advance);
    }
    switched = options.afterwards === 'switch';
    if (switched) await build.close();
    // The switch is done: what cannot be dropped now is dropped by the next rebuild.
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

/** A read model that was never filled has nothing to compare. */
const isFilled = async ({ model }: Generation): Promise<boolean> => (await model.checkpoint()) !== LOG_START;

/** An estimate of how many events its documents were folded from. */
async function eventsIn({ model, keys }: Generation): Promise<number> {
  let events = 0;
  for await (const portion of keys())
    for (const document of await fetchReadable(model, portion))
      events += document === null || document === 'damaged' ? 0 : document.revision + 1;
  return events;
}

/** A store that yields to signals and timers between reads, however fast it is. */
const takingTurns = (store: EventStore): EventStore => ({
  ...store,
  async readAll(options) {
    await nextTurn();
    return store.readAll(options);
  },
});

function filler(options: RebuildOptions, { model }: Build) {
  const { projections, observer } = options;
  const store = takingTurns(options.store);
  const prefixes = projections.map(({ prefix }) => prefix);
  let events = 0;

  async function follow(onEvents: () => void): Promise<void> {
    throwIfAborted(options);
    const onBatch = (more: number): void => {
      throwIfAborted(options);
      events += more;
      onEvents();
    };
    await catchUp(store, model, projections, onBatch);
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
    /** Applies new events; tells whether none of them concerned the read model. */
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

/** The last event of the log after a position that is near the end. */
async function lastEvent(store: EventStore, from: Position): Promise<RecordedEvent | null> {
  let last: RecordedEvent | null = null;
  for (;;) {
    const page = await store.readAll({ after: last?.position ?? from, limit: PAGE });
    last = page.at(-1) ?? last;
    if (page.length < PAGE) return last;
  }
}

/**
 * A read model of another log may be further on than this log will ever be; it is never read, so nothing is lost with
 * it.
 */
async function clearOtherLogs(store: EventStore, { model }: Generation): Promise<void> {
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
