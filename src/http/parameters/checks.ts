// The registry of validators: from the keyword in a schema to its implementation.

import type { TObject } from 'typebox';
import type { Link } from '../../calendar/event/domain/calendar-event.ts';
import {
  siteAccent,
  siteCurrency,
  siteLinks,
  siteLogo,
  siteName,
} from '../../calendar/site/http/site-settings-checks.ts';
import { eventReviewRules, reviewRules } from '../../editorial/review-rules/http/review-rules.ts';
import { searchName, searchQuery } from '../../people/users/http/saved-searches.ts';
import { refusedParameter } from '../errors.ts';
import type { Check, Checks, PlainCheck } from '../schemas/keywords.ts';
import { parametersOf, wireSchema } from '../schemas/keywords.ts';
import { allowed } from './allowed.ts';
import { coerced } from './coercion.ts';
import { isEmpty, positiveInteger } from './readers.ts';
import { recurrence } from './recurrence.ts';
import { allowing, type ValidationContext, type Validator } from './validator.ts';
import * as validators from './validators.ts';

type Registry = {
  readonly [Name in keyof Checks]: Checks[Name] extends readonly [] ? Validator : (...args: Checks[Name]) => Validator;
};

const CHECKS: Registry = {
  ...validators,
  reviewRules,
  eventReviewRules,
  siteCurrency,
  siteName,
  siteLinks,
  siteLogo,
  siteAccent,
  searchName,
  searchQuery,
  linkedPosts,
  recurrence,
  anything: () => true,
  nothing: () => false,
};

/** The validator of a keyword. */
export function validatorOf(check: Check): Validator {
  if (typeof check === 'string') return CHECKS[check];
  if (check[0] === 'existing') return existing(check[1], check[2]);
  const [name, ...args] = check;
  // The argument follows the name, as the type of checks declares it.
  return (CHECKS[name] as (...args: readonly unknown[]) => Validator)(...args);
}

function existing(today: PlainCheck, form: PlainCheck): Validator {
  const [ofToday, ofPast] = [validatorOf(today), validatorOf(form)];
  return Object.assign(
    (value: unknown, context: ValidationContext) =>
      context.sent.as_of === undefined && context.sent.with === undefined
        ? ofToday(value, context)
        : ofPast(value, context),
    ofToday.allowed && { allowed: ofToday.allowed },
  );
}

// Venues and organizers within an event: ids, or objects to create, in every notation of clients.

/** A link to an existing post, or the fields of a new one, parsed by its own table. */
type LinkedEntry = Link | { readonly fields: Fields };

type LinkedKind = 'venue' | 'organizer';
type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a value in any notation: a single one, a comma-separated list of ids, an array. */
function membersOf(value: unknown): readonly unknown[] {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value.filter((member) => !isEmpty(member));
  if (typeof value === 'string') return value.split(',').filter((member) => member.trim() !== '');
  return [value];
}

/** An id given as such or as `{ "id": 5 }`; null for anything else. */
const idOf = (member: unknown): number | null =>
  positiveInteger(isFields(member) && 'id' in member ? member.id : member);

/**
 * Accepts an empty value, ids of posts of this kind outside the trash, and objects that the kind's own create table
 * accepts. An object's name must be present but may be blank: the handler decides about that. Duplicate ids are kept.
 */
export function linkedPosts(kind: LinkedKind, table: TObject): Validator {
  return allowing(allowed('allowed_links', { member: kind }), async (value, context) => {
    const members = membersOf(value);
    if (members.length > validators.MAX_LIST_MEMBERS) return false;
    const ids = members.filter((member) => !isEntry(member)).map(idOf);
    const linked = await linksTo(kind, ids, context);
    if (linked === null) return false;
    const links = linked.values();
    const entries: LinkedEntry[] = [];
    for (const member of members) {
      const entry = isEntry(member) ? await fieldsOf(kind, table, member, context) : links.next().value;
      if (!entry) return false;
      entries.push(entry);
    }
    return { value: entries };
  });
}

const isEntry = (member: unknown): member is Fields => isFields(member) && !('id' in member);

/** Null if one of them cannot be linked. */
async function linksTo(
  kind: LinkedKind,
  ids: readonly (number | null)[],
  { lookups }: ValidationContext,
): Promise<readonly Link[] | null> {
  const known = ids.filter((id) => id !== null);
  if (known.length < ids.length) return null;
  const links = (await lookups.links(kind, known)).filter((link) => link !== null);
  return links.length < known.length ? null : links;
}

/** Null if its table refuses it. Throws the 400 that says which of its members is not allowed, where its check can say. */
async function fieldsOf(
  kind: LinkedKind,
  table: TObject,
  entry: Fields,
  context: ValidationContext,
): Promise<{ readonly fields: Fields } | null> {
  if (typeof entry[kind] !== 'string') return null;
  const inner: ValidationContext = { ...context, sent: { ...entry } };
  const fields: { [name: string]: unknown } = {};
  for (const [name, schema] of parametersOf(table)) {
    const value = entry[name];
    if (value === undefined || value === null) continue;
    const { check } = wireSchema(schema);
    const accept = check && !(name === kind && isBlankName(value)) ? validatorOf(check) : undefined;
    const verdict = accept ? await accept(value, inner) : true;
    if (verdict === false && accept?.allowed)
      throw refusedParameter(kind, accept.allowed(`${kind}.${name}`, context.caller, value));
    const outcome = coerced(value, schema);
    if (verdict === false || outcome.kind === 'mistyped') return null;
    if (outcome.kind === 'absent') continue;
    const field = verdict === true ? outcome.value : verdict.value;
    if (field !== undefined) fields[name] = field;
  }
  return { fields };
}

const isBlankName = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
