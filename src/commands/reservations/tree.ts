// The ancestors of a category or an event on the write side, and moves that cannot create a circle.
import { type CalendarEvent, evolveEvent } from '../../calendar/event/domain/calendar-event.ts';
import { linksAbove, type Parents, withoutCircles } from '../../calendar/resource/domain/tree.ts';
import { evolveTerm, type Term } from '../../calendar/term/domain/term.ts';
import { fold, type RecordedEvent, type Revision } from '../../log/envelope.ts';
import type { StreamReader } from '../../log/event-store.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

type TreeKind = 'category' | 'event';

/**
 * Every move is first reserved in the stream of its tree, so of two concurrent moves one is decided again on the other.
 */
const reservationsOf = (kind: TreeKind): string => `tree-${kind}`;
/** How many are read: older moves have long been written into the stream of the child, or never will be. */
const RECENT = 50;
/** A move whose child was not written within this many milliseconds did not happen. */
const ABANDONED_AFTER = 60_000;

interface Move {
  readonly id: number;
  readonly parent: number;
  /** The revision of the child's stream before the move. */
  readonly revision: Revision;
}

async function nodeOf(store: StreamReader, kind: TreeKind, id: number) {
  const events = await store.readStream(`${kind}-${id}`);
  const state: CalendarEvent | Term | null = kind === 'event' ? fold(events, evolveEvent) : fold(events, evolveTerm);
  return { parent: state?.parent || null, revision: events.at(-1)?.revision ?? -1 };
}

/** The effective links from one resource upwards. `parent` is its own, as written; null or 0 for none. */
export async function countingLinks(
  store: StreamReader,
  kind: TreeKind,
  { id, parent }: { readonly id: number; readonly parent: number | null },
): Promise<Parents> {
  const parentOf = async (at: number) => (at === id ? parent || null : (await nodeOf(store, kind, at)).parent);
  return withoutCircles(await linksAbove([id], parentOf));
}

/** Whether `id` is `from` or an ancestor of it, also by moves that others have reserved and not written yet. */
export async function isAbove(unit: UnitOfWork, kind: TreeKind, id: number, from: number): Promise<boolean> {
  const moves = await movesUnderWay(unit, kind);
  const parents = new Map<number, number>();
  const reserved = new Map<number, number[]>();
  const visited = new Set<number>();
  for (const queue = [from]; queue.length > 0; ) {
    const at = queue.pop() ?? from;
    if (visited.has(at)) continue;
    visited.add(at);
    const { parent, revision } = await nodeOf(unit.store, kind, at);
    if (parent !== null) parents.set(at, parent);
    reserved.set(
      at,
      moves.filter((move) => move.id === at && move.revision === revision).map((move) => move.parent),
    );
    queue.push(...(parent === null ? [] : [parent]), ...(reserved.get(at) ?? []));
  }
  const counting = withoutCircles(parents);
  const above = new Set<number>([from]);
  // Iterating a set includes members that are added meanwhile.
  for (const at of above) {
    const parent = counting.get(at);
    for (const next of [...(parent === undefined ? [] : [parent]), ...(reserved.get(at) ?? [])]) above.add(next);
  }
  return above.has(id);
}

async function movesUnderWay(unit: UnitOfWork, kind: TreeKind): Promise<Move[]> {
  const latest = await unit.store.readStream(reservationsOf(kind), { direction: 'backwards', limit: RECENT });
  const now = Date.parse(unit.metadata.instant);
  const isFresh = ({ metadata }: RecordedEvent) => now - Date.parse(metadata.instant) <= ABANDONED_AFTER;
  // Only this file writes to these streams.
  return latest.filter(isFresh).map(({ data }) => data as unknown as Move);
}

/**
 * Plans what a move needs beside the child's own fact; call `isAbove` first. A link that is void because it closes a
 * circle of an older log would become effective again once the circle is broken, so its effective value is recorded.
 */
export async function planMove(unit: UnitOfWork, kind: TreeKind, id: number, parent: number | null): Promise<void> {
  const parentOf = async (at: number) => (await nodeOf(unit.store, kind, at)).parent;
  const links = await linksAbove([id], parentOf);
  const counting = withoutCircles(links);
  for (const at of links.keys()) if (at !== id && !counting.has(at)) await unit.record(`${kind}-${at}`, [toTop(kind)]);
  if (parent === null || parent === 0) return;
  const { revision } = await nodeOf(unit.store, kind, id);
  const move: Move = { id, parent, revision };
  await unit.record(reservationsOf(kind), [{ type: 'MoveReserved', data: move }], 'first');
}

const toTop = (kind: TreeKind) =>
  kind === 'event'
    ? { type: 'EventPlacedUnder', data: { parent: null } }
    : { type: 'CategoryMoved', data: { parent: 0 } };
