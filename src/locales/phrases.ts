// Texts with values in them, in English; other languages have the same names and the same placeholders.

export const ENGLISH_PHRASES = {
  /** Between clauses in a row. */
  clause_separator: '; ',

  missing_parameters: 'Missing parameter(s): {names}',
  invalid_parameters: 'Invalid parameter(s): {names}',
  /** `why` is one of the sentences below that say what to send instead. */
  refused_parameter: 'Invalid parameter(s): {name}. {why}',
  invalid_parameter: 'Invalid parameter.',
  mistyped_parameter: '{name} is not of type {type}.',
  /** What a refused parameter may be. `kind` is a word of the API: event, venue, organizer, category, tag, user. */
  allowed_range: '{name} must be {least} to {most}.',
  allowed_from: '{name} must be a whole number from {least}.',
  allowed_one_of: '{name} must be one of {values}.',
  allowed_some_of: '{name} must be one or several of {values}.',
  allowed_public_status: '{name} must be publish: other ones need the right to edit.',
  allowed_date: '{name} must be a date such as {examples}.',
  allowed_filled_text: '{name} must be a text that is not empty, of at most {most} bytes.',
  allowed_text: '{name} must be a text of at most {most} bytes.',
  allowed_characters: '{name} must be a text of {least} to {most} characters.',
  allowed_id: '{name} must be an existing id ({kind}).',
  allowed_ids: '{name} must be 1 to {most} existing ids ({kind}).',
  allowed_any_ids: '{name} must be 1 to {most} ids.',
  allowed_terms: '{name} must be 1 to {most} existing slugs, names or ids ({kind}).',
  allowed_term_members: '{name} must be at most {most} names, slugs or ids, each of at most {characters} characters.',
  allowed_slug: '{name} must be an existing slug ({kind}).',
  allowed_zone: '{name} must be a time zone such as {examples}.',
  allowed_address: '{name} must be an absolute address such as {example}.',
  allowed_image: '{name} must be the id of an existing image, or an address such as {example}.',
  allowed_cost: '{name} must be an amount or a text such as {examples}, or at most {most} of them.',
  allowed_coordinate: '{name} must be {least} to {most}, and come together with {partner}.',
  allowed_distance: '{name} must be more than 0 and at most {most}.',
  allowed_links: '{name} must be existing ids that are not in the trash, or objects with the member {member}.',
  json_syntax: 'Syntax error',
  json_depth: 'Nested too deeply',
  json_encoding: 'The body is not UTF-8',

  unknown_locale: 'There is no such language. Send one of {codes}, or leave it out.',
  unknown_type: '"{word}" is no kind ({kinds}) and no sort of fact.',
  no_position: 'It is no position. Send next of an earlier answer as it was, or leave it out.',
  as_of_beside_revision: 'It cannot be sent beside revision. Send one of them.',
  revision_is_whole: 'Revisions are whole numbers from 0.',
  unreadable_instant: 'It cannot be read as a date and time. Send one such as {example}.',
  future_instant: '{instant} lies in the future: it is {now}. Send an earlier one.',
  past_status: 'Lists as of an instant show what was public. Leave it out, or send publish.',
  readiness_purpose: 'for is either reads or writes; leave it out to ask for everything.',

  no_such_revision: 'There is no revision {revision}: they run from 0 to {last}. Ask for one of them.',
  before_first_event: '{as_of} lies before the first event, which is of {since}. Ask for a later as_of.',
  too_many_waiting: 'Too many wait for changes at the moment. Ask without waiting, or after Retry-After seconds.',
  past_queue_full:
    'Too many lists of other instants are being made. Try again after Retry-After seconds, or ask for one of them.',
  views_not_there: 'The views have not reached the position of {header} yet. Try again after Retry-After seconds.',

  cannot_revert: 'Nothing was written, as it cannot look as it did: {conflicts}.',
  conflict_taken: 'the slug {slug} belongs to {thing}',
  conflict_taken_by_unknown: 'the slug {slug} belongs to something else',
  conflict_in_trash: '{thing} is in the trash ({field})',
  conflict_deleted: '{thing} has been deleted ({field})',
  conflict_gone: '{thing} is no longer there ({field})',
  conflict_circle: 'under {thing} it would stand below itself ({field})',
  /** What conflicts are about, by its kind. */
  thing_event: 'event {id}',
  thing_venue: 'venue {id}',
  thing_organizer: 'organizer {id}',
  thing_category: 'category {id}',
  thing_tag: 'tag {id}',
  thing_image: 'image {id}',
  thing_user: 'user {id}',
  thing_unknown: '{kind} {id}',
} as const;

export type PhraseName = keyof typeof ENGLISH_PHRASES;
export type Phrases = { readonly [Name in PhraseName]: string };
