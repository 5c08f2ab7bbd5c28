// Texts with placeholders, turned into words once the reader's language is known.
import type { Language, PhraseName } from './language.ts';

/** A text independent of the language. */
export type Wording = (language: Language) => string;

type PhraseValue = string | number | Wording | readonly (string | Wording)[];

/**
 * The phrases that have placeholders, by these, so that the compiler requires their values: JSON has no literal types.
 */
const PHRASES = {
  names: ['missing_parameters', 'invalid_parameters'],
  'name why': ['refused_parameter'],
  'name type': ['mistyped_parameter'],
  name: ['unknown_parameter', 'allowed_public_status', 'allowed_counts', 'allowed_site_logo'],
  'name meant': ['unknown_parameter_meant'],
  values: ['allowed_parameters', 'no_rules', 'no_settings'],
  most: ['too_many_members', 'too_many_values', 'allowed_webhook_address', 'allowed_source_address'],
  'name own': ['other_name_differs'],
  field: ['upload_missing'],
  megabytes: ['upload_too_large'],
  types: ['upload_not_a_picture', 'upload_too_many_pixels'],
  'name least most': ['allowed_range', 'allowed_characters'],
  'name least': ['allowed_from'],
  'name values': ['allowed_one_of', 'allowed_some_of'],
  'name examples': ['allowed_date', 'allowed_zone', 'allowed_form'],
  'name most': ['allowed_filled_text', 'allowed_text', 'allowed_any_ids', 'allowed_distance'],
  'name bytes most': ['allowed_length'],
  'name kind': ['allowed_id', 'allowed_slug'],
  'name most kind': ['allowed_ids', 'allowed_terms'],
  'name now': ['allowed_to_come'],
  'name most characters': ['allowed_term_members', 'allowed_site_links'],
  'name example': ['allowed_address', 'allowed_site_currency', 'allowed_image'],
  'least most': ['allowed_source_minutes'],
  'name example least': ['allowed_site_accent'],
  'name example most dates': ['allowed_recurrence'],
  'name reason': ['recurrence_refused'],
  'name examples most': ['allowed_cost'],
  'name least most partner': ['allowed_coordinate'],
  'name member': ['allowed_links'],
  'name roles most': ['allowed_review_rules', 'allowed_event_rules'],
  'role kind approvals approvers': ['policy_locks_out'],
  'name setting': ['fixed_setting'],
  title: ['canceled_title', 'postponed_title'],
  'shown total': ['calendar_cut'],
  codes: ['unknown_locale'],
  'word kinds': ['unknown_type'],
  example: ['unreadable_instant', 'unreadable_with', 'unreadable_state'],
  'instant now': ['future_instant'],
  'revision last': ['no_such_revision'],
  'as_of since': ['before_first_event'],
  header: ['views_not_there'],
  conflicts: ['cannot_revert'],
  'actor instant request': ['revert_changed_later'],
  things: ['revert_in_use'],
  'done total': ['import_interrupted'],
  'slug thing': ['conflict_taken'],
  slug: ['conflict_taken_by_unknown'],
  'thing field': ['conflict_in_trash', 'conflict_deleted', 'conflict_gone', 'conflict_circle'],
  id: ['thing_event', 'thing_venue', 'thing_organizer', 'thing_category', 'thing_tag', 'thing_image', 'thing_user'],
  'kind id': ['thing_unknown'],
  'from to': ['revisions_reversed', 'instants_reversed'],
  others: ['merged_alone'],
  'place total page': ['why_listed', 'why_other_page', 'why_on_page'],
  conditions: ['why_not_listed'],
  status: ['why_status_met'],
  'status asked': ['why_status_unmet'],
  as_of: ['why_public_then', 'why_not_public_then'],
  'date zone parameter value': [
    'why_starts_from',
    'why_starts_after',
    'why_starts_before',
    'why_ends_until',
    'why_ends_after',
    'why_ends_before',
  ],
  'sentence parameter': ['why_date_unmet', 'why_default_unmet'],
  word: ['why_word_found', 'why_word_missing', 'why_excluded_missing', 'why_excluded_found'],
  'parameter value': ['why_filter_met', 'why_filter_unmet', 'why_link_unmet', 'why_later_of_series'],
  'id value': ['why_include_unmet'],
  value: ['why_placed'],
  radius: ['why_near', 'why_far'],
  'place total asked page': ['why_on_other_page'],
} as const satisfies { readonly [placeholders: string]: readonly PhraseName[] };

type Groups = typeof PHRASES;
export type PhraseWithValues = Groups[keyof Groups][number];

/** The placeholders of each of them. */
export const PLACEHOLDERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(PHRASES).flatMap(([words, names]) => names.map((name) => [name, words.split(' ')] as const)),
);

type Words<Text> = Text extends `${infer Word} ${infer Others}` ? Word | Words<Others> : Text;
type PlaceholdersOf<Name> = {
  [Group in keyof Groups]: Name extends Groups[Group][number] ? Words<Group> : never;
}[keyof Groups];

export type ValuesOf<Name extends PhraseName> = Name extends PhraseWithValues
  ? { readonly [Placeholder in PlaceholdersOf<Name>]: PhraseValue }
  : never;

/** A phrase with its values. Lists are joined as the language does it. */
export const phrase =
  <Name extends PhraseName>(
    name: Name,
    ...[values]: [ValuesOf<Name>] extends [never] ? [] : [ValuesOf<Name>]
  ): Wording =>
  (language) => {
    const placeholders: { readonly [placeholder: string]: PhraseValue | undefined } = values ?? {};
    return language.phrases[name].replace(PLACEHOLDER, (_, placeholder: string) =>
      inWords(placeholders[placeholder] ?? '', language),
    );
  };

const PLACEHOLDER = /\{([a-z_]+)\}/g;

function inWords(value: PhraseValue, language: Language): string {
  if (typeof value === 'function') return value(language);
  if (typeof value !== 'object') return String(value);
  return value.map((member) => inWords(member, language)).join(language.sentences.separator);
}

/** Whole clauses, one after the other. */
export const clauses =
  (wordings: readonly Wording[]): Wording =>
  (language) =>
    wordings.map((wording) => wording(language)).join(language.phrases.clause_separator);
