// The content of a language: every text that people read, as in the JSON files.
import type { EventFact } from '../calendar/event/domain/calendar-event.ts';
import type { OrganizerFact } from '../calendar/linked-post/domain/organizer.ts';
import type { VenueFact } from '../calendar/linked-post/domain/venue.ts';
import type { PictureFact } from '../calendar/picture/domain/picture.ts';
import type { SettingName, SiteSettingsFact } from '../calendar/site/domain/site-settings.ts';
import type { TermFact } from '../calendar/term/domain/term.ts';
import type { ChangeSetFact } from '../editorial/change-sets/domain/change-set.ts';
import type { GuestLinkFact } from '../editorial/guest-links/domain/guest-link.ts';
import type { ProposalFact, TargetKind } from '../editorial/proposals/domain/proposal.ts';
import type {
  NoticeRule,
  ReviewPolicyFact,
  WriteMode,
  WritingRole,
} from '../editorial/review-rules/domain/review-policy.ts';
import type { SeriesFact } from '../editorial/series/domain/facts.ts';
import type { SourceFact } from '../exchange/sources/domain/source.ts';
import type { WebhookFact } from '../exchange/webhooks/domain/webhook.ts';
import type en from './en.json';
import type { ErrorCode } from './error-catalogue.ts';
import filters from './filters.json' with { type: 'json' };
import type { RecurrenceTexts } from './recurrence/recurrence-texts.ts';

export type PhraseName = keyof (typeof en)['phrases'];

/** Why an import refuses something, or takes a part of it. */
export type ImportReason = keyof (typeof en)['imports'];

/** A word or sentence of the pages. */
export type PageWord = keyof (typeof en)['pages'] | `only.${OfferedFilter}`;

/** A word or sentence of the editors' desk. */
export type DeskWord = keyof (typeof en)['desk'];

/** The key of a description of a parameter, field, route or answer: `event.title`. */
export type DescriptionKey = keyof (typeof en)['descriptions'] | `event_list.${keyof Filters}`;

type Filters = typeof filters;
/** Filters that pages offer. */
type OfferedFilter = {
  [Name in keyof Filters]: Filters[Name] extends { readonly offered: unknown } ? Name : never;
}[keyof Filters];

/** The type of every event in the histories of resources. */
type HistoryEventType = (EventFact | VenueFact | OrganizerFact | TermFact)['type'];

/**
 * `{title}` is the field after the change, `{before.title}` the one before it. Where a field may be empty, `by` names
 * it and there are two sentences. `{fact.toRevision}` is a member of the event itself.
 */
export type Sentence = string | { readonly by: string; readonly some: string; readonly none: string };

type RuleWord = TargetKind | WritingRole | WriteMode | NoticeRule | 'true' | 'false';

export interface Sentences {
  /** Between the members of a list. */
  readonly separator: string;
  /** For an event of a newer version; `{type}` is its type. */
  readonly unknown: string;
  /** For entries of a resource whose content has been erased. */
  readonly erased: string;
  /** For a change that was proposed; `{summary}` says what it was. */
  readonly proposed: string;
  /** For a change without the review that the rules demand; `{summary}` says what it was, `{reason}` why. */
  readonly bypassed: string;
  readonly facts: { readonly [Type in HistoryEventType]: Sentence };
  /** What happens to proposals. */
  readonly proposals: { readonly [Type in ProposalFact['type']]: string };
  /** What happens to sets of proposals; `{name}` is that of the set. */
  readonly sets: { readonly [Type in ChangeSetFact['type']]: string };
  /** What happens to series; `{rule}` is what it repeats by then. */
  readonly series: { readonly [Type in SeriesFact['type']]: string };
  /** What happens to uploaded pictures. */
  readonly pictures: { readonly [Type in PictureFact['type']]: string };
  /** What happens to subscriptions to changes. */
  readonly webhooks: { readonly [Type in WebhookFact['type']]: string };
  /** What happens to links for guests; `{what}` is what a link opens. */
  readonly guests: { readonly [Type in GuestLinkFact['type']]: string };
  /** What happens to sources. */
  readonly sources: { readonly [Type in SourceFact['type']]: string };
  /** `{changes}` is a list of `rules`. */
  readonly reviewPolicy: { readonly [Type in ReviewPolicyFact['type']]: Sentence };
  /** `{changes}` is a list of `settings`. */
  readonly siteSettings: { readonly [Type in SiteSettingsFact['type']]: Sentence };
  readonly settings: { readonly [Name in SettingName]: string };
  /** A changed rule of review. Kinds, roles and values in them are `words`. */
  readonly rules: {
    readonly mode: string;
    readonly approvals: string;
    readonly bypass: string;
    readonly notice: string;
    readonly words: { readonly [Word in RuleWord]: string };
  };
  /**
   * What happens to users, by the type of the event; `{credential}` and `{label}` are number and purpose of a token.
   */
  readonly users: { readonly [type: string]: Sentence };
  /** How often something repeats, in a sentence. */
  readonly recurrence: RecurrenceTexts;
}

/** The file of a language. Style and glossary are for translators only. */
export interface Texts {
  /** As in `DAYBOOK_LANGUAGE` and `Content-Language`: `de`. */
  readonly code: string;
  /** The cost of free events. */
  readonly free: string;
  /** The message of each error. */
  readonly errors: { readonly [Code in ErrorCode]: string };
  /** Texts with placeholders. */
  readonly phrases: { readonly [Name in PhraseName]: string };
  /** What importers say, by the English sentence ([import-reasons.ts](import-reasons.ts)). */
  readonly imports: { readonly [Reason in ImportReason]: string };
  /** What happened, in histories and in the change feed. */
  readonly sentences: Sentences;
  /** Words and sentences of the pages for visitors; some have placeholders. */
  readonly pages: { readonly [Word in keyof (typeof en)['pages']]: string };
  /** Words and sentences of the editors' desk. */
  readonly desk: { readonly [Word in DeskWord]: string };
  readonly descriptions: { readonly [Key in keyof (typeof en)['descriptions']]: string };
}

export interface Language extends Omit<Texts, 'descriptions' | 'pages'> {
  readonly pages: { readonly [Word in PageWord]: string };
  /** The text of a description. Schemas declare keys as any text, so unknown keys are returned unchanged. */
  describe(key: string): string;
}

/** The words of filters (filters.json) in a language, by what `before` makes of their parameters. */
function filterWords(code: string, part: 'described' | 'offered', before: string): [string, string][] {
  return Object.entries<FilterWords>(filters).flatMap(([name, words]) => {
    const text = words[part]?.[code];
    return text === undefined ? [] : [[`${before}.${name}`, text]];
  });
}

interface FilterWords {
  readonly described: ByLanguage;
  readonly offered?: ByLanguage;
}
type ByLanguage = { readonly [code: string]: string };

export function languageFrom({ descriptions, pages, ...texts }: Texts): Language {
  const { code } = texts;
  const described = new Map([...Object.entries(descriptions), ...filterWords(code, 'described', 'event_list')]);
  const offered = Object.fromEntries(filterWords(code, 'offered', 'only')) as OfferedWords; // A test: every language has them.
  return { ...texts, pages: { ...pages, ...offered }, describe: (key) => described.get(key) ?? key };
}

type OfferedWords = { readonly [Word in `only.${OfferedFilter}`]: string };
