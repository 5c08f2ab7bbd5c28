// The validators of parameters: is this value allowed at all? Its declared type is made of it afterwards, by coercion.ts.

import { readAges, readLanguages } from '../../calendar/event/domain/audience.ts';
import { stemAt } from '../../calendar/picture/domain/picture.ts';
import { isPostStatus, POST_STATUSES } from '../../calendar/resource/domain/post.ts';
import type { TermKind } from '../../calendar/term/domain/term.ts';
import { PROPOSAL_STATES, TARGET_KINDS } from '../../editorial/proposals/domain/proposal.ts';
import { cleanHtml } from '../../kernel/text/clean-html.ts';
import { withoutControls } from '../../kernel/text/plain-text.ts';
import { isWithin, MAX_LINE_BYTES, MAX_TEXT_BYTES } from '../../kernel/text/text-size.ts';
import { isAddress, isWebAddress } from '../../kernel/text/web-address.ts';
import { idFilter, listOf, textOf, truthy } from '../../kernel/text/wire-words.ts';
import { isTooEarly, readDate, resolveDate } from '../../kernel/time/date-input.ts';
import { resolveZone } from '../../kernel/time/zone.ts';
import { type Caller, ROLES } from '../../people/auth/caller.ts';
import { mayListUnpublished, mayWriteRawHtml } from '../../people/auth/policy.ts';
import type { LookupKind } from '../schemas/keywords.ts';
import { type Allowed, allowed } from './allowed.ts';
import { costSent, isEmpty, positiveInteger, termsSent } from './readers.ts';
import { allowing, type Validator } from './validator.ts';

const DATES = ['2027-03-01', '2027-03-01 20:00', '2027-03-01T20:00:00Z'];
const ZONES = ['Europe/Paris', 'UTC+2', '+05:30'];
const COSTS = ['12.50', '$10 - $20', 'Free'];

export const MAX_LIST_MEMBERS = 500;
const MAX_NAME_LENGTH = 200;
/** As long as a URL may be: a body of a read needs no more. */
const MAX_SEARCH_LENGTH = 16_384;
const MAX_PASSWORD_LENGTH = 255;

/** What a text may be, or how many bytes one has that is too long. */
const ofBytes =
  (sentence: 'allowed_text' | 'allowed_filled_text', most: number): Allowed =>
  (name, caller, value) =>
    (typeof value === 'string' && !isWithin(value, most)
      ? allowed('allowed_length', { bytes: Buffer.byteLength(value), most })
      : allowed(sentence, { most }))(name, caller, value);

const isLine = (text: string): boolean => isWithin(text, MAX_LINE_BYTES);

const isFilledString = (value: unknown): value is string => typeof value === 'string' && value !== '' && value !== '0';

export const nonEmptyString = allowing(
  ofBytes('allowed_filled_text', MAX_LINE_BYTES),
  (value) => isFilledString(value) && isLine(value),
);

/** What a list is searched for. */
export const searchedText: Validator = (value) => isFilledString(value) && value.length <= MAX_SEARCH_LENGTH;

/** A title or a name of a venue or organizer; blanks and control characters alone count as empty. */
export const filledText = allowing(
  ofBytes('allowed_filled_text', MAX_LINE_BYTES),
  (value) => isFilledString(value) && withoutControls(value).trim() !== '' && isLine(value),
);

/** The name of a term: at most 200 characters. */
export const termName = allowing(
  allowed('allowed_characters', { least: 1, most: MAX_NAME_LENGTH }),
  (value) => isFilledString(value) && value.trim() !== '' && [...value].length <= MAX_NAME_LENGTH,
);

export const stringOrEmpty = allowing(ofBytes('allowed_text', MAX_LINE_BYTES), (value) =>
  typeof value === 'string' ? isLine(value) : isEmpty(value),
);

/** Cleaning makes five characters of one at most. */
const MAX_GROWTH = 5;

