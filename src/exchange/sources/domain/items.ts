// What was found at a source: which records, and digests of what they said. Their streams are called `sourced-<id>`. By them a
// poll knows what has changed there, what is new, and what has disappeared; local edits of all else stay.

import { type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { OnMissing, PollProblem } from './source.ts';

/** What became of an event that disappeared at the source. `binned`: also one that was in the bin, or was none yet. */
export type Missing = 'binned' | 'canceled' | 'left';

export interface SourceItem {
  /** By which what it became here is found: that of its first record. */
  readonly key: string;
  /** The owner of its record, if others may have records of the same key. */
  readonly owner?: string;
  /** The UID of its latest record: sources may give their records new ones. */
  readonly uid: string;
  /** `part`: a date of a series that differs from the others. */
  readonly kind: 'event' | 'part' | 'venue' | 'organizer' | 'category' | 'tag';
  /** A digest of what stays the same if its uid changes: title, start and venue of an event, the name of anything else. */
  readonly content: string;
  /** When it is over; null: that cannot be said. */
  readonly end: EpochSeconds | null;
  /** Digests of what its record said, by member. */
  readonly members: { readonly [member: string]: string };
  /** The sequence number of its latest record: a record with a lower one is older. */
  readonly sequence?: string;
  /** The key of the series that a part belongs to. */
  readonly series?: string;
  /** The event that a proposal creates. */
  readonly event?: number;
  /** The latest proposal about it. */
  readonly proposal?: number;
  readonly missing?: Missing;
  /** An event of ours that came from here and comes back: it is left alone. */
  readonly own?: number;
}

export type SourceItemFact = Fact<
  'SourceItemsNoted',
  { readonly items: readonly SourceItem[]; readonly forgotten: readonly string[] }
>;

/** By their keys. */
export type SourceItems = Map<string, SourceItem>;

/** Adds a fact to the items, which are large: they are changed in place. */
export function noteItems(items: SourceItems, fact: SourceItemFact): void {
  if (fact.type !== 'SourceItemsNoted') throw new UnexpectedFact(fact);
  for (const key of fact.data.forgotten) items.delete(key);
  for (const item of fact.data.items) items.set(item.key, item);
}

/** A record of a poll, before it is known what it is here. */
export type CurrentItem = Pick<SourceItem, 'uid' | 'kind' | 'content'>;

/**
 * The keys of records: by their uid, or, if that is new, by their content, if an item of the same content has no record of
 * its own any more.
 */
export function keysOf(items: SourceItems, current: readonly CurrentItem[]): ReadonlyMap<string, string> {
  const byUid = new Map([...items.values()].map(({ uid, key }) => [uid, key]));
  const keys = new Map<string, string>();
  const usedKeys = new Set<string>();
  const news: CurrentItem[] = [];
  for (const one of current) {
    const key = byUid.get(one.uid) ?? (items.has(one.uid) ? one.uid : undefined);
    if (key === undefined || usedKeys.has(key)) news.push(one);
    else {
      keys.set(one.uid, key);
      usedKeys.add(key);
    }
  }
  const orphans = new Map<string, string[]>();
  for (const { key, kind, content } of items.values()) {
    if (usedKeys.has(key)) continue;
    const name = `${kind} ${content}`;
    orphans.set(name, [...(orphans.get(name) ?? []), key]);
  }
  for (const { uid, kind, content } of news) {
    const key = orphans.get(`${kind} ${content}`)?.shift();
    if (key !== undefined) keys.set(uid, key);
  }
  return keys;
}

/** At which instant, and for which choice, events count as missing. */
interface Doubt {
  readonly now: EpochSeconds;
  readonly onMissing: OnMissing;
}

/** Those that were there, are not over, and of which there is no record now. */
export const missingFrom = (items: SourceItems, keys: ReadonlySet<string>, doubt: Doubt): SourceItem[] =>
  comingOf(items, doubt).filter(({ key }) => !keys.has(key));

/** Those that were left when they disappeared count again once that choice is another one. */
const comingOf = (items: SourceItems, { now, onMissing }: Doubt): SourceItem[] =>
  [...items.values()].filter(({ kind, missing, end, own }) => {
    const isThere = missing === undefined || (missing === 'left' && onMissing !== 'leave');
    return kind === 'event' && own === undefined && isThere && end !== null && end > now;
  });

/** From so many coming events on, the loss of more than half of them is taken for a failure. */
const MANY = 10;

/** Why a poll is held back until it is confirmed; null if it is not. */
export function heldBack(
  items: SourceItems,
  {
    missing,
    events,
    moved,
    ...doubt
  }: Doubt & {
    readonly missing: number;
    /** In the answer. */
    readonly events: number;
    readonly moved: boolean;
  },
): PollProblem | null {
  if (missing === 0) return null;
  if (events === 0) return 'empty';
  const coming = comingOf(items, doubt).length;
  if (coming >= MANY && missing * 2 > coming) return 'shrank';
  return moved ? 'moved' : null;
}
