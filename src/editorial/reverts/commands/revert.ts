// Reverts events, venues and organizers to a revision: an ordinary change, decided on today's log.

import {
  type CalendarEvent,
  type EventContext,
  type EventFact,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import { type LinkedPost, ORGANIZERS, renameIn, VENUES } from '../../../calendar/linked-post/commands/linked-posts.ts';
import { type Organizer, type OrganizerFact, withoutErased } from '../../../calendar/linked-post/domain/organizer.ts';
import type { Venue, VenueFact } from '../../../calendar/linked-post/domain/venue.ts';
import { kindOfId } from '../../../calendar/resource/commands/references.ts';
import { type Post, type PostKind, scaledStatus, statusAfter } from '../../../calendar/resource/domain/post.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommandOnce } from '../../../commands/handle-command.ts';
import { slugForChanged, streamOf } from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { planMove } from '../../../commands/reservations/tree.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, type Evolve, type Fact, type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection, type RevertConflict } from '../../../domain/rejections.ts';
import { fold, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import { may, mayAssignAuthors, mayPublish, mayReadHistory } from '../../../people/auth/policy.ts';
import { planMergeAgain } from '../../merges/commands/merge-again.ts';
import { planUnmerge } from '../../merges/commands/unmerge.ts';
import { lifePatch, revertEvent, revertOrganizer, revertVenue } from '../domain/revert.ts';
import {
  authorConflicts,
  imageConflicts,
  linksAsThen,
  parentConflicts,
  pastStreams,
  type Settled,
  termsAsThen,
} from './revert-references.ts';

/** A key counts for the resource that it was sent to. */
export const keyedTo = (context: CommandContext, stream: string): CommandContext => {
  const { idempotencyKey: key } = context;
  return key === undefined ? context : { ...context, idempotencyKey: `revert ${stream}\n${key}` };
};

export const conflicting = (conflicts: readonly RevertConflict[]): Rejected =>
  rejected({ code: 'revert_conflict', conflicts });

/** The present and the earlier state of a resource. */
export interface ThenAndNow<State> {
  readonly now: State;
  readonly then: State;
  readonly events: readonly RecordedEvent[];
  /** The event that led to `then`. */
  readonly at: RecordedEvent;
  /** Whether nothing has been recorded since. */
  readonly isNow: boolean;
}

/** Both states of a stream that is known to exist. */
export function thenAndNow<State, F extends Fact>(
  events: readonly RecordedEvent[],
  evolve: Evolve<State, F>,
  now: State,
  revision: Revision,
): ThenAndNow<State> | Rejected {
  const last = events.at(-1)?.revision ?? 0;
  const end = events.findIndex((event) => event.revision === revision);
  const at = events[end];
  const then = at ? fold(events.slice(0, end + 1), evolve) : null;
  if (!at || !then) return rejected({ code: 'revision_not_found', details: { revision, last_revision: last } });
  return { now, then, events, at, isNow: at.revision === last };
}

/** What sets the kinds of posts apart. */
interface Revertible<State, F extends Fact> {
  readonly kind: PostKind;
  readonly evolve: Evolve<State, F>;
  /** The earlier state in today's terms, and what prevents it. */
  readonly target: (unit: UnitOfWork, states: ThenAndNow<State>) => Promise<Settled<State>>;
  readonly decide: (now: State, target: State, revision: Revision, context: EventContext) => Decision<F>;
  /** Plans what goes with the facts of the post. */
  readonly plan: (unit: UnitOfWork, states: ThenAndNow<State>, target: State) => Promise<void>;
}

const revertOf =
  <State extends Post & Pick<CalendarEvent, 'image'>, F extends Fact>(of: Revertible<State, F>) =>
  (dependencies: CommandDependencies, context: CommandContext, id: number, revision: Revision) => {
    const stream = streamOf(of.kind, id);
    return handleCommandOnce(dependencies, keyedTo(context, stream), of, [stream], async (unit) => {
      const states = await present(unit, context, of, id, revision);
      if (!('then' in states)) return states;
      const planned: Attempt<State, F> = { kind: 'planned', id, stream, evolve: of.evolve, created: false };
      if (states.isNow) return planned;
      const again =
        of.kind === 'event' ? null : await planMergeAgain(dependencies.store, unit, context, of.kind, states);
      if (again) return again.kind === 'rejected' ? again : planned;
      const target = await of.target(unit, states);
      const settled = await settle(unit, context, of.kind, states.now, target.value);
      if ('kind' in settled) return settled;
      const conflicts = [...settled.conflicts, ...target.conflicts];
      if (conflicts.length > 0) return conflicting(conflicts);
      const { siteZone } = dependencies;
      const { now } = context;
      const decision = of.decide(states.now, target.value, revision, { now, siteZone, slug: settled.slug });
      if (decision.kind === 'rejected') return decision;
      await of.plan(unit, states, target.value);
      await unit.record(stream, decision.facts);
      return planned;
    });
  };

export const revertCalendarEvent = revertOf<CalendarEvent, EventFact>({
  kind: 'event',
  evolve: evolveEvent,
  target: eventOfToday,
  decide: revertEvent,
  async plan(unit, { now }, { parent }) {
    if (parent !== now.parent) await planMove(unit, 'event', now.id, parent);
  },
});

/** `restorable`: the part of an earlier state that can be restored. */
const linkedPostRevert = <State extends LinkedPost & Pick<CalendarEvent, 'image'>, F extends Fact>(
  { kind, evolve }: { readonly kind: 'venue' | 'organizer'; readonly evolve: Evolve<State, F> },
  decide: Revertible<State, F>['decide'],
  restorable: (now: State, then: State) => State,
) =>
  revertOf({
    kind,
    evolve,
    target: async (_unit, { now, then }) => ({ value: restorable(now, then), conflicts: [] }),
    decide,
    async plan(unit, { now, events }, { name }) {
      if (now.mergedInto !== undefined) await planUnmerge(unit, kind, events);
      await renameIn(unit, kind, now, name);
    },
  });

export const revertVenueOf = linkedPostRevert<Venue, VenueFact>(VENUES, revertVenue, (_now, then) => then);

export const revertOrganizerOf = linkedPostRevert<Organizer, OrganizerFact>(ORGANIZERS, revertOrganizer, withoutErased);

/** An earlier state of an event with its references, as far as these still exist. */
async function eventOfToday(unit: UnitOfWork, states: ThenAndNow<CalendarEvent>): Promise<Settled<CalendarEvent>> {
  const { now, then, at } = states;
  const past = pastStreams(unit.store, at.position);
  const venues = await linksAsThen(unit.store, past, 'venues', states);
  const organizers = await linksAsThen(unit.store, past, 'organizers', states);
  const categories = await termsAsThen(unit.store, past, 'categories', states);
  const tags = await termsAsThen(unit.store, past, 'tags', states);
  const value: CalendarEvent = {
    ...then,
    venues: venues.value,
    organizers: organizers.value,
    categories: categories.value,
    tags: tags.value,
  };
  const conflicts = [
    ...[venues, organizers, categories, tags].flatMap((settled) => settled.conflicts),
    ...(await parentConflicts(unit, now, then.parent)),
  ];
  return { value, conflicts };
}

/** Both states of the post, if the caller may change it and read its history. */
async function present<State extends Post, F extends Fact>(
  unit: UnitOfWork,
  { caller, ifRevision }: CommandContext,
  { kind, evolve }: { readonly kind: PostKind; readonly evolve: Evolve<State, F> },
  id: number,
  revision: Revision,
): Promise<ThenAndNow<State> | Rejected> {
  const events = await unit.store.readStream(streamOf(kind, id));
  const now = fold(events, evolve);
  if (!may(caller, 'update', kind, now ?? undefined)) return rejected('forbidden');
  if (!now) return rejected(await unknown(unit, kind, id));
  if (!mayReadHistory(caller, kind, now)) return rejected('forbidden');
  const last = events.at(-1)?.revision;
  if (ifRevision !== undefined && ifRevision !== last) return rejected('precondition_failed');
  return thenAndNow(events, evolve, now, revision);
}

async function unknown(unit: UnitOfWork, kind: PostKind, id: number): Promise<Rejection> {
  if (kind !== 'event') return invalidParameter('id');
  const other = await kindOfId(unit.store, id);
  return { code: other === null || other === 'event' ? 'event_not_found' : 'not_an_event', parameter: 'id' };
}

/**
 * The part of the life of a post that needs checks: the caller's rights, and whether slug, author and image are
 * available. Reserves the slug of the earlier state.
 */
async function settle<State extends Post & Pick<CalendarEvent, 'image'>>(
  unit: UnitOfWork,
  context: CommandContext,
  kind: PostKind,
  now: State,
  then: State,
) {
  const status = statusAfter(now, lifePatch(now, then), context.now);
  const forbidden = forbiddenField(context, kind, now, { author: then.author, status });
  if (forbidden !== null) return rejected({ code: 'forbidden', parameter: forbidden });
  // Read the owner before the reservation: afterwards it is this post.
  const owner = await ownerOfSlug(unit.store, kind, then.slug);
  const slug = await slugForChanged(unit, now, { kind, id: now.id, preferred: then.slug, origin: 'given' }, status);
  return {
    slug,
    conflicts: [
      // A post in the trash does not show its slug.
      ...(slug === then.slug || status === 'trash' ? [] : [slugConflict(then.slug, owner)]),
      ...(await authorConflicts(unit.store, now.author, then.author)),
      ...(await imageConflicts(unit.store, now.image, then.image)),
    ],
  };
}

/** What the caller could not change by an ordinary request either. */
function forbiddenField(
  { caller }: CommandContext,
  kind: PostKind,
  now: Post,
  { author, status }: Pick<Post, 'author' | 'status'>,
): 'author' | 'status' | null {
  if (author !== now.author && !mayAssignAuthors(caller)) return 'author';
  if (status === now.status) return null;
  if (!mayPublish(caller) && scaledStatus(status, 'may not publish') !== status) return 'status';
  return status === 'trash' && !may(caller, 'delete', kind, now) ? 'status' : null;
}

/** `owner` is the stream of the resource that has it. */
export function slugConflict(slug: string, owner: string | null): RevertConflict {
  const [, kind, id] = /^(.+)-(\d+)$/.exec(owner ?? '') ?? [];
  const thing = kind === undefined ? {} : { thing: { kind, id: Number(id) } };
  return { field: 'slug', slug, ...thing, why: 'taken' };
}