/** What is kept of a text, as far as its length is in doubt. */
const keptText = (text: string, caller: Caller): string =>
  isWithin(text, MAX_TEXT_BYTES / MAX_GROWTH) || !isWithin(text, MAX_TEXT_BYTES) || mayWriteRawHtml(caller)
    ? text
    : cleanHtml(text);

/** A text of several lines, as it is sent and as it is kept. */
export const longText = allowing(
  (name, caller, value) => {
    const content = typeof value === 'string' ? keptText(value, caller) : value;
    return ofBytes('allowed_text', MAX_TEXT_BYTES)(name, caller, content);
  },
  (value, { caller }) =>
    typeof value === 'string' ? isWithin(keptText(value, caller), MAX_TEXT_BYTES) : isEmpty(value),
);

/** A new password; empty removes it. */
export const newPassword = allowing(
  allowed('allowed_characters', { least: 0, most: MAX_PASSWORD_LENGTH }),
  (value) => typeof value === 'string' && value.length <= MAX_PASSWORD_LENGTH,
);

export const positiveInt = allowing(allowed('allowed_from', { least: 1 }), (value) => positiveInteger(value) !== null);

/** A count; larger ones are clamped to `most`. */
export const countUpTo = (most: number): Validator =>
  allowing(allowed('allowed_range', { least: 1, most: most }), positiveInt);

/** Seconds to wait; larger values are clamped to `most`. */
export const seconds = (most: number): Validator =>
  allowing(allowed('allowed_range', { least: 0, most: most }), (value) => /^\d{1,9}$/.test(textOf(value)));

/** A whole number. */
export const percent = allowing(
  allowed('allowed_range', { least: 0, most: 100 }),
  (value) => /^\d{1,3}$/.test(textOf(value)) && Number(value) <= 100,
);

/** Separated by commas. */
export const proposalStates = allowing(allowed('allowed_some_of', { values: PROPOSAL_STATES }), (value) =>
  textOf(value)
    .split(',')
    .every((state) => PROPOSAL_STATES.some((one) => one === state)),
);

export const oneOf = (words: readonly string[]): Validator =>
  allowing(allowed('allowed_one_of', { values: words }), (value) => words.some((word) => word === value));

/** As a list of its own, in the order of the words. */
export const someOf = (words: readonly string[]): Validator =>
  allowing(allowed('allowed_some_of', { values: words }), (value) => {
    const members = listOf(value).map(textOf);
    const isKnown = members.length > 0 && members.every((one) => words.includes(one));
    return isKnown && { value: words.filter((word) => members.includes(word)) };
  });

export const role = oneOf(ROLES);

export const resourceKind = oneOf(TARGET_KINDS);

/** Any date that can be read, and exists in the event's zone where one is sent along. */
export const time = allowing(allowed('allowed_date', { examples: DATES }), (value, { now, siteZone, values }) => {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return false;
  const zone = typeof values.timezone === 'string' ? (resolveZone(values.timezone) ?? siteZone) : siteZone;
  const date = readDate(value);
  const meant = date && resolveDate(date, { now, zone });
  return meant !== null && !isTooEarly(meant) && { value: date };
});

export const userId = allowing(allowed('allowed_id', { kind: 'user' }), (value, { lookups }) => {
  const id = positiveInteger(value);
  return id !== null && lookups.userExists(id);
});

export const writableStatus = allowing(
  allowed('allowed_one_of', { values: POST_STATUSES }),
  (value) => typeof value === 'string' && isPostStatus(value),
);

/** Statuses that are never shown; requesting them finds nothing. */
const INTERNAL_STATUSES: readonly string[] = ['auto-draft', 'inherit'];

const listableStatuses: Allowed = (name, caller) =>
  (mayListUnpublished(caller)
    ? allowed('allowed_some_of', { values: [...POST_STATUSES, 'any'] })
    : allowed('allowed_public_status', {}))(name, caller, null);

