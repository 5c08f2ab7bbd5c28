// Back to an earlier state of a resource: the facts that make it look as it did then. What it refers to, and whether its slug
// is free, has been settled before; `target` comes with today's links.
import { type CalendarEvent, changeEvent, type EventContext, type EventFact } from './calendar-event.ts';
import { accepted, type Decision, type Fact } from './decider.ts';
import { changeOrganizer, type Organizer, type OrganizerFact } from './organizer.ts';
import type { Post, PostContext, PostNoun, PostPatch } from './post.ts';
import { sameSchedule, scheduleAgain } from './schedule.ts';
import { changeTerm, deleteTerm, type Term, type TermFact, type TermNoun } from './term.ts';
import { changeVenue, type Venue, type VenueFact } from './venue.ts';

/** What the life of a post must take on to be as it was: only what differs, so that a status settles anew only then. */
export function lifePatch(post: Post, target: Post): PostPatch {
  const isDated = !target.dateFloats && (post.dateFloats || post.date !== target.date);
  return {
    author: target.author,
    passwordHash: target.passwordHash,
    ...(target.status === post.status ? {} : { status: target.status }),
    ...(isDated ? { date: target.date } : {}),
  };
}

/** The revision is named before the facts that lead back to it; where there are none, nothing has been reverted. */
function named<F extends Fact>(first: F, facts: readonly F[]): Decision<F> {
  return accepted(facts.length === 0 ? [] : [first, ...facts]);
}

/** All of a state that a patch may hold as it is; its life is patched by what differs. */
function patchOf<State extends Post>(post: Post, target: State) {
  const { status: _status, date: _date, ...content } = target;
  return { ...content, ...lifePatch(post, target) };
}

/** A date that was not fixed then is open again. */
const undated = <N extends PostNoun>(noun: N, post: Post, target: Post) =>
  target.dateFloats && !post.dateFloats ? [{ type: `${noun}Undated`, data: {} } as const] : [];

export function revertEvent(
  event: CalendarEvent,
  target: CalendarEvent,
  toRevision: number,
  context: EventContext,
): Decision<EventFact> {
  // Where there were none, those of now are to go.
  const patch = { extensions: {}, ...patchOf(event, target) };
  const changed = changeEvent(event, patch, context);
  if (changed.kind === 'rejected') return changed;
  const schedule = scheduleAgain(target.schedule, event.schedule, context.now);
  const rescheduled = sameSchedule(event.schedule, schedule)
    ? []
    : [{ type: 'EventRescheduled', data: schedule } as const];
  const facts = [...rescheduled, ...changed.facts, ...undated('Event', event, target)];
  return named<EventFact>({ type: 'EventReverted', data: { toRevision } }, facts);
}

export function revertVenue(
  venue: Venue,
  target: Venue,
  toRevision: number,
  context: PostContext,
): Decision<VenueFact> {
  const changed = changeVenue(venue, patchOf(venue, target), context);
  if (changed.kind === 'rejected') return changed;
  const facts = [...changed.facts, ...undated('Venue', venue, target)];
  return named<VenueFact>({ type: 'VenueReverted', data: { toRevision } }, facts);
}

export function revertOrganizer(
  organizer: Organizer,
  target: Organizer,
  toRevision: number,
  context: PostContext,
): Decision<OrganizerFact> {
  const changed = changeOrganizer(organizer, patchOf(organizer, target), context);
  if (changed.kind === 'rejected') return changed;
  const facts = [...changed.facts, ...undated('Organizer', organizer, target)];
  return named<OrganizerFact>({ type: 'OrganizerReverted', data: { toRevision } }, facts);
}

export function revertTerm(noun: TermNoun, term: Term, target: Term, toRevision: number): Decision<TermFact> {
  const { name, slug, description, parent } = target;
  const decided = target.deleted ? deleteTerm(noun, term) : changeTerm(noun, term, { name, slug, description, parent });
  if (decided.kind === 'rejected') return decided;
  const restored: TermFact[] = term.deleted && !target.deleted ? [{ type: `${noun}Restored`, data: {} }] : [];
  return named<TermFact>({ type: `${noun}Reverted`, data: { toRevision } }, [...restored, ...decided.facts]);
}

// What keeps a resource from its earlier state: values; src/locales/conflicts.ts has the texts.

/** One obstacle. */
export interface RevertConflict {
  /** The field that cannot be had back, as clients call it. */
  readonly field: string;
  /** What the obstacle is about: who has the slug, or what is no longer there. Absent when unknown. */
  readonly thing?: { readonly kind: string; readonly id: number };
  /** Only where it is taken. */
  readonly slug?: string;
  readonly why: ConflictReason;
}

export type ConflictReason = 'taken' | 'in_trash' | 'deleted' | 'gone' | 'circle';
