// Reverts a resource: the facts that restore an earlier state. References and the slug have been checked before;
// `target` has today's links.
import {
  type CalendarEvent,
  changeEvent,
  type EventContext,
  type EventFact,
  type EventPatch,
} from '../../../calendar/event/domain/calendar-event.ts';
import { sameSchedule, scheduleAgain } from '../../../calendar/event/domain/schedule.ts';
import { changeOrganizer, type Organizer, type OrganizerFact } from '../../../calendar/linked-post/domain/organizer.ts';
import { changeVenue, type Venue, type VenueFact } from '../../../calendar/linked-post/domain/venue.ts';
import type { Post, PostContext, PostNoun, PostPatch } from '../../../calendar/resource/domain/post.ts';
import { changeTerm, deleteTerm, type Term, type TermFact, type TermNoun } from '../../../calendar/term/domain/term.ts';
import { accepted, type Decision, type Fact } from '../../../domain/decider.ts';

/** The differences in the life of a post, so that the status is settled again only if it differs. */
export function lifePatch(post: Post, target: Post): PostPatch {
  const isDated = !target.dateFloats && (post.dateFloats || post.date !== target.date);
  return {
    author: target.author,
    passwordHash: target.passwordHash,
    ...(target.status === post.status ? {} : { status: target.status }),
    ...(isDated ? { date: target.date } : {}),
  };
}

/**
 * The revision is named before the facts that restore it: of a change, and those before and after it. Without such facts nothing
 * has been reverted.
 */
function restored<F extends Fact>(
  reverted: F,
  changed: Decision<F>,
  { before = [], after = [] }: { readonly before?: readonly F[]; readonly after?: readonly F[] },
): Decision<F> {
  if (changed.kind === 'rejected') return changed;
  const facts = [...before, ...changed.facts, ...after];
  return accepted(facts.length === 0 ? [] : [reverted, ...facts]);
}

/** The members of a state that a patch can hold unchanged; differences in its life are patched separately. */
function patchOf<State extends Post>(post: Post, target: State) {
  const { status: _status, date: _date, ...content } = target;
  return { ...content, ...lifePatch(post, target) };
}

/** A date that was floating then floats again. */
const undated = <N extends PostNoun>(noun: N, post: Post, target: Post) =>
  target.dateFloats && !post.dateFloats ? [{ type: `${noun}Undated`, data: {} } as const] : [];

export function revertEvent(
  event: CalendarEvent,
  target: CalendarEvent,
  toRevision: number,
  context: EventContext,
): Decision<EventFact> {
  // Where the earlier state has none, remove the present ones.
  const { online = null, ...others } = patchOf(event, target);
  const patch: EventPatch = { extensions: {}, eventStatus: 'scheduled', notices: [], online, ...others };
  const schedule = scheduleAgain(target.schedule, event.schedule, context.now);
  return restored<EventFact>({ type: 'EventReverted', data: { toRevision } }, changeEvent(event, patch, context), {
    before: sameSchedule(event.schedule, schedule) ? [] : [{ type: 'EventRescheduled', data: schedule }],
    after: undated('Event', event, target),
  });
}

export const revertVenue = (
  venue: Venue,
  target: Venue,
  toRevision: number,
  context: PostContext,
): Decision<VenueFact> =>
  restored<VenueFact>(
    { type: 'VenueReverted', data: { toRevision } },
    changeVenue(venue, patchOf(venue, target), context),
    { after: undated('Venue', venue, target) },
  );

export const revertOrganizer = (
  organizer: Organizer,
  target: Organizer,
  toRevision: number,
  context: PostContext,
): Decision<OrganizerFact> =>
  restored<OrganizerFact>(
    { type: 'OrganizerReverted', data: { toRevision } },
    changeOrganizer(organizer, patchOf(organizer, target), context),
    { after: undated('Organizer', organizer, target) },
  );

export function revertTerm(noun: TermNoun, term: Term, target: Term, toRevision: number): Decision<TermFact> {
  const { name, slug, description, parent } = target;
  const decided = target.deleted ? deleteTerm(noun, term) : changeTerm(noun, term, { name, slug, description, parent });
  return restored<TermFact>({ type: `${noun}Reverted`, data: { toRevision } }, decided, {
    before: term.deleted && !target.deleted ? [{ type: `${noun}Restored`, data: {} }] : [],
  });
}
