// Merges two resources of a kind that are the same: in one unit of work every event that is linked to the one is linked
// to the one that stays. On a store that writes stream after stream the merged one is first, with the events that are to
// follow, and the one that stays last: a merge without that end is completed (complete.ts).

import { evolveOrganizer, type Organizer } from '../../../calendar/linked-post/domain/organizer.ts';
import { evolveVenue, type Venue } from '../../../calendar/linked-post/domain/venue.ts';
import { survivorOf } from '../../../calendar/resource/commands/references.ts';
import { evolveTerm, type Term } from '../../../calendar/term/domain/term.ts';
import type { CommandContext, CommandDependencies, Written } from '../../../commands/context.ts';
import { handleCommand } from '../../../commands/handle-command.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { isAbove, planMove } from '../../../commands/reservations/tree.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Evolve, type Fact, type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { mayMerge } from '../../../people/auth/policy.ts';
import { type MergedKind, mergeFacts } from '../domain/merge.ts';
import { relinkedFacts } from '../domain/relinking.ts';
import { eventsThatMentioned } from './mentioned.ts';
import { relink } from './relink.ts';

export type Mergeable = Venue | Organizer | Term;

/** The one that stays, by its id or slug. */
type MergeTarget = { readonly id: number } | { readonly slug: string };

interface MergeWish {
  readonly kind: MergedKind;
  /** The one that goes. */
  readonly id: number;
  readonly into: MergeTarget;
}

/** What a merge does. */
export interface Merge {
  readonly from: Mergeable;
  readonly into: Mergeable;
  /** Ids of the events that are linked to the one that stays from then on, ascending. */
  readonly events: readonly number[];
}

type MergeResult = Rejected | { readonly kind: 'merged'; readonly merge: Merge; readonly written: Written<Mergeable> };

/** As clients name it: digits are an id. */
export function mergeTarget(value: unknown): MergeTarget {
  const text = String(value);
  return /^\d{1,15}$/.test(text) ? { id: Number(text) } : { slug: slugFrom(text) };
}

const EVOLVE = { venue: evolveVenue, organizer: evolveOrganizer, category: evolveTerm, tag: evolveTerm };

/** Merges, or says what a merge would do if `dependencies` have a store for dry runs. */
export async function mergeResources(
  dependencies: CommandDependencies,
  context: CommandContext,
  wish: MergeWish,
): Promise<MergeResult> {
  let merge: Merge | null = null;
  const result = await mergeOneOf(dependencies, context, wish, (planned) => {
    merge = planned;
  });
  if (result.kind === 'rejected') return result;
  if (!merge) throw new Error('a merge was written that was not planned');
  return { kind: 'merged', merge, written: result.written };
}

/** Merges them; `report` is called with what is about to be written. The answer is the one that stays. */
export async function mergeOneOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  wish: MergeWish,
  report: (merge: Merge) => void = () => {},
) {
  const mentioned = eventsThatMentioned(dependencies.store, streamOf(wish.kind, wish.id));
  const streams = [streamOf(wish.kind, wish.id)];
  return handleCommand(dependencies, context, streams, async (unit) => {
    const planned = await planMerge(unit, context, wish, mentioned);
    if (planned.kind === 'rejected') return planned;
    report(planned.merge);
    const { id } = planned.merge.into;
    return { kind: 'planned', id, stream: streamOf(wish.kind, id), evolve: evolveOf(wish.kind), created: false };
  });
}

/** Plans everything that a merge records, if the caller may merge and the two can be merged. */
export async function planMerge(
  unit: UnitOfWork,
  context: CommandContext,
  wish: MergeWish,
  mentioned: () => Promise<readonly number[]>,
): Promise<Rejected | { readonly kind: 'planned'; readonly merge: Merge }> {
  const { kind } = wish;
  if (!mayMerge(context.caller, kind)) return rejected('forbidden');
  const parties = await partiesOf(unit, context, wish);
  if ('rejection' in parties) return parties;
  const { from, into } = parties;
  const events = await relinkEvents(unit, kind, parties, await mentioned());
  const facts = mergeFacts(kind, from.id, { into: into.id, events });
  if (kind === 'category') await planMove(unit, 'category', from.id, into.id);
  await unit.record(streamOf(kind, from.id), [facts.merged], 'first');
  await unit.record(streamOf(kind, into.id), [facts.absorbed], 'last');
  return { kind: 'planned', merge: { from, into, events } };
}

/** A stream of a kind holds facts of that kind only. */
export const evolveOf = (kind: MergedKind) => EVOLVE[kind] as Evolve<Mergeable, Fact>;

interface Parties {
  readonly from: Mergeable;
  readonly into: Mergeable;
}

const cannotMerge = (why: string, id: number) => rejected({ code: 'cannot_merge', details: { why, id } });

/** Both of them, if they can be merged. */
async function partiesOf(
  unit: UnitOfWork,
  context: CommandContext,
  { kind, id, into: reference }: MergeWish,
): Promise<Parties | Rejected> {
  const { state: from, revision } = await unit.load(streamOf(kind, id), evolveOf(kind));
  if (!from) return rejected(invalidParameter('id'));
  if (from.mergedInto !== undefined)
    return rejected({ code: 'merged', details: { merged_into: await survivorOf(unit.store, kind, from) } });
  if (isGone(from)) return cannotMerge('in_trash', id);
  if (context.ifRevision !== undefined && context.ifRevision !== revision) return rejected('precondition_failed');
  const target = await idOfTarget(unit.store, kind, reference);
  const { state: into } = await unit.load(streamOf(kind, target), evolveOf(kind));
  if (!into) return rejected('merge_into_unknown');
  if (into.id === id) return cannotMerge('itself', id);
  if (into.mergedInto !== undefined) return cannotMerge('merged', into.id);
  if (isGone(into)) return cannotMerge('in_trash', into.id);
  if (kind === 'category' && (await isAbove(unit, 'category', id, into.id))) return cannotMerge('below', into.id);
  return { from, into };
}

const isGone = (state: Mergeable): boolean => ('deleted' in state ? state.deleted : state.status === 'trash');

/** 0 is the id of none. */
export async function idOfTarget(store: StreamReader, kind: MergedKind, reference: MergeTarget): Promise<number> {
  if ('id' in reference) return reference.id;
  const owner = await ownerOfSlug(store, kind, reference.slug);
  return Number(owner?.slice(owner.lastIndexOf('-') + 1) ?? 0);
}

const linkTo = (state: Mergeable) => ({ id: state.id, life: 'life' in state ? state.life : 0 });

/** Plans the facts of all events that are linked to the one that goes; returns their ids, ascending. */
export const relinkEvents = (
  unit: UnitOfWork,
  kind: MergedKind,
  { from, into }: Parties,
  candidates: readonly number[],
): Promise<number[]> => relink(unit, candidates, (event) => relinkedFacts(event, kind, linkTo(from), linkTo(into)));
