// The writing half of an import: claim ids, then write terms, venues and organizers, events.
// decision 26

import { setImmediate as endOfRound } from 'node:timers/promises';
import { ORGANIZERS, VENUES } from '../../calendar/linked-post/commands/linked-posts.ts';
import { kindOfId } from '../../calendar/resource/commands/references.ts';
import { TERM_KINDS } from '../../calendar/term/domain/term.ts';
import { metadataOf } from '../../commands/context.ts';
import { streamOf } from '../../commands/reservations/reservations.ts';
import { comparedName } from '../../kernel/text/compared-name.ts';
import { slugFrom } from '../../kernel/text/slug.ts';
import {
  type Disposition,
  type EventList,
  type LargePlan,
  type Origin,
  type PlannedEvent,
  sizeOf,
} from './import-plan.ts';
import type { Progress } from './progress.ts';
import { placeUnderParent, writeEvent } from './write/events.ts';
import { writeLinkedPost } from './write/linked-posts.ts';
import { writeSeries } from './write/series.ts';
import { byDepth, writeTerm } from './write/terms.ts';
import { answersTo, contextOf, type Writing } from './write/writing.ts';

/** Concurrent commands: the store commits together what arrives together. */
const AT_ONCE = 256;
/** How many keys are made before others have their turn. */
const PORTION = 50;

/**
 * Writes everything, referenced resources first. Once `signal` is aborted nothing more is started: work in progress
 * ends, and the rest is left undone.
 */
export async function writeAll(writing: Writing, plan: LargePlan, progress: Progress, signal?: AbortSignal) {
  const { terms, venues, organizers, events } = plan;
  const { atOnce = AT_ONCE } = writing;
  const total = sizeOf(plan);
  progress.begin('Writing', 'records', total);
  const order = await orderOf(events);
  if (!signal?.aborted) await claimIds(writing, plan, order.claiming);
  let count = 0;
  const through = async <Planned>(
    all: readonly Planned[],
    lane: (planned: Planned) => string,
    work: (planned: Planned) => Promise<void>,
  ) =>
    withKeyedConcurrency(all, { atOnce, laneOf: lane }, async (planned) => {
      if (signal?.aborted) return;
      await work(planned);
      progress.reach(++count);
    });
  for (const level of byDepth(terms))
    await through(
      level,
      ({ kind, name }) => `${kind} ${slugFrom(name)}`,
      (planned) => writeTerm(writing, planned),
    );
  await through(
    trashFirst(venues),
    ({ input }) => comparedName(input.name ?? ''),
    (planned) => writeLinkedPost(writing, VENUES, planned),
  );
  await through(
    trashFirst(organizers),
    ({ input }) => comparedName(input.name ?? ''),
    (planned) => writeLinkedPost(writing, ORGANIZERS, planned),
  );
  await through(
    order.inTurn,
    ({ lane }) => lane,
    async ({ index }) => {
      const planned = eventAt(events, index);
      await (planned.series ? writeSeries(writing, planned, planned.series) : writeEvent(writing, planned));
      if (planned.parent === undefined) events.drop?.(index);
    },
  );
  // A parent may be an event that comes after its children.
  for (const index of order.children) if (!signal?.aborted) await placeUnderParent(writing, eventAt(events, index));
  progress.end();
  return {
    /** Plans that an interruption has left undone. */
    remainder: total - count,
  };
}

/** Resources that go to the trash release their slugs before other events request them. */
const trashFirst = <Planned extends { readonly disposition?: Disposition }>(
  plan: readonly Planned[],
): readonly Planned[] => [
  ...plan.filter(({ disposition }) => disposition === 'trash'),
  ...plan.filter(({ disposition }) => disposition !== 'trash'),
];

interface OrderOfEvents {
  /** Those that go to the trash first. `lane`: the slug that it wants. */
  readonly inTurn: readonly { readonly index: number; readonly lane: string }[];
  /** These resources claim the ids that they have. */
  readonly claiming: readonly WithId[];
  /** These events have records that tell their parents. */
  readonly children: readonly number[];
}

