// Creating, changing and trashing calendar events, with everything that they create along the way: terms, venues,
// organizers, images.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, handleCommandOnce, recordDecision } from '../../../commands/handle-command.ts';
import {
  normalisedSlug,
  originOf,
  slugForChanged,
  slugForNew,
  streamOf,
} from '../../../commands/reservations/reservations.ts';
import { isAbove, planMove } from '../../../commands/reservations/tree.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { accepted, type Evolve, type Fact, type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { may } from '../../../people/auth/policy.ts';
import {
  type LinkedPost,
  type LinkedPostInput,
  type LinkedPostKind,
  ORGANIZERS,
  planCreation,
  VENUES,
} from '../../linked-post/commands/linked-posts.ts';
import { defaultStatus, newPostOf, postPatch, storedFields, trashFacts } from '../../resource/commands/post-input.ts';
import { findTerm, kindOfId, loadEvent, loadTerm, survivorOf } from '../../resource/commands/references.ts';
import { settledStatus, statusAfter, wantedSlug } from '../../resource/domain/post.ts';
import { planTermNamed } from '../../term/commands/terms.ts';
import type { TermKind, TermReference } from '../../term/domain/term.ts';
import {
  type CalendarEvent,
  changeEvent,
  createEvent,
  EVENT_ROWS,
  type EventContent,
  type EventFact,
  type EventInput,
  type EventPatch,
  evolveEvent,
  type Link,
  type PostReference,
} from '../domain/calendar-event.ts';
import { costFrom } from '../domain/cost.ts';
import { attendanceOf, noticeProblem } from './notice-rule.ts';

export const EVENTS: { readonly kind: 'event'; readonly evolve: Evolve<CalendarEvent, EventFact> } = {
  kind: 'event',
  evolve: evolveEvent,
};

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

type ContentOrRejection = { readonly content: Partial<EventContent> } | Rejected;

export function createCalendarEvent(dependencies: CommandDependencies, context: CommandContext, input: EventInput) {
  return handleCommandOnce(dependencies, context, EVENTS, [], async (unit) => {
    const { caller, now } = context;
    if (!may(caller, 'create', 'event')) return rejected('forbidden');
    const author = input.author ?? caller?.id ?? 0;
    const problem = await noticeProblem(unit, dependencies, context, input, null);
    if (problem) return rejected(problem);
    const outcome = await postPatch(unit, dependencies, context, input, newPostOf(context, author));
    if ('rejection' in outcome) return outcome;
    const filled = await contentOf(unit, dependencies, context, input, null);
    if ('rejection' in filled) return filled;
    const status = settledStatus(outcome.patch.status ?? defaultStatus(context), outcome.patch.date ?? now, now);
    const id = input.id ?? (await unit.nextId(dependencies.postIds, 'event'));
    const inputSlug = normalisedSlug(input.slug);
    const fallback = status === 'draft' || status === 'pending' ? '' : slugFrom(input.title ?? '');
    const slug = await slugForNew(
      unit,
      { kind: 'event', id, preferred: inputSlug || fallback, origin: originOf(inputSlug) },
      status,
    );
    const decision = createEvent(
      id,
      { ...filled.content, ...outcome.patch, ...attendanceOf(input), author, status },
      { now, siteZone: dependencies.siteZone, slug },
    );
    return recordDecision(unit, EVENTS, id, decision, input.id === undefined ? 'begun' : 'created');
  });
}

export function changeCalendarEvent(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  input: EventInput,
) {
  return handleCommand(dependencies, context, [streamOf('event', id)], async (unit) => {
    const event = await presentEvent(unit, context, id, 'update');
    if ('kind' in event) return event;
    const problem = await noticeProblem(unit, dependencies, context, input, event);
    if (problem) return rejected(problem);
    const outcome = await postPatch(unit, dependencies, context, input, event);
    if ('rejection' in outcome) return outcome;
    const filled = await contentOf(unit, dependencies, context, input, event);
    if ('rejection' in filled) return filled;
    const patch: EventPatch = { ...filled.content, ...outcome.patch, ...attendanceOf(input) };
    const status = statusAfter(event, patch, context.now);
    const inputSlug = normalisedSlug(input.slug);
    const preferred = wantedSlug(event, status, inputSlug, slugFrom(patch.title ?? event.title));
    const wish = { kind: 'event', id, preferred, origin: originOf(inputSlug) } as const;
    const slug = await slugForChanged(unit, event, wish, status);
    const decision = changeEvent(event, patch, { now: context.now, siteZone: dependencies.siteZone, slug });
    return recordDecision(unit, EVENTS, id, decision);
  });
}

/** Puts an event into the trash. Its links and terms stay, and its slug becomes free. */
export function trashCalendarEvent(dependencies: CommandDependencies, context: CommandContext, id: number) {
  return handleCommand(dependencies, context, [streamOf('event', id)], async (unit) => {
    const event = await presentEvent(unit, context, id, 'delete');
    if ('kind' in event) return event;
    if (event.status === 'trash') return rejected('event_in_trash');
    const facts: readonly EventFact[] = await trashFacts(unit, { kind: 'event', noun: 'Event' }, event, context);
    return recordDecision(unit, EVENTS, id, accepted(facts));
  });
}

/** The event, if the caller may do this and it is at the expected revision. */
async function presentEvent(
  unit: UnitOfWork,
  { caller, ifRevision }: CommandContext,
  id: number,
  action: 'update' | 'delete',
): Promise<CalendarEvent | Rejected> {
  const { state, revision } = await unit.load(streamOf('event', id), evolveEvent);
  if (!may(caller, action, 'event', state ?? undefined)) return rejected('forbidden');
  if (!state) {
    const kind = await kindOfId(unit.store, id);
    return rejected({ code: kind === null ? 'event_not_found' : 'not_an_event', parameter: 'id' });
  }
  if (ifRevision !== undefined && ifRevision !== revision) return rejected('precondition_failed');
  return state;
}

