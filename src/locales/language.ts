// What a language says: every text that people read, as the JSON files hold it.
import type { EventFact } from '../domain/calendar-event.ts';
import type { OrganizerFact } from '../domain/organizer.ts';
import type { TermFact } from '../domain/term.ts';
import type { VenueFact } from '../domain/venue.ts';
import type en from './en.json';
import type { ErrorCode } from './error-catalogue.ts';

export type PhraseName = keyof (typeof en)['phrases'];

/** Names a description of a parameter, field, route or answer: `event.title`. */
export type DescriptionKey = keyof (typeof en)['descriptions'];

/** The type of every event that the history of a resource may hold. */
export type HistoryEventType = (EventFact | VenueFact | OrganizerFact | TermFact)['type'];

/**
 * `{title}` stands for the field after the change, `{before.title}` for the one before it. Where a field may be empty,
 * `by` names it and there are two sentences. `{fact.toRevision}` stands for a member of the event itself.
 */
export type Sentence = string | { readonly by: string; readonly some: string; readonly none: string };

export interface Sentences {
  /** Between the members of a list. */
  readonly separator: string;
  /** For an event of a newer version; `{type}` is its type. */
  readonly unknown: string;
  /** For what a history said of a resource whose content has been erased. */
  readonly erased: string;
  readonly facts: { readonly [Type in HistoryEventType]: Sentence };
  /** What happens to users, by the type of the event; `{credential}` and `{label}` are number and purpose of a token. */
  readonly users: { readonly [type: string]: Sentence };
}

/** What the file of a language holds. How it is written, and its glossary, are for translators alone. */
export interface Texts {
  /** As in `DAYBOOK_LANGUAGE` and `Content-Language`: `de`. */
  readonly code: string;
  /** What costs nothing: the cost of such events. */
  readonly free: string;
  /** The message of each error. */
  readonly errors: { readonly [Code in ErrorCode]: string };
  /** Texts with values in them. */
  readonly phrases: { readonly [Name in PhraseName]: string };
  /** What happened, in histories and in the feed of changes. */
  readonly sentences: Sentences;
  readonly descriptions: { readonly [Key in DescriptionKey]: string };
}

export interface Language extends Omit<Texts, 'descriptions'> {
  /** The text of a description. Schemas hold keys as any text, so what is no key comes back as it is. */
  describe(key: string): string;
}

export function languageFrom({ code, free, errors, phrases, sentences, descriptions }: Texts): Language {
  const described = new Map<string, string>(Object.entries(descriptions));
  return { code, free, errors, phrases, sentences, describe: (key) => described.get(key) ?? key };
}
