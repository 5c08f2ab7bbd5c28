// What is special about commands on organizers.
import {
  changeOrganizer,
  createOrganizer,
  evolveOrganizer,
  type Organizer,
  type OrganizerFact,
} from '../domain/organizer.ts';
import { oneLine } from '../text/plain-text.ts';
import type { LinkedPostInput, LinkedPostKind } from './linked-posts.ts';

export interface OrganizerInput extends LinkedPostInput {
  readonly phone?: string;
  readonly website?: string;
  readonly email?: string;
}

function content({ phone, website, email }: OrganizerInput): object {
  return {
    ...(phone === undefined ? {} : { phone: oneLine(phone) }),
    ...(website === undefined ? {} : { website: website.trim() }),
    ...(email === undefined ? {} : { email: oneLine(email) }),
  };
}

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
