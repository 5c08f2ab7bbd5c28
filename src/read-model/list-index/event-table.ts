// The events of the index: a column for each member of their rows, their order, what each is linked to and what is linked to
// each, and the words of their texts. Kept up to date change by change; see event-lists.ts for the queries.
import { statusCode } from '../documents.ts';
import { type Columns, emptyColumns, gathered, grow } from './event-columns.ts';
import type { EventRow } from './rows.ts';
import { append, type Compare, insert, noSlots, remove, type Slots, sorted } from './slots.ts';
import { openSlotsById, type SlotsById } from './slots-by-id.ts';
import { flagBit, statusIn } from './traits.ts';
import { openWords, type Words } from './words.ts';

/** What events are linked to: terms, venues and organizers in one of their lives, parents; and labels, by their text. */
export type TargetKind = 'category' | 'tag' | 'label' | 'venue' | 'organizer' | 'parent';
type TargetId = number | string;

/** The target of each link of an event, each once. */
function foundFor<Found>(
  { categories, tags, labels, venues, organizers, parent }: EventRow,
  find: (kind: TargetKind, id: TargetId, life: number) => Found,
): readonly Found[] {
  // Few enough to be looked through: a set for each event takes longer.
  const targets: Found[] = [];
  const add = (target: Found): void => {
    if (!targets.includes(target)) targets.push(target);
  };
  for (const id of categories) add(find('category', id, 0));
  for (const id of tags) add(find('tag', id, 0));
  for (const label of labels) add(find('label', label, 0));
  for (const { id, life } of venues) add(find('venue', id, life));
  for (const { id, life } of organizers) add(find('organizer', id, life));
  if (parent !== null) add(find('parent', parent, 0));
  return targets;
}

export interface Target {
  readonly kind: TargetKind;
  readonly id: TargetId;
  readonly life: number;
  /** In `links` and in marks. */
  readonly number: number;
  /** Whose events are counted for readers: categories and tags. */
  readonly isTerm: boolean;
  /** In the order of lists. */
  readonly events: Slots;
  /** Published events without a password. */
  open: number;
}

export interface EventTable {
  readonly columns: Columns;
  readonly links: () => Int32Array;
  /** By start, date and id. */
  readonly order: Slots;
  /** By end. */
  readonly byEnd: Slots;
  readonly words: Words;
  /** Compares in the order of lists. */
  readonly compare: Compare;
  slotOf(id: number): number | undefined;
  /** Slots below this one may be in use. */
  slots(): number;
  /** The slots of texts by their numbers; -1: there is a newer text. */
  slotsOfTexts(): Int32Array;
  /** A target; undefined if no event was ever linked to it. */
  target(kind: TargetKind, id: TargetId, life?: number): Target | undefined;
  /** How many targets there are. */
  targets(): number;
  /** What the event of a slot is linked to. */
  linkedTo(slot: number): Iterable<Target>;
  /** Whether it has an event as this row says. */
  shows(row: EventRow): boolean;
  /** Replaces a row; null: the event is gone. Until it is `loaded` there are no lists, and no order. */
  replace(id: number, row: EventRow | null): void;
  /**
   * Another one that is loading and begins with these of its slots, their traits changed so, step by step; with room for some
   * more. Texts are shared. What changes meanwhile has to be replaced there.
   */
  copy(places: Int32Array, spare: number, traitsOf: (traits: number) => number): Generator<undefined, EventTable>;
  /** Makes order and lists of what was entered before. No change may come in between. */
  loaded(): Generator<undefined, void>;
  /** Indexes the words of texts of which they are not yet, in steps of about a millisecond. */
  work(): Generator<undefined, void>;
  /** Terms of which the count is another one than when this was asked last. */
  recounted(): readonly Target[];
  /** Changes with every event. */
  changes(): number;
  /** No event lasts longer, in seconds. */
  longest(): number;
  /** Whether it has many more texts than events: former ones stay among the words. */
  isWorn(): boolean;
  /** Bytes of memory, roughly. */
  bytes(): number;
}

/** Columns that have members of rows as they are. */
const AS_IN_ROWS = ['revision', 'recordedAt', 'startsAt', 'endsAt', 'date', 'author', 'traits', 'textDigest'] as const;

