// The projection of organizers.
import { evolveOrganizer, type Organizer, type OrganizerFact } from '../src/calendar/linked-post/domain/organizer.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import type { LinkedPostDocument } from '../src/read-model/documents.ts';
import { maskedOrganizerFragment, organizerFragment } from '../src/rendering/linked-post-fragment.ts';
import { shownBy } from './pictures.ts';
import { type AnyProjection, asJson, type Place, projectionOf } from './projection.ts';

export const organizersProjection = (): AnyProjection =>
  projectionOf<Organizer>({
    kind: 'organizer',
    prefix: 'organizer-',
    fold: (state, event) => evolveOrganizer(state, factOf<OrganizerFact>(event), instantOf(event)),
    document: organizerDocument,
  });

/** The document of one organizer; answers to writes are built from it, too. */
export const organizerDocument = (organizer: Organizer, at: Place): LinkedPostDocument => ({
  ...indexedOrganizer(organizer, at),
  state: asJson(organizer),
  fragments: {
    full: organizerFragment(organizer),
    masked: organizer.passwordHash === null ? null : maskedOrganizerFragment(organizer),
  },
});

/** What it is found and sorted by. */
export const indexedOrganizer = (organizer: Organizer, at: Place): Omit<LinkedPostDocument, 'state' | 'fragments'> => ({
  kind: 'organizer',
  id: organizer.id,
  ...at,
  status: organizer.status,
  author: organizer.author,
  slug: organizer.slug,
  ...(organizer.formerSlugs && { formerSlugs: organizer.formerSlugs }),
  date: organizer.date,
  protected: organizer.passwordHash !== null,
  name: organizer.name,
  life: organizer.life,
  ...shownBy(organizer),
  ...(organizer.mergedInto !== undefined && { mergedInto: organizer.mergedInto }),
  // Behind a password only the name, which is public, is searchable.
  searchable: organizer.passwordHash === null ? textsOf(organizer) : [organizer.name],
  coordinates: null,
});

const textsOf = ({ name, description, phone, email, website }: Organizer): string[] => [
  name,
  description,
  phone,
  email,
  website,
];
