// Texts with placeholders, turned into words once the reader's language is known.
import type { Language, PhraseName } from './language.ts';

/** A text independent of the language. */
export type Wording = (language: Language) => string;

type PhraseValue = string | number | Wording | readonly (string | Wording)[];

/**
 * The placeholders of each phrase that has any, so that the compiler requires their values: JSON has no literal types.
 */
export const PLACEHOLDERS = {
  missing_parameters: ['names'],
  invalid_parameters: ['names'],
  refused_parameter: ['name', 'why'],
  mistyped_parameter: ['name', 'type'],
  unknown_parameter: ['name'],
  unknown_parameter_meant: ['name', 'meant'],
  allowed_parameters: ['values'],
  too_many_members: ['most'],
  too_many_values: ['most'],
  other_name_differs: ['name', 'own'],
  upload_missing: ['field'],
  upload_too_large: ['megabytes'],
  upload_not_a_picture: ['types'],
  upload_too_many_pixels: ['types'],
  allowed_range: ['name', 'least', 'most'],
  allowed_from: ['name', 'least'],
  allowed_one_of: ['name', 'values'],
  allowed_some_of: ['name', 'values'],
  allowed_public_status: ['name'],
  allowed_date: ['name', 'examples'],
  allowed_filled_text: ['name', 'most'],
  allowed_text: ['name', 'most'],
  allowed_length: ['name', 'bytes', 'most'],
  allowed_characters: ['name', 'least', 'most'],
  allowed_id: ['name', 'kind'],
  allowed_ids: ['name', 'most', 'kind'],
  allowed_any_ids: ['name', 'most'],
  allowed_counts: ['name'],
  allowed_to_come: ['name', 'now'],
  allowed_terms: ['name', 'most', 'kind'],
  allowed_term_members: ['name', 'most', 'characters'],
  allowed_slug: ['name', 'kind'],
  allowed_zone: ['name', 'examples'],
  allowed_address: ['name', 'example'],
  allowed_form: ['name', 'examples'],
  allowed_webhook_address: ['most'],
  allowed_source_address: ['most'],
  allowed_source_minutes: ['least', 'most'],
  allowed_site_logo: ['name'],
  allowed_site_accent: ['name', 'example', 'least'],
  allowed_site_currency: ['name', 'example'],
  allowed_site_links: ['name', 'most', 'characters'],
  allowed_recurrence: ['name', 'example', 'most', 'dates'],
  recurrence_refused: ['name', 'reason'],
  allowed_image: ['name', 'example'],
  allowed_cost: ['name', 'examples', 'most'],
  allowed_coordinate: ['name', 'least', 'most', 'partner'],
  allowed_distance: ['name', 'most'],
  allowed_links: ['name', 'member'],
  allowed_review_rules: ['name', 'roles', 'most'],
  allowed_event_rules: ['name', 'roles', 'most'],
  policy_locks_out: ['role', 'kind', 'approvals', 'approvers'],
  no_rules: ['values'],
  no_settings: ['values'],
  fixed_setting: ['name', 'setting'],
  canceled_title: ['title'],
  calendar_cut: ['shown', 'total'],
  postponed_title: ['title'],
  unknown_locale: ['codes'],
  unknown_type: ['word', 'kinds'],
  unreadable_instant: ['example'],
  future_instant: ['instant', 'now'],
  unreadable_with: ['example'],
  no_such_revision: ['revision', 'last'],
  before_first_event: ['as_of', 'since'],
  views_not_there: ['header'],
  cannot_revert: ['conflicts'],
  revert_changed_later: ['actor', 'instant', 'request'],
  revert_in_use: ['things'],
  import_interrupted: ['done', 'total'],
  conflict_taken: ['slug', 'thing'],
  conflict_taken_by_unknown: ['slug'],
  conflict_in_trash: ['thing', 'field'],
  conflict_deleted: ['thing', 'field'],
  conflict_gone: ['thing', 'field'],
  conflict_circle: ['thing', 'field'],
  thing_event: ['id'],
  thing_venue: ['id'],
  thing_organizer: ['id'],
  thing_category: ['id'],
  thing_tag: ['id'],
  thing_image: ['id'],
  thing_user: ['id'],
  thing_unknown: ['kind', 'id'],
  unreadable_state: ['example'],
  revisions_reversed: ['from', 'to'],
  instants_reversed: ['from', 'to'],
  merged_alone: ['others'],
  why_listed: ['place', 'total', 'page'],
  why_other_page: ['place', 'total', 'page'],
  why_not_listed: ['conditions'],
  why_status_met: ['status'],
  why_status_unmet: ['status', 'asked'],
  why_public_then: ['as_of'],
  why_not_public_then: ['as_of'],
  why_starts_from: ['date', 'zone', 'parameter', 'value'],
  why_starts_after: ['date', 'zone', 'parameter', 'value'],
  why_starts_before: ['date', 'zone', 'parameter', 'value'],
  why_ends_until: ['date', 'zone', 'parameter', 'value'],
  why_ends_after: ['date', 'zone', 'parameter', 'value'],
  why_ends_before: ['date', 'zone', 'parameter', 'value'],
  why_date_unmet: ['sentence', 'parameter'],
  why_default_unmet: ['sentence', 'parameter'],
  why_word_found: ['word'],
  why_word_missing: ['word'],
  why_excluded_missing: ['word'],
  why_excluded_found: ['word'],
  why_filter_met: ['parameter', 'value'],
  why_filter_unmet: ['parameter', 'value'],
  why_link_unmet: ['parameter', 'value'],
  why_later_of_series: ['parameter', 'value'],
  why_include_unmet: ['id', 'value'],
  why_placed: ['value'],
  why_near: ['radius'],
  why_far: ['radius'],
  why_on_page: ['place', 'total', 'page'],
  why_on_other_page: ['place', 'total', 'asked', 'page'],
} as const satisfies { readonly [Name in PhraseName]?: readonly string[] };

export type ValuesOf<Name extends PhraseName> = Name extends keyof typeof PLACEHOLDERS
  ? { readonly [Placeholder in (typeof PLACEHOLDERS)[Name][number]]: PhraseValue }
  : never;

/** A phrase with its values. Lists are joined as the language does it. */
export const phrase =
  <Name extends PhraseName>(
    name: Name,
    ...[values]: [ValuesOf<Name>] extends [never] ? [] : [ValuesOf<Name>]
  ): Wording =>
  (language) => {
    const given: { readonly [placeholder: string]: PhraseValue | undefined } = values ?? {};
    return language.phrases[name].replace(PLACEHOLDER, (_, placeholder: string) =>
      inWords(given[placeholder] ?? '', language),
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
