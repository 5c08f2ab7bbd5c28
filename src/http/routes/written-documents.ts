// Documents of what a request has written, as the read model will have them: its answer shows what the next read shows.
import { eventDocument } from '../../../projections/events.ts';
import { organizerDocument } from '../../../projections/organizers.ts';
import { venueDocument } from '../../../projections/venues.ts';
import type { CalendarEvent } from '../../calendar/event/domain/calendar-event.ts';
import type { Organizer } from '../../calendar/linked-post/domain/organizer.ts';
import type { Venue } from '../../calendar/linked-post/domain/venue.ts';
import type { Term, TermKind } from '../../calendar/term/domain/term.ts';
import type { Written } from '../../commands/context.ts';
import type { AnswerSource } from '../../queries/log-fallback.ts';
import type { EventDocument } from '../../read-model/documents.ts';
import type { IndexedModel } from '../../read-model/indexed-model.ts';
import type { TermView } from '../../read-model/queries.ts';
import type { RenderingSettings } from '../../rendering/post-fragment.ts';

export type DocumentMakers = ReturnType<typeof documentMakers>;

export function documentMakers(rendering: RenderingSettings, recall: IndexedModel['recall']) {
  const event = (written: Written<CalendarEvent>) => eventDocument(written.state, rendering, placeOf(written));
  return {
    event,
    /** The document of the event that was written: if this process has just applied the write, the one that it has made. */
    writtenEvent(written: Written<CalendarEvent>): EventDocument {
      const applied = recall({ kind: 'event', id: written.id });
      return applied?.kind === 'event' && applied.position === written.position ? applied : event(written);
    },
    venue: (written: Written<Venue>) => venueDocument(written.state, placeOf(written)),
    organizer: (written: Written<Organizer>) => organizerDocument(written.state, placeOf(written)),
  };
}

const placeOf = ({ revision, position }: Written<unknown>) => ({ revision, position });

/** The term as the read model shows it, or will show it. */
export async function writtenView(
  source: AnswerSource,
  kind: TermKind,
  { id, state, revision }: Written<Term>,
): Promise<TermView> {
  const view = await source.term(kind, id);
  const { name, slug, description, parent } = state;
  const beside = view ?? { kind, id, count: 0, parent, ancestorSlugs: [] };
  return { ...beside, name, slug, description, revision };
}