/** The `status` filter of lists. */
export const listedStatus = allowing(listableStatuses, (value, { caller }) => {
  if (!mayListUnpublished(caller)) return listText(value) === 'publish';
  const statuses = listOf(value);
  if (statuses.length > MAX_LIST_MEMBERS) return false;
  if (statuses.length === 1 && statuses[0] === 'any') return true;
  return statuses.every((status) => isPostStatus(status) || INTERNAL_STATUSES.includes(status));
});

const listText = (value: unknown): string => (typeof value === 'string' ? value.trim() : listOf(value).join(','));

export const zoneOrEmpty = allowing(
  allowed('allowed_zone', { examples: ZONES }),
  (value) => isEmpty(value) || (typeof value === 'string' && resolveZone(value) !== null),
);

export const urlOrEmpty = allowing(
  allowed('allowed_address', { example: 'https://example.org/' }),
  (value) => isEmpty(value) || (typeof value === 'string' && isAddress(value)),
  // Empty values other than an empty text are ignored.
  (value) => (typeof value === 'string' ? value : undefined),
);

/** A text of this form. */
const formOrEmpty = (examples: readonly string[], read: (text: string) => unknown): Validator =>
  allowing(allowed('allowed_form', { examples }), (value) =>
    typeof value === 'string' ? value === '' || read(value) !== null : isEmpty(value),
  );

export const agesOrEmpty = formOrEmpty(['6-12', '18+'], readAges);
export const languagesOrEmpty = formOrEmpty(['de, en'], readLanguages);

export const someLanguages = allowing(allowed('allowed_form', { examples: ['de,en'] }), (value) => {
  const languages = readLanguages(listOf(value).map(textOf).join());
  return languages !== null && languages.length > 0 && { value: languages };
});

const allowedImage = allowed('allowed_image', { example: 'https://example.org/picture.jpg' });

/** An existing image's id, or an absolute http or https address; that of an uploaded picture is that picture. */
export const image = allowing(allowedImage, (value, { lookups }) => {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const id = positiveInteger(value);
  if (id !== null) return lookups.image(id).then((match) => match !== null && { value: match });
  if (typeof value !== 'string' || !isWebAddress(value)) return false;
  const stem = stemAt(value);
  return stem === null || lookups.picture(stem).then((match) => match === null || { value: match });
});

/** Null removes it. */
export const imageOrEmpty = allowing(allowedImage, (value, context) =>
  isEmpty(value) ? { value: null } : image(value, context),
);

/** A flag of a venue: words, or a JSON boolean. */
export const flagWord = allowing(
  allowed('allowed_one_of', { values: ['true', 'false'] }),
  (value) => typeof value === 'string' || typeof value === 'boolean',
  truthy,
);

const isBoundedList = (members: readonly unknown[]): boolean =>
  members.length > 0 && members.length <= MAX_LIST_MEMBERS;

/** Terms to filter by: one or many, every one of them existing. */
export const termFilter = (kind: TermKind): Validator =>
  allowing(allowed('allowed_terms', { kind, most: MAX_LIST_MEMBERS }), async (value, { lookups }) => {
    const references = listOf(value);
    if (!isBoundedList(references)) return false;
    const ids = (await lookups.terms(kind, references)).filter((id) => id !== null);
    return ids.length === references.length && { value: idFilter(ids, value) };
  });

/** Existing terms, kept in the notation in which they were sent. */
export const termReferences = (kind: TermKind): Validator =>
  allowing(allowed('allowed_terms', { kind, most: MAX_LIST_MEMBERS }), termFilter(kind), (value) => value);

/** Terms that need not exist. */
export const termReferencesOnly = allowing(allowed('allowed_any_ids', { most: MAX_LIST_MEMBERS }), (value) =>
  isBoundedList(listOf(value)),
);

/** A term by its id. */
export const termId = (kind: TermKind): Validator =>
  allowing(allowed('allowed_id', { kind }), (value, { lookups }) => {
    const id = positiveInteger(value);
    return id !== null && lookups.termIdExists(kind, id);
  });

/** A post of this kind, of any status, by its id. */
export const postId = (kind: LookupKind): Validator =>
  allowing(allowed('allowed_id', { kind }), (value, { lookups }) => {
    const id = positiveInteger(value);
    return id !== null && lookups.exist(kind, [id]);
  });