const FIRST_SLOTS = 1_024;
const NO_TEXT = -1;
/** Former texts that even a small calendar may have. */
const SPARE_TEXTS = 20_000;
/** Texts that are indexed in about a millisecond. */
const TEXTS_AT_ONCE = 32;
/** Events of a loaded index that are entered in their lists in about a millisecond. */
const LISTED_AT_ONCE = 4_096;
/** Targets of which the lists are made in about a millisecond. */
const TARGETS_AT_ONCE = 512;

const PUBLISHED = statusCode('publish');
const PROTECTED = flagBit('protected');

/** What a table begins with. */
interface Beginning {
  readonly columns: Columns;
  readonly slots: number;
  readonly slotsById: SlotsById;
  readonly links: Int32Array;
  readonly linksUsed: number;
  readonly targets: readonly Target[];
  readonly words: Words;
  readonly longest: number;
}

const empty = (columns = emptyColumns(FIRST_SLOTS)): Beginning => ({
  columns,
  slots: 0,
  slotsById: openSlotsById(() => columns.id),
  links: new Int32Array(FIRST_SLOTS),
  linksUsed: 0,
  targets: [],
  words: openWords(),
  longest: 0,
});

export function openEventTable(beginning = empty()): EventTable {
  const { columns, words } = beginning;
  const free: number[] = [];
  let { slots, slotsById, links, linksUsed, longest } = beginning;
  let linksInUse = linksUsed;
  const targets: Target[] = [];
  /** Few have the same id: a term, a post, a life of it. */
  const targetsById = new Map<TargetId, Target[]>();
  for (const { kind, id, life } of beginning.targets) newTarget(kind, id, life);

  let slotOfText = new Int32Array(FIRST_SLOTS);
  /** Words of texts that are not indexed yet, by id. */
  const unindexed = new Map<number, string>();

  const order = noSlots();
  const byEnd = noSlots();
  let isLoading = true;
  let changes = 0;

  const compare: Compare = (one, other) => {
    const { startsAt, date, id } = columns;
    return (
      (startsAt[one] ?? 0) - (startsAt[other] ?? 0) ||
      (date[one] ?? 0) - (date[other] ?? 0) ||
      (id[one] ?? 0) - (id[other] ?? 0)
    );
  };
  const compareEnds: Compare = (one, other) => (columns.endsAt[one] ?? 0) - (columns.endsAt[other] ?? 0) || one - other;

  function newSlot(id: number): number {
    const slot = free.pop() ?? slots++;
    if (slot >= columns.id.length) grow(columns, 2 * slot);
    columns.id[slot] = id;
    columns.text[slot] = NO_TEXT;
    slotsById.add(slot);
    return slot;
  }

  // Links.

  function targetKnown(kind: TargetKind, id: TargetId, life = 0): Target | undefined {
    for (const target of targetsById.get(id) ?? []) if (target.kind === kind && target.life === life) return target;
    return undefined;
  }

  const targetFor = (kind: TargetKind, id: TargetId, life: number): Target =>
    targetKnown(kind, id, life) ?? newTarget(kind, id, life);

  function newTarget(kind: TargetKind, id: TargetId, life: number): Target {
    const isTerm = kind === 'category' || kind === 'tag';
    const target = { kind, id, life, number: targets.length, isTerm, events: noSlots(), open: 0 };
    targets.push(target);
    targetsById.set(id, [...(targetsById.get(id) ?? []), target]);
    return target;
  }

  function shows(row: EventRow): boolean {
    const slot = slotsById.get(row.id);
    if (slot === undefined) return false;
    const linked = foundFor(row, targetKnown);
    return (
      AS_IN_ROWS.every((name) => columns[name][slot] === row[name]) &&
      columns.parent[slot] === (row.parent ?? 0) &&
      columns.linkCount[slot] === linked.length &&
      [...linkedTo(slot)].every((target) => linked.includes(target))
    );
  }

  /** Makes room for links, in the place of those that are not in use any more if these are many. */
  function reserveLinks(count: number): void {
    if (linksUsed + count <= links.length) return;
    const from = links;
    links = new Int32Array(2 * (linksInUse + count) + FIRST_SLOTS);
    linksUsed = 0;
    for (const slot of slotsById.all()) {
      const first = columns.linkFrom[slot] ?? 0;
      const length = columns.linkCount[slot] ?? 0;
      links.set(from.subarray(first, first + length), linksUsed);
      columns.linkFrom[slot] = linksUsed;
      linksUsed += length;
    }
  }

  function* linkedTo(slot: number): Generator<Target> {
    const first = columns.linkFrom[slot] ?? 0;
    for (let at = first; at < first + (columns.linkCount[slot] ?? 0); at++) {
      const target = targets[links[at] ?? 0];
      if (target) yield target;
    }
  }

  function isOpen(slot: number): boolean {
    const traits = columns.traits[slot] ?? 0;
    return statusIn(traits) === PUBLISHED && (traits & PROTECTED) === 0;
  }

  // Texts.

  function enterText(slot: number, searchText: string): void {
    const text = words.add(searchText);
    if (text >= slotOfText.length) {
      const larger = new Int32Array(2 * text);
      larger.set(slotOfText);
      slotOfText = larger;
    }
    slotOfText[text] = slot;
    columns.text[slot] = text;
  }

  function leaveText(slot: number): void {
    unindexed.delete(columns.id[slot] ?? 0);
    const text = columns.text[slot] ?? NO_TEXT;
    if (text !== NO_TEXT) slotOfText[text] = NO_TEXT;
    columns.text[slot] = NO_TEXT;
  }

  function addText(slot: number, searchText: string): void {
    if (isLoading || unindexed.size > 0) unindexed.set(columns.id[slot] ?? 0, searchText);
    else enterText(slot, searchText);
  }

  // Changes.

  /** Terms of which the count may have changed since `recounted` was asked, with the count before. */
  const counted = new Map<Target, number>();

  function count(target: Target, by: number): void {
    if (!target.isTerm) return;
    if (!counted.has(target)) counted.set(target, target.open);
    target.open += by;
  }

  function enterColumns(slot: number, row: EventRow): void {
    for (const name of AS_IN_ROWS) columns[name][slot] = row[name];
    longest = Math.max(longest, row.endsAt - row.startsAt);
    columns.parent[slot] = row.parent ?? 0;
    const linked = foundFor(row, targetFor);
    reserveLinks(linked.length);
    columns.linkFrom[slot] = linksUsed;
    columns.linkCount[slot] = linked.length;
    linksInUse += linked.length;
    for (const target of linked) links[linksUsed++] = target.number;
  }

  function leave(slot: number): void {
    if (!isLoading) {
      remove(order, slot, compare);
      remove(byEnd, slot, compareEnds);
      const by = -Number(isOpen(slot));
      for (const target of linkedTo(slot)) {
        remove(target.events, slot, compare);
        count(target, by);
      }
    }
    linksInUse -= columns.linkCount[slot] ?? 0;
    columns.linkCount[slot] = 0;
  }

  function enter(slot: number, row: EventRow): void {
    enterColumns(slot, row);
    if (isLoading) return;
    insert(order, slot, compare);
    insert(byEnd, slot, compareEnds);
    const by = Number(isOpen(slot));
    for (const target of linkedTo(slot)) {
      insert(target.events, slot, compare);
      count(target, by);
    }
  }

  /** Gives events their slots in the order of lists: what is walked one after the other is read from memory so. */
  function* renumber(): Generator<undefined, void> {
    const inUse = slotsById.all();
    yield;
    const places = yield* sorted(inUse, compare);
    const previousLinks = links;
    Object.assign(columns, yield* gathered(columns, places, FIRST_SLOTS));
    slotOfText = new Int32Array(words.texts() + FIRST_SLOTS).fill(NO_TEXT);
    slots = places.length;
    slotsById = openSlotsById(() => columns.id, slots);
    free.length = 0;
    // Lists that grew one after the other took a third more, and some 20 ms at once.
    const counts = new Int32Array(targets.length);
    for (let slot = 0; slot < slots; slot++) {
      const first = columns.linkFrom[slot] ?? 0;
      for (let at = first; at < first + (columns.linkCount[slot] ?? 0); at++) {
        const target = previousLinks[at] ?? 0;
        counts[target] = (counts[target] ?? 0) + 1;
      }
      if (slot % LISTED_AT_ONCE === 0) yield;
    }
    order.items = new Int32Array(slots);
    yield;
    for (const { events, number } of targets) {
      events.items = new Int32Array(counts[number] ?? 0);
      if (number % TARGETS_AT_ONCE === 0) yield;
    }
    links = new Int32Array(linksInUse + FIRST_SLOTS);
    linksUsed = 0;
    for (let slot = 0; slot < slots; slot++) {
      const first = columns.linkFrom[slot] ?? 0;
      const count = columns.linkCount[slot] ?? 0;
      columns.linkFrom[slot] = linksUsed;
      slotsById.add(slot);
      const text = columns.text[slot] ?? NO_TEXT;
      if (text !== NO_TEXT) slotOfText[text] = slot;
      append(order, slot);
      const by = Number(isOpen(slot));
      for (let at = first; at < first + count; at++) {
        const number = previousLinks[at] ?? 0;
        links[linksUsed++] = number;
        const target = targets[number];
        if (!target) continue;
        append(target.events, slot);
        target.open += by;
      }
      if (slot % LISTED_AT_ONCE === 0) yield;
    }
  }

  function replace(id: number, row: EventRow | null): void {
    changes += 1;
    const previousSlot = slotsById.get(id);
    if (previousSlot !== undefined) leave(previousSlot);
    if (row !== null) {
      const slot = previousSlot ?? newSlot(id);
      const isTextNew = previousSlot === undefined || columns.textDigest[slot] !== row.textDigest;
      enter(slot, row);
      if (previousSlot !== undefined && isTextNew) leaveText(slot);
      if (isTextNew) addText(slot, row.words);
    } else if (previousSlot !== undefined) {
      leaveText(previousSlot);
      slotsById.remove(previousSlot);
      free.push(previousSlot);
    }
  }

  return {
    columns,
    order,
    byEnd,
    words,
    compare,
    shows,
    replace,
    linkedTo,
    links: () => links,
    slotOf: (id) => slotsById.get(id),
    slots: () => slots,
    slotsOfTexts: () => slotOfText,
    target: targetKnown,
    targets: () => targets.length,
    *copy(places, spare, traitsOf) {
      // Those are for what changes later.
      const unused = { recordedAt: new Float64Array(), textDigest: new Float64Array() };
      const copied = yield* gathered({ ...columns, ...unused }, places, spare + FIRST_SLOTS);
      const ids = openSlotsById(() => copied.id, places.length);
      for (let slot = 0; slot < places.length; slot++) {
        copied.traits[slot] = traitsOf(copied.traits[slot] ?? 0);
        // One that was gone for a while may be in two slots, and is replaced.
        if (ids.get(copied.id[slot] ?? 0) === undefined) ids.add(slot);
        if (slot % LISTED_AT_ONCE === 0) yield;
      }
      // Where the links of an event are may change with any other: these are copied in one turn.
      for (let slot = 0; slot < places.length; slot++) {
        copied.linkFrom[slot] = columns.linkFrom[places[slot] ?? 0] ?? 0;
        copied.linkCount[slot] = columns.linkCount[places[slot] ?? 0] ?? 0;
      }
      const copiedLinks = { links: links.slice(0, linksUsed + FIRST_SLOTS), linksUsed, targets: [...targets] };
      yield;
      const beginning = { columns: copied, slots: places.length, slotsById: ids, longest, words: openWords(words) };
      return openEventTable({ ...beginning, ...copiedLinks });
    },
    *loaded() {
      yield* renumber();
      byEnd.items = yield* sorted(order.items.subarray(0, order.length), compareEnds);
      byEnd.length = order.length;
      isLoading = false;
    },
    *work() {
      let entered = 0;
      for (const [id, searchText] of unindexed) {
        unindexed.delete(id);
        const slot = slotsById.get(id);
        if (slot !== undefined) enterText(slot, searchText);
        if (++entered % TEXTS_AT_ONCE === 0) yield;
      }
    },
    recounted() {
      const changed = [...counted].filter(([{ open }, before]) => open !== before).map(([target]) => target);
      counted.clear();
      return changed;
    },
    changes: () => changes,
    longest: () => longest,
    isWorn: () => words.texts() - words.shared > 2 * slotsById.size() + SPARE_TEXTS,
    bytes() {
      const ofColumns = Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
      const ofTargets = targets.reduce((sum, { events }) => sum + events.items.byteLength + 200, 0);
      const ofOrder = order.items.byteLength + byEnd.items.byteLength + slotOfText.byteLength;
      return ofColumns + ofTargets + ofOrder + links.byteLength + 40 * slotsById.size() + words.bytes();
    },
  };
}
