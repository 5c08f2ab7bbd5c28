// Sources as they are now, folded from the log as it grows: their polls make their streams long. Kept by each process that
// answers requests.

import { streamOf } from '../../../commands/reservations/reservations.ts';
import { factOf, instantOf, type Position } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { evolveSource, type Source, type SourceFact } from '../domain/source.ts';
import { allSources, type LoadedSource } from './sources.ts';

const PREFIX = streamOf('source', 0).slice(0, -1);
const PAGE = 500;

export function openSourceWatch(store: Pick<EventStore, 'readAll' | 'readStream' | 'head'>) {
  const known = new Map<number, LoadedSource>();
  let after: Position | null = null;

  async function begin(): Promise<Position> {
    const end = await store.head();
    // They may be newer than that end: what they have is not folded again.
    for (const one of await allSources(store)) known.set(one.state.id, one);
    return end;
  }

  async function follow(from: Position): Promise<Position> {
    const end = await store.head();
    for (let at = from; ; ) {
      const page = await store.readAll({ after: at, prefixes: [PREFIX], limit: PAGE });
      for (const event of page) {
        const id = Number(event.stream.slice(PREFIX.length));
        const before = known.get(id) ?? null;
        if (before && before.revision >= event.revision) continue;
        const state = evolveSource(before?.state ?? null, factOf<SourceFact>(event), instantOf(event));
        if (state) known.set(id, { state, revision: event.revision });
      }
      at = page.at(-1)?.position ?? at;
      // Without any the rest of the log need not be looked through again.
      if (page.length < PAGE) return page.length === 0 ? end : at;
    }
  }

  const current = (): readonly Source[] =>
    [...known.values()].map(({ state }) => state).filter(({ removed }) => !removed);

  return {
    /** Reads what was recorded since the last call, and answers all that are not removed, by id. */
    async look() {
      after = after === null ? await begin() : await follow(after);
      return current();
    },
    /** As of the last call. */
    current,
  };
}
