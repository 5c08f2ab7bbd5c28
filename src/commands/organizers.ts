// What is special about commands on organizers.
import type { PlainInput } from '../domain/fields.ts';
import {
  changeOrganizer,
  createOrganizer,
  evolveOrganizer,
  type ORGANIZER_FIELDS,
  ORGANIZER_ROWS,
  type Organizer,
  type OrganizerFact,
} from '../domain/organizer.ts';
import type { CommandContext } from './context.ts';
import type { LinkedPostInput, LinkedPostKind } from './linked-posts.ts';
import { storedFields } from './post-input.ts';

export interface OrganizerInput extends LinkedPostInput, PlainInput<typeof ORGANIZER_FIELDS> {}

/** Name and description are those of every linked post. */
const OWN_ROWS = ORGANIZER_ROWS.filter(({ kind }) => kind !== 'html');

const content = (context: CommandContext, input: OrganizerInput): object => storedFields(context, OWN_ROWS, input);

export const ORGANIZERS: LinkedPostKind<Organizer, OrganizerFact, OrganizerInput> = {
  kind: 'organizer',
  noun: 'Organizer',
  evolve: evolveOrganizer,
  create: createOrganizer,
  change: changeOrganizer,
  content,
  overwritten: content,
  blankName: 'could_not_create_organizer',
  inTrash: 'organizer_in_trash',
};