/** Like `postId`, and empty too: `0` and `''` mean none. */
export const postIdOrEmpty = (kind: LookupKind): Validator => {
  const exists = postId(kind);
  return allowing(
    allowed('allowed_id', { kind }),
    (value, context) => isEmpty(value) || exists(value, context),
    positiveInteger,
  );
};

/** Posts of this kind to filter by, of any status. */
export const postIds = (kind: LookupKind): Validator =>
  allowing(allowed('allowed_ids', { kind, most: MAX_LIST_MEMBERS }), async (value, { lookups }) => {
    const ids = allIds(value);
    return ids !== null && (await lookups.exist(kind, ids)) && { value: idFilter(ids, value) };
  });

/** Ids of anything, existing or not. */
export const idsOnly = allowing(allowed('allowed_any_ids', { most: MAX_LIST_MEMBERS }), (value) => {
  const ids = allIds(value);
  return ids !== null && { value: idFilter(ids, value) };
});

/** The list may have as many members as fit into the body. */
export const counts = allowing(allowed('allowed_counts', {}), (value) => {
  const members = listOf(value);
  return members.every((member) => /^\d{1,9}$/.test(member)) && { value: members.map(Number) };
});

function allIds(value: unknown): number[] | null {
  const members = listOf(value);
  if (!isBoundedList(members)) return null;
  const ids = members.map(positiveInteger).filter((id) => id !== null);
  return ids.length === members.length ? ids : null;
}

/** The slug in the path belongs to a post of this kind; one sent besides it is the new slug. */
export const postSlug = (kind: LookupKind): Validator =>
  allowing(allowed('allowed_slug', { kind }), async (value, { caller, lookups, slug, takePost }) => {
    if (!isFilledString(value) || !isLine(value)) return false;
    const named = await lookups.bySlug(kind, slug ?? value, caller);
    return named !== null && (takePost?.(named) ?? 'post' in named);
  });

/** Terms of an event: ids, slugs or names, also new ones. */
export const termList = allowing(
  allowed('allowed_term_members', { most: MAX_LIST_MEMBERS, characters: MAX_NAME_LENGTH }),
  (value) => {
    if (isEmpty(value)) return true;
    const members = Array.isArray(value) ? value : listOf(value);
    if (typeof value === 'object' && !Array.isArray(value)) return false;
    return members.length <= MAX_LIST_MEMBERS && members.every(isTermMember);
  },
  termsSent,
);

const isTermMember = (member: unknown): boolean =>
  member === null ||
  typeof member === 'number' ||
  (typeof member === 'string' && [...member].length <= MAX_NAME_LENGTH);

/** A cost: one amount or text, or several. */
export const cost = allowing(
  allowed('allowed_cost', { examples: COSTS, most: MAX_LIST_MEMBERS }),
  (value) => {
    if (typeof value !== 'object' || value === null) return isLine(textOf(value));
    const members = Object.values(value);
    return (
      members.length <= MAX_LIST_MEMBERS &&
      members.every((m) => (typeof m !== 'object' || m === null) && isLine(textOf(m)))
    );
  },
  costSent,
);

/** A coordinate within ±`limit` degrees that requires its `partner`, the other one's name. */
export const coordinate = (limit: 90 | 180, partner: string): Validator =>
  allowing(
    allowed('allowed_coordinate', { least: -limit, most: limit, partner }),
    (value, { values }) =>
      isBlank(value) === isBlank(values[partner]) && (isBlank(value) || isNumberWithin(value, -limit, limit)),
  );

const MAX_RADIUS_KM = 20_040;

/** A distance in kilometres, up to half the circumference of the earth. */
export const radius = allowing(allowed('allowed_distance', { most: MAX_RADIUS_KM }), (value) =>
  isNumberWithin(value, Number.MIN_VALUE, MAX_RADIUS_KM),
);

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function isNumberWithin(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return false;
  const number = Number(value);
  return number >= least && number <= most;
}
