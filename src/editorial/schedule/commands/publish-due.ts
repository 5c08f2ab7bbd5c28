// Publishes a due scheduled post. No request triggers it: any number of processes may try, any number of times; the log
// accepts it once.

import { type CalendarEvent, type EventFact, evolveEvent } from '../../../calendar/event/domain/calendar-event.ts';
import { evolveOrganizer, type Organizer, type OrganizerFact } from '../../../calendar/linked-post/domain/organizer.ts';
import { evolveVenue, type Venue, type VenueFact } from '../../../calendar/linked-post/domain/venue.ts';
import { type Post, type PostKind, type PostNoun, publicationFacts } from '../../../calendar/resource/domain/post.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Fact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold, LOG_START, type Position, type RecordedEvent } from '../../../log/envelope.ts';
import { lastEvent, type StreamAppend } from '../../../log/event-store.ts';
import { appendRepeatedly, eventOf, systemActor, systemMetadata } from '../../../log/writing.ts';
import { SERIES_PREFIX, seriesOf } from '../../series/facts/occurrences.ts';

export interface DuePost {
  readonly kind: PostKind;
  readonly id: number;
  /** The series that it is taken for a date of; 0 or absent: of none. */
  readonly series?: number;
}

export interface PublicationContext {
  readonly now: EpochSeconds;
  /** Shared by all posts published in one go. */
  readonly correlationId: string;
}

/** `unchanged`: it is not scheduled or not due, or another writer was faster. */
export interface Publication {
  readonly kind: 'published' | 'unchanged';
  /** The position that a read model must have applied to show its new status. */
  readonly position: Position;
  /** It was set apart from the series that it was taken for a date of, which is not published with it. */
  readonly isApart?: boolean;
}

/** The actor of scheduled publications. */
const SCHEDULE = systemActor('schedule');

const MAX_ATTEMPTS = 12;

interface Kind {
  readonly noun: PostNoun;
  readonly load: (events: readonly RecordedEvent[]) => Post | null;
}

const KINDS: { readonly [K in PostKind]: Kind } = {
  event: { noun: 'Event', load: (events) => fold<CalendarEvent, EventFact>(events, evolveEvent) },
  venue: { noun: 'Venue', load: (events) => fold<Venue, VenueFact>(events, evolveVenue) },
  organizer: { noun: 'Organizer', load: (events) => fold<Organizer, OrganizerFact>(events, evolveOrganizer) },
};

/** Facts that can schedule or reschedule a post, without their noun. */
const SCHEDULING = ['PublicationScheduled', 'Dated', 'Restored'];

/** The event that scheduled a post: the cause of its publication. */
function causeOf(events: readonly RecordedEvent[], noun: PostNoun): RecordedEvent | undefined {
  const types = SCHEDULING.map((ending) => noun + ending);
  return events.findLast(({ type }) => types.includes(type)) ?? events.at(-1);
}

/**
 * Appends the publication at the revision that was read. A lost race is decided again on the new state. Rejects like
 * the event store, with `CannotFold`, and after a dozen lost races.
 */
export async function publishDue(
  { store, newEventId }: Pick<CommandDependencies, 'store' | 'newEventId'>,
  { now, correlationId }: PublicationContext,
  { kind, id, series: supposed = 0 }: DuePost,
): Promise<Publication> {
  const { noun, load } = KINDS[kind];
  const stream = streamOf(kind, id);
  let series = supposed;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // Before what is decided from is read: two dates that are due together would publish their series twice.
    const end = series === 0 ? null : await endOfSeries(store, series);
    const recorded = await store.readStream(stream);
    const post = load(recorded);
    const last = recorded.at(-1);
    const facts = post ? publicationFacts(noun, post, now) : [];
    if (!last || facts.length === 0) return { kind: 'unchanged', position: last?.position ?? LOG_START };
    const causationId = causeOf(recorded, noun)?.id ?? last.id;
    const metadata = systemMetadata({ actor: SCHEDULE, now, correlationId, causationId });
    const recording = (fact: Fact) => eventOf(fact, { metadata, newEventId });
    // A date that has no stream of its own is published with all of its series.
    const owner = seriesOf(last) ?? 0;
    if (owner !== 0 && owner !== series) {
      // It was split off, or taken back, in between.
      series = owner;
      continue;
    }
    const append =
      end && owner !== 0
        ? { ...end, events: [recording({ type: 'SeriesContentChanged', data: { facts } })] }
        : { stream, expected: last.revision, events: facts.map(recording) };
    const outcome = await appendRepeatedly(() => store.append([append]));
    if (outcome.kind === 'appended') {
      const position = outcome.written[0]?.position ?? last.position;
      return { kind: 'published', position, isApart: owner !== supposed };
    }
  }
  throw new Error(`${stream} is due, but changed ${MAX_ATTEMPTS} times while it was to be published`);
}

/** Where a series ends. */
async function endOfSeries(
  store: CommandDependencies['store'],
  series: number,
): Promise<Pick<StreamAppend, 'stream' | 'expected'>> {
  const stream = `${SERIES_PREFIX}${series}`;
  const end = await lastEvent(store, stream);
  return { stream, expected: end?.revision ?? 'no_stream' };
}
