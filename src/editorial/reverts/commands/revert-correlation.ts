// Reverts one request or one import, resource by resource, with the ordinary commands: created resources go to the
// trash (terms are deleted), changed ones get their previous state. Each resource is an append of its own.

import { evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { loadEvent, loadOrganizer, loadVenue, referrersOf } from '../../../calendar/resource/commands/references.ts';
import { evolveTerm } from '../../../calendar/term/domain/term.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { rejected } from '../../../domain/decider.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import { fold, type RecordedEvent } from '../../../log/envelope.ts';
import type { EventStore, StreamReader } from '../../../log/event-store.ts';
import type { User } from '../../../people/auth/caller.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { TARGETS } from '../../proposals/commands/targets.ts';
import { trashRepeatingEvent } from '../../series/commands/change.ts';
import { loadSeries, streamOfSeries } from '../../series/commands/record.ts';
import { revertSeries } from '../../series/commands/revert.ts';
import { presentDates } from '../../series/domain/series.ts';
import { BESIDES, type Touched, type TouchedResource } from './touched.ts';

/** The actor of a revert from the command line. */
export const REVERTER: User = { id: 0, login: 'daybook revert', name: 'daybook revert', role: 'administrator' };

interface Reverting {
  readonly commands: CommandDependencies;
  /** The correlation to revert. */
  readonly correlationId: string;
  /** The context of every change: time, correlation id of this run, actor, reason. */
  readonly context: CommandContext;
  /** The run writes no more than this many resources, and leaves the others to a repetition; default: all of them. */
  readonly most?: number;
}

type RevertAction = 'trash' | 'delete' | 'revert';

/** It was changed after the correlation. */
interface LaterChange {
  readonly actor: string;
  readonly instant: string;
  readonly correlationId: string;
}

export type RevertOutcome =
  | { readonly kind: 'done'; readonly when: 'now' | 'earlier in this run' }
  /** Not tried: the run had written as much as it may. */
  | { readonly kind: 'left' }
  /** It already has that state. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed_later'; readonly by: LaterChange }
  /** Others refer to what the correlation created: `by` are their streams. */
  | { readonly kind: 'in_use'; readonly by: readonly string[] }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

export interface Reverted {
  readonly resource: TouchedResource;
  readonly action: RevertAction;
  readonly outcome: RevertOutcome;
}

/** How many were reverted, were as before already, and were left alone. */
export function countsOf(results: readonly Reverted[]) {
  const count = (...kinds: readonly RevertOutcome['kind'][]): number =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  return { done: count('done'), unchanged: count('unchanged'), conflicts: count('changed_later', 'in_use', 'refused') };
}

/**
 * Reverts everything that can be reverted. What blocks one resource may disappear with another (a slug, a category that
 * was deleted with it), so refused ones are retried for as long as anything else succeeds. Returns the results in the
 * order of work; `onDone` gets the number of finished resources. A run that is repeated under its correlation id, or cut
 * off by `most`, goes on where it was.
 */
export async function revertCorrelation(
  reverting: Reverting,
  { resources, mentions }: Touched,
  onDone: (resources: number) => void,
): Promise<readonly Reverted[]> {
  const outcomes = new Map<string, Reverted>();
  const { most = Infinity } = reverting;
  let waiting = await inOrder(reverting.commands.store, resources);
  let written = 0;
  for (let progressed = true; progressed; ) {
    progressed = false;
    const refused: TouchedResource[] = [];
    for (const resource of waiting) {
      if (written >= most) {
        outcomes.set(resource.stream, { resource, action: actionOn(resource), outcome: { kind: 'left' } });
        continue;
      }
      const reverted = await revertOne(reverting, resource, mentions.get(resource.stream) ?? []);
      outcomes.delete(resource.stream);
      outcomes.set(resource.stream, reverted);
      onDone(outcomes.size);
      if (reverted.outcome.kind === 'refused' || reverted.outcome.kind === 'in_use') refused.push(resource);
      if (reverted.outcome.kind !== 'done' || reverted.outcome.when !== 'now') continue;
      progressed = true;
      written += 1;
    }
    waiting = refused;
  }
  return [...outcomes.values()];
}

async function revertOne(
  { commands, correlationId, context }: Reverting,
  resource: TouchedResource,
  mentionedBy: Iterable<string>,
): Promise<Reverted> {
  const isOwn = resource.firstRevision === 0;
  const action = actionOn(resource);
  const { store } = commands;
  if (resource.isReunited)
    return { resource, action, outcome: { kind: 'refused', rejection: { code: 'revert_conflict' } } };
  const events = await factsOf(store, resource);
  const isOurs = events.at(-1)?.metadata.correlationId === context.correlationId;
  const asBefore: RevertOutcome = isOurs ? { kind: 'done', when: 'earlier in this run' } : { kind: 'unchanged' };
  if (isOwn && (await isRemoved(store, resource, events))) return { resource, action, outcome: asBefore };
  if (isTakenBack(resource, events)) return { resource, action, outcome: asBefore };
  const later = await laterChange(store, events, resource, correlationId);
  if (later && (isOwn || resource.kind === 'series' || !(await looksAsBefore(commands, context, resource))))
    return { resource, action, outcome: { kind: 'changed_later', by: later } };
  const by = isOwn ? await referrersOf(store, resource, mentionedBy) : [];
  if (by.length > 0) return { resource, action, outcome: { kind: 'in_use', by } };
  // Later changes are not overwritten either.
  const atRevision = { ...context, ifRevision: events.at(-1)?.revision };
  const result = await (isOwn ? remove(commands, atRevision, resource) : revert(commands, atRevision, resource));
  return { resource, action, outcome: outcomeOf(result, revisionOf(resource, events), asBefore) };
}

/** Whether the last that happened to a series was its revert to what it was before. */
function isTakenBack({ kind, firstRevision }: TouchedResource, events: readonly RecordedEvent[]): boolean {
  const at = events.findLastIndex(({ type }) => type === 'SeriesReverted');
  const reverted = events[at];
  if (kind !== 'series' || !reverted || reverted.revision < firstRevision) return false;
  const { toRevision } = reverted.data as unknown as { readonly toRevision: number }; // As the decider writes it.
  const { correlationId } = reverted.metadata;
  return (
    toRevision === firstRevision - 1 && events.slice(at).every((one) => one.metadata.correlationId === correlationId)
  );
}

/** A series that is still there always changes. */
const revisionOf = ({ series }: TouchedResource, events: readonly RecordedEvent[]): number =>
  series === undefined ? events.length - 1 : -1;

function actionOn(resource: TouchedResource): RevertAction {
  if (resource.firstRevision > 0) return 'revert';
  return isTerm(resource) ? 'delete' : 'trash';
}

function outcomeOf(result: CommandResult<unknown>, revisionBefore: number, asBefore: RevertOutcome): RevertOutcome {
  if (result.kind === 'rejected') return { kind: 'refused', rejection: result.rejection };
  return result.written.revision === revisionBefore ? asBefore : { kind: 'done', when: 'now' };
}

async function laterChange(
  store: EventStore,
  events: readonly RecordedEvent[],
  { firstRevision }: TouchedResource,
  correlationId: string,
): Promise<LaterChange | null> {
  const later = events.findLast(
    ({ revision, metadata }) => revision > firstRevision && metadata.correlationId !== correlationId,
  );
  if (!later) return null;
  const { actor, instant, correlationId: by } = later.metadata;
  return { actor: await openActors(store).nameOf(actor), instant, correlationId: by };
}

/** Whether there is nothing left to revert, as after an earlier run: tried on a log that discards writes. */
async function looksAsBefore(
  commands: CommandDependencies,
  context: CommandContext,
  resource: TouchedResource,
): Promise<boolean> {
  const store: EventStore = {
    ...commands.store,
    append: async () => ({ kind: 'conflict', stream: resource.stream, actual: 'no_stream' }),
  };
  const atRevision = { ...context, ifRevision: (await store.readStream(resource.stream)).at(-1)?.revision };
  return (await revert({ ...commands, store }, atRevision, resource)).kind === 'written';
}

type Run = (
  commands: CommandDependencies,
  context: CommandContext,
  resource: TouchedResource,
) => Promise<CommandResult<unknown>>;

const revert: Run = (commands, context, { kind, id, firstRevision }) => {
  const revision = firstRevision - 1;
  return kind === 'series'
    ? revertSeries(commands, { ...context, ifRevision: undefined }, id, revision)
    : TARGETS[kind].revert(commands, context, id, { revision });
};

const remove: Run = (commands, context, { kind, id, series }) =>
  kind === 'series' || series !== undefined
    ? trashSeries(commands, context, series ?? id)
    : TARGETS[kind].delete(commands, context, id, {});

/** All dates of a series. */
async function trashSeries(commands: CommandDependencies, context: CommandContext, id: number) {
  const series = await loadSeries(commands.store, id);
  const [date] = series ? presentDates(series) : [];
  if (!date) return rejected('event_in_trash');
  return trashRepeatingEvent(commands, { ...context, ifRevision: undefined }, date.id, 'all');
}

async function hasDates(store: StreamReader, id: number): Promise<boolean> {
  const series = await loadSeries(store, id);
  return series !== null && presentDates(series).length > 0;
}

/** What happened to a resource; of a series what people did to it, not what the service adds as time goes on. */
async function factsOf(
  store: StreamReader,
  { kind, stream, series }: TouchedResource,
): Promise<readonly RecordedEvent[]> {
  if (series === undefined) return store.readStream(stream);
  const facts = await store.readStream(streamOfSeries(series));
  const besides = kind === 'series' ? BESIDES : BESIDES.filter((type) => type !== 'OccurrenceDetached');
  return facts.filter(({ type }) => !besides.includes(type));
}

const isTerm = ({ kind }: TouchedResource): boolean => kind === 'category' || kind === 'tag';

/** Whether a resource is in the trash, deleted, or without a trace. */
async function isRemoved(
  store: EventStore,
  { kind, id, series }: TouchedResource,
  events: readonly RecordedEvent[],
): Promise<boolean> {
  if (kind === 'series' || series !== undefined) return !(await hasDates(store, series ?? id));
  if (kind === 'category' || kind === 'tag') return fold(events, evolveTerm)?.deleted ?? true;
  const load = { event: loadEvent, venue: loadVenue, organizer: loadOrganizer }[kind];
  const post = await load(store, id);
  return post === null || post.status === 'trash';
}

/** Resources are removed before what they depend on, and restored after it. */
const REMOVED_FIRST = ['series', 'event', 'venue', 'organizer', 'tag', 'category'] as const;

/**
 * First removed events: they release their slugs. Then what is restored, because events refer to terms and venues. Then
 * the venues, organizers and terms that no restored resource refers to. Within a kind children are removed before their
 * parents, and restored after them.
 */
async function inOrder(
  store: StreamReader,
  resources: readonly TouchedResource[],
): Promise<readonly TouchedResource[]> {
  const depths = new Map<TouchedResource, number>();
  for (const resource of resources) depths.set(resource, await depthOf(store, resource));
  const depth = (resource: TouchedResource): number => depths.get(resource) ?? 0;
  const rank = ({ kind }: TouchedResource): number => REMOVED_FIRST.indexOf(kind);
  const own = resources.filter(({ firstRevision }) => firstRevision === 0);
  const removed = own.toSorted((one, other) => rank(one) - rank(other) || depth(other) - depth(one));
  const others = resources.filter(({ firstRevision }) => firstRevision > 0);
  const broughtBack = others.toSorted((one, other) => rank(other) - rank(one) || depth(one) - depth(other));
  return [
    ...removed.filter(({ kind }) => kind === 'event'),
    ...broughtBack,
    ...removed.filter(({ kind }) => kind !== 'event'),
  ];
}

/** The number of its ancestors, as written today. */
async function depthOf(store: StreamReader, { kind, id }: TouchedResource): Promise<number> {
  if (kind !== 'event' && kind !== 'category') return 0;
  const parentOf = async (at: number): Promise<number> => {
    const events = await store.readStream(`${kind}-${at}`);
    const state = kind === 'event' ? fold(events, evolveEvent) : fold(events, evolveTerm);
    return state?.parent ?? 0;
  };
  const visited = new Set<number>([id]);
  for (let above = await parentOf(id); above !== 0 && !visited.has(above); above = await parentOf(above))
    visited.add(above);
  return visited.size - 1;
}
