// How sentences of histories are written down: what happened, in plain words, for every sort of fact.
import type { EventFact } from '../domain/calendar-event.ts';
import type { OrganizerFact } from '../domain/organizer.ts';
import type { TermFact } from '../domain/term.ts';
import type { VenueFact } from '../domain/venue.ts';

/** Every sort of fact that the history of a thing may have. */
export type ToldFact = (EventFact | VenueFact | OrganizerFact | TermFact)['type'];

/**
 * `{title}` stands for the field after the change, `{before.title}` for the one before it. Where a field may be empty,
 * `by` names it and there are two sentences. `{fact.toRevision}` stands for a member of the fact itself.
 */
export type Sentence = string | { readonly by: string; readonly some: string; readonly none: string };

export interface Sentences {
  readonly facts: { readonly [Type in ToldFact]: Sentence };
  /** What happens to users, by the sort of fact. */
  readonly users: { readonly [type: string]: Sentence };
  /** Between the members of a list. */
  readonly separator: string;
  /** For a fact of a newer version; `{type}` is its type. */
  readonly unknown: string;
  /** For what was said of a thing whose content has been erased. */
  readonly erased: string;
}