/** This takes one pass, since each look at a packed event makes it anew. */
async function orderOf(events: EventList): Promise<OrderOfEvents> {
  const [trash, others]: [OrderOfEvents['inTurn'][number][], OrderOfEvents['inTurn'][number][]] = [[], []];
  const [claiming, children]: [WithId[], number[]] = [[], []];
  let index = 0;
  for (const { origin, id, input, disposition, parent } of events) {
    if (index % PORTION === PORTION - 1) await endOfRound();
    const turn = { index, lane: slugFrom(input.slug ?? input.title ?? '') };
    if (disposition === 'trash') trash.push(turn);
    else others.push(turn);
    if (id !== undefined) claiming.push({ origin, id });
    if (parent !== undefined) children.push(index);
    index += 1;
  }
  return { inTurn: [...trash, ...others], claiming, children };
}

function eventAt(events: EventList, index: number): PlannedEvent {
  const event = events.at(index);
  if (!event) throw new Error(`there is no planned event ${index}`);
  return event;
}

type WithId = { readonly origin: Origin; readonly id: number | undefined };

async function claimIds(
  writing: Writing,
  { terms, venues, organizers }: LargePlan,
  events: readonly WithId[],
): Promise<void> {
  const { store, postIds, termIds } = writing.commands;
  await claimFrom(writing, [...venues, ...organizers, ...events], postIds, async (id) => {
    return (await kindOfId(store, id)) !== null;
  });
  await claimFrom(writing, terms, termIds, async (id) => {
    const [category = [], tag = []] = await Promise.all(
      TERM_KINDS.map((kind) => store.readStream(streamOf(kind, id), { limit: 1 })),
    );
    return category.length + tag.length > 0;
  });
}

/** Requests the original ids of new resources, source by source. */
async function claimFrom(
  writing: Writing,
  plan: readonly WithId[],
  ids: Writing['commands']['postIds'],
  isUsed: (id: number) => Promise<boolean>,
): Promise<void> {
  const bySource = new Map<string, WithId[]>();
  for (const planned of await withoutEarlier(writing, plan)) {
    const siblings = bySource.get(planned.origin.source);
    if (siblings) siblings.push(planned);
    else bySource.set(planned.origin.source, [planned]);
  }
  for (const [claimant, claiming] of bySource) {
    const [first] = claiming;
    if (!first) continue;
    const wished = claiming.flatMap(({ id }) => id ?? []);
    const metadata = metadataOf(contextOf(writing, first.origin));
    const grants = await ids.claim(wished, metadata, { claimant, isUsed });
    for (const { id, origin } of claiming)
      if (id !== undefined && grants.has(id)) writing.grantedIds.set(origin.key, id);
  }
}

/** The resources with an id that no earlier run has written, in order. */
async function withoutEarlier(writing: Writing, plan: readonly WithId[]): Promise<WithId[]> {
  const { atOnce = AT_ONCE } = writing;
  const withId = plan.filter(({ id }) => id !== undefined);
  const unwritten: WithId[] = [];
  for (let first = 0; first < withId.length; first += atOnce) {
    const some = withId.slice(first, first + atOnce);
    const earlier = await Promise.all(some.map(async ({ origin }) => (await answersTo(writing, origin)).own));
    unwritten.push(...some.filter((_, index) => earlier[index] === null));
  }
  return unwritten;
}

interface Lanes<Item> {
  /** Limit of concurrent items. */
  readonly atOnce: number;
  /** Items with one key are processed one after the other, in order, because they would conflict. */
  readonly laneOf: (item: Item) => string;
}

/** Processes all items, several at a time; rejects with the first failure, once running work has ended. */
async function withKeyedConcurrency<Item>(
  items: readonly Item[],
  { atOnce, laneOf }: Lanes<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lanes = new Map<string, Item[]>();
  for (const [index, item] of items.entries()) {
    if (index % PORTION === PORTION - 1) await endOfRound();
    const name = laneOf(item);
    const lane = lanes.get(name);
    if (lane) lane.push(item);
    else lanes.set(name, [item]);
  }
  const waiting = lanes.values();
  const failures: unknown[] = [];
  async function worker(): Promise<void> {
    for (const lane of waiting) await throughLane(lane);
  }
  async function throughLane(lane: readonly Item[]): Promise<void> {
    for (const item of lane) if (failures.length === 0) await work(item).catch((error) => void failures.push(error));
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, lanes.size) }, worker));
  if (failures.length > 0) throw failures[0];
}