/** The content in an input; `event` is the present one, null for a new one. */
export async function contentOf(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  input: EventInput,
  event: CalendarEvent | null,
): Promise<ContentOrRejection> {
  const content: Writable<Partial<EventContent>> = storedFields(context, EVENT_ROWS, input);
  // A title of nothing but forbidden markup is empty after cleaning.
  if (input.title !== undefined && content.title?.trim() === '') return rejected(invalidParameter('title'));
  const { extensions } = input;
  if (extensions && (event || Object.keys(extensions).length > 0)) content.extensions = extensions;
  if (input.cost !== undefined) content.cost = input.cost === null ? null : costFrom(input.cost);
  if (input.website !== undefined) content.website = input.website === '' && !event ? null : input.website.trim();
  if (input.parent !== undefined) {
    if (await parentProblem(unit, input.parent, event)) return rejected(invalidParameter('post_parent'));
    if (event && input.parent !== event.parent) await planMove(unit, 'event', event.id, input.parent);
    content.parent = input.parent;
  }
  for (const key of ['categories', 'tags'] as const) {
    const kind = key === 'categories' ? 'category' : 'tag';
    if (input[key]) content[key] = await assignedTerms(unit, dependencies, kind, input[key]);
  }
  return linkedContent(unit, dependencies, context, input, content, event);
}

async function linkedContent(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  input: EventInput,
  content: Partial<EventContent>,
  event: CalendarEvent | null,
): Promise<ContentOrRejection> {
  let links: { venues?: readonly Link[]; organizers?: readonly Link[] } = {};
  if (input.venues) {
    const linked = await linkedPosts(unit, dependencies, context, VENUES, input.venues, event?.venues ?? []);
    if ('rejection' in linked) return linked;
    links = { venues: linked.links };
  }
  if (input.organizers) {
    const linked = await linkedPosts(
      unit,
      dependencies,
      context,
      ORGANIZERS,
      input.organizers,
      event?.organizers ?? [],
    );
    if ('rejection' in linked) return linked;
    links = { ...links, organizers: linked.links };
  }
  return { content: { ...content, ...links } };
}

/**
 * A parent must be an event, and no event may be its own ancestor. The present one stays, whatever it is: that of a date
 * is its series.
 */
export async function parentProblem(
  unit: UnitOfWork,
  parent: number | null,
  event: Pick<CalendarEvent, 'id' | 'parent'> | null,
): Promise<'gone' | 'circle' | null> {
  if (parent === null || parent === event?.parent) return null;
  if (!(await loadEvent(unit.store, parent))) return 'gone';
  return event !== null && (await isAbove(unit, 'event', event.id, parent)) ? 'circle' : null;
}

// Resolves the references of an event: terms by id or name, venues and organizers by id or as objects.

/**
 * Ids of the terms, without duplicates, in the given order. Unknown ids are ignored; unknown names become new terms.
 */
async function assignedTerms(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  kind: TermKind,
  references: readonly TermReference[],
): Promise<number[]> {
  const ids = new Set<number>();
  for (const reference of references) {
    const term =
      'id' in reference
        ? await loadTerm(unit.store, kind, reference.id)
        : ((await findTerm(unit.store, kind, reference.text)) ??
          (await planTermNamed(unit, dependencies, kind, reference.text)));
    if (term) ids.add(term.id);
  }
  return [...ids];
}

/**
 * Links to the venues or organizers, without duplicates, in the given order. One in the trash cannot be linked; an
 * existing link is kept as it is.
 */
async function linkedPosts<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  references: readonly PostReference<Input>[],
  present: readonly Link[],
): Promise<{ readonly links: readonly Link[] } | Rejected> {
  const links = new Map<number, Link>();
  for (const reference of references) {
    const link = await linkTo(unit, dependencies, context, of, reference, present);
    if ('rejection' in link) return link;
    links.set(link.id, link);
  }
  return { links: [...links.values()] };
}

async function linkTo<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  reference: PostReference<Input>,
  present: readonly Link[],
): Promise<Link | Rejected> {
  // What a proposal has looked up may be older.
  if ('life' in reference) return context.proposal ? stayingLink(unit, of, reference) : reference;
  if ('input' in reference) {
    const attempt = await planCreation(unit, dependencies, context, of, reference.input);
    if (attempt.kind === 'rejected') return attempt;
    return linkTo(unit, dependencies, context, of, { id: attempt.id }, present);
  }
  const { state } = await unit.load(streamOf(of.kind, reference.id), of.evolve);
  if (!state) return rejected(invalidParameter(of.kind));
  if (state.mergedInto !== undefined)
    return linkTo(unit, dependencies, context, of, { id: await survivorOf(unit.store, of.kind, state) }, present);
  const { id } = state;
  const isLinked = present.some((link) => link.id === id && link.life === state.life);
  if (state.status === 'trash' && !isLinked) return rejected(invalidParameter(of.kind));
  return { id, life: state.life };
}

/** A link that was looked up before, to the one that stays if its target has been merged since. */
async function stayingLink<State extends LinkedPost, F extends Fact>(
  unit: UnitOfWork,
  { kind, evolve }: { readonly kind: 'venue' | 'organizer'; readonly evolve: Evolve<State, F> },
  link: Link,
): Promise<Link> {
  const { state } = await unit.load(streamOf(kind, link.id), evolve);
  if (state?.mergedInto === undefined || state.life !== link.life) return link;
  const stays = await unit.load(streamOf(kind, await survivorOf(unit.store, kind, state)), evolve);
  return stays.state ? { id: stays.state.id, life: stays.state.life } : link;
}
