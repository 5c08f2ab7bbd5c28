// From what a client sent of a category or tag to the command's input.
import type { Static } from 'typebox';
import type { TermInput } from '../../commands/terms.ts';
import { withoutControls } from '../../text/plain-text.ts';
import type { TermTables } from '../schemas/term.ts';
import { present, slugSent } from './post-input.ts';

type TermSent = Partial<Static<TermTables['create']>>;

export const termInput = ({ name, description, slug, parent }: TermSent): TermInput =>
  present({
    name: name && withoutControls(name),
    description: description && withoutControls(description),
    slug: slugSent(slug),
    parent,
  });
