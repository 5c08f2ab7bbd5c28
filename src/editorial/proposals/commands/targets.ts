// What can be proposed: per kind, the commands that a wish is decided by, and what of it is stored.

import {
  changeCalendarEvent,
  createCalendarEvent,
  trashCalendarEvent,
} from '../../../calendar/event/commands/events.ts';
import {
  type CalendarEvent,
  EVENT_ROWS,
  type EventFact,
  type EventInput,
  evolveEvent,
} from '../../../calendar/event/domain/calendar-event.ts';
import {
  changeLinkedPost,
  createLinkedPost,
  type LinkedPostInput,
  type LinkedPostKind,
  ORGANIZERS,
  trashLinkedPost,
  VENUES,
} from '../../../calendar/linked-post/commands/linked-posts.ts';
import { evolveOrganizer, ORGANIZER_ROWS, type Organizer } from '../../../calendar/linked-post/domain/organizer.ts';
import { evolveVenue, VENUE_ROWS, type Venue } from '../../../calendar/linked-post/domain/venue.ts';
import { storedFields } from '../../../calendar/resource/commands/post-input.ts';
import type { Row } from '../../../calendar/resource/domain/fields.ts';
import { changeTermOf, createTermOf, deleteTermOf } from '../../../calendar/term/commands/terms.ts';
import { evolveTerm, type Term, type TermInput, type TermKind } from '../../../calendar/term/domain/term.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { type Evolve, type Fact, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { mergeOneOf, mergeTarget } from '../../merges/commands/merge.ts';
import type { MergedKind } from '../../merges/domain/merge.ts';
import { revertCalendarEvent, revertOrganizerOf, revertVenueOf } from '../../reverts/commands/revert.ts';
import { revertTermOf } from '../../reverts/commands/revert-term.ts';
import type { TargetKind, Wish } from '../domain/proposal.ts';

/** The state of what is to change. */
export type TargetState = CalendarEvent | Venue | Organizer | Term;

type Decide = (
  dependencies: CommandDependencies,
  context: CommandContext,
  id: number,
  wish: Wish,
) => Promise<CommandResult<TargetState>>;

interface TargetCommands {
  /** Facts of its stream are those of its kind. */
  readonly evolve: Evolve<TargetState, Fact>;
  readonly create: Decide;
  readonly change: Decide;
  readonly delete: Decide;
  /** The wish is the revision. */
  readonly revert: Decide;
  /** The wish is the one that stays, `into`. */
  readonly merge: Decide;
  /** The wish as it is kept: texts as its author may write them. */
  readonly stored: (context: CommandContext, wish: Wish) => Wish;
}

const cleaned =
  (rows: readonly Row[]) =>
  (context: CommandContext, wish: Wish): Wish => ({ ...wish, ...storedFields(context, rows, wish as object) });

// A wish holds what the input of its kind's command held; what folds a kind is given facts of that kind.
const evolving = (evolve: unknown): TargetCommands['evolve'] => evolve as TargetCommands['evolve'];

/** The wish of a revert. */
const revisionIn = ({ revision }: Wish): number => Number(revision);

const merging =
  (kind: MergedKind): Decide =>
  (dependencies, context, id, { into }) =>
    mergeOneOf(dependencies, context, { kind, id, into: mergeTarget(into) });

const TERM = (kind: TermKind): TargetCommands => ({
  evolve: evolving(evolveTerm),
  create: (dependencies, context, id, wish) =>
    createTermOf(dependencies, context, kind, { ...(wish as TermInput), id }),
  change: (dependencies, context, id, wish) => changeTermOf(dependencies, context, kind, id, wish as TermInput),
  delete: (dependencies, context, id) => deleteTermOf(dependencies, context, kind, id),
  revert: (dependencies, context, id, wish) => revertTermOf(dependencies, context, kind, id, revisionIn(wish)),
  merge: merging(kind),
  stored: (_context, wish) => wish,
});

function linkedPost<State extends Venue | Organizer, F extends Fact>(
  kind: LinkedPostKind<State, F, LinkedPostInput>,
): Pick<TargetCommands, 'create' | 'change' | 'delete'> {
  return {
    create: (dependencies, context, id, wish) =>
      createLinkedPost(dependencies, context, kind, { ...(wish as LinkedPostInput), id }),
    change: (dependencies, context, id, wish) =>
      changeLinkedPost(dependencies, context, kind, id, wish as LinkedPostInput),
    delete: (dependencies, context, id) => trashLinkedPost(dependencies, context, kind, id),
  };
}

export const TARGETS: { readonly [Kind in TargetKind]: TargetCommands } = {
  event: {
    evolve: evolving(evolveEvent satisfies Evolve<CalendarEvent, EventFact>),
    create: (dependencies, context, id, wish) =>
      createCalendarEvent(dependencies, context, { ...(wish as EventInput), id }),
    change: (dependencies, context, id, wish) => changeCalendarEvent(dependencies, context, id, wish as EventInput),
    delete: trashCalendarEvent,
    revert: (dependencies, context, id, wish) => revertCalendarEvent(dependencies, context, id, revisionIn(wish)),
    merge: async () => rejected(invalidParameter('into')),
    stored: (context, wish) => withCleanedVenues(context, cleaned(EVENT_ROWS)(context, wish)),
  },
  venue: {
    evolve: evolving(evolveVenue),
    ...linkedPost(VENUES),
    revert: (dependencies, context, id, wish) => revertVenueOf(dependencies, context, id, revisionIn(wish)),
    merge: merging('venue'),
    stored: cleaned(VENUE_ROWS),
  },
  organizer: {
    evolve: evolving(evolveOrganizer),
    ...linkedPost(ORGANIZERS),
    revert: (dependencies, context, id, wish) => revertOrganizerOf(dependencies, context, id, revisionIn(wish)),
    merge: merging('organizer'),
    stored: cleaned(ORGANIZER_ROWS),
  },
  category: TERM('category'),
  tag: TERM('tag'),
};

/** Venues that an event's wish brings along are cleaned like proposed ones. */
function withCleanedVenues(context: CommandContext, wish: Wish): Wish {
  const { venues } = wish as EventInput;
  if (!venues) return wish;
  const clean = cleaned(VENUE_ROWS);
  return {
    ...wish,
    venues: venues.map((venue) =>
      'input' in venue ? { input: clean(context, venue.input as Wish) } : { id: venue.id },
    ),
  };
}
