// The order in which parameters are validated: missing ones, invalid ones, wrong types.
// decision 16: why it is not Ajv.

import { isDeepStrictEqual } from 'node:util';
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
import { phrase } from '../../locales/phrases.ts';
import { searchName, searchQuery } from '../../people/users/http/saved-searches.ts';
import { missingParameters, mistypedParameters, refusedParameter, refusedParameters } from '../errors.ts';
import {
  type Check,
  type CheckName,
  type ChecksWithArguments,
  type Parameter,
  type PlainCheck,
  parametersOf,
  wireSchema,
} from '../schemas/keywords.ts';
import { type Allowed, allowed } from './allowed.ts';
import { coerced } from './coercion.ts';
import { emptyMap, type ParameterMap } from './parameter-map.ts';
import { isEmpty, positiveInteger } from './readers.ts';
import { MAX_REASON_LENGTH } from './reasons.ts';
import { recurrence } from './recurrence.ts';
import { allowing, type ValidationContext, type Validator, type Verdict } from './validator.ts';
import * as validators from './validators.ts';

type PlannedParameter = ReturnType<typeof planned>;

/** The parameters of an endpoint, compiled once for many requests. */
interface CheckPlan {
  readonly parameters: readonly PlannedParameter[];
  readonly undeclared: readonly string[];
}

/** Accepted without being declared. On reads a password is sent, on writes it is not set by the way. */
export const UNDECLARED = { read: ['password', 'context'], write: ['context', '_reason'] } as const;

/** What a route does with its parameters. */
export type Use = keyof typeof UNDECLARED;

/**
 * Compiles a schema to the validation of a request, which returns its declared parameters for handlers. Throws the 400
 * of the first kind of failure: missing, invalid, or mistyped; each names all parameters of its kind. Returns a promise
 * only if a lookup is needed: most reads need none.
 */
export function compileInput(
  schema: TObject,
  use: Use,
): (context: ValidationContext) => ParameterMap | Promise<ParameterMap> {
  const plan: CheckPlan = { parameters: parametersOf(schema).map(planned), undeclared: UNDECLARED[use] };
  return (context) => {
    const { values } = context;
    refuseMissing(plan.parameters, values);
    const results: Results = new Map();
    const pending = validate(plan.parameters, context, results);
    if (pending.length === 0) return coercedParameters(plan, values, results);
    return settle(pending, context, results).then(() => coercedParameters(plan, values, results));
  };
}

function planned([name, schema, isRequired]: Parameter) {
  const { check } = wireSchema(schema);
  return { name, isRequired, accept: check && validatorOf(check), schema };
}

function refuseMissing(parameters: readonly PlannedParameter[], values: ParameterMap): void {
  const missing: string[] = [];
  for (const { name, isRequired } of parameters) if (isRequired && (values[name] ?? null) === null) missing.push(name);
  if (missing.length > 0) throw missingParameters(missing);
}

/** By parameter, the values that checks have parsed or looked up. */
type Results = Map<string, unknown>;

interface Pending {
  readonly name: string;
  readonly allowed: Allowed | undefined;
  readonly verdict: false | Promise<Verdict>;
}

/** The values that were not accepted at once. */
function validate(parameters: readonly PlannedParameter[], context: ValidationContext, results: Results): Pending[] {
  const { values } = context;
  const pending: Pending[] = [];
  for (const { name, accept } of parameters) {
    const value = values[name] ?? null;
    if (value === null || accept === undefined) continue;
    const verdict = accept(value, context);
    if (verdict === true) continue;
    if (verdict === false || verdict instanceof Promise) pending.push({ name, allowed: accept.allowed, verdict });
    else results.set(name, verdict.value);
  }
  if (typeof values._reason === 'string' && values._reason.length > MAX_REASON_LENGTH)
    pending.push({
      name: '_reason',
      allowed: allowed('allowed_characters', { least: 0, most: MAX_REASON_LENGTH }),
      verdict: false,
    });
  return pending;
}

async function settle(
  pending: readonly Pending[],
  { caller, values }: ValidationContext,
  results: Results,
): Promise<void> {
  const verdicts = await Promise.all(pending.map(({ verdict }) => verdict));
  const refused = pending.filter((_, at) => verdicts[at] === false);
  if (refused.length > 0)
    throw refusedParameters(new Map(refused.map(({ name, allowed }) => [name, allowed?.(name, caller, values[name])])));
  for (const [at, { name }] of pending.entries()) {
    const verdict = verdicts[at];
    if (typeof verdict === 'object') results.set(name, verdict.value);
  }
}

function coercedParameters(plan: CheckPlan, values: ParameterMap, results: Results): ParameterMap {
  const input = emptyMap();
  const mistyped = new Map<string, string>();
  for (const { name, schema } of plan.parameters) {
    if (values[name] === undefined) continue;
    const outcome = coerced(values[name], schema);
    if (outcome.kind === 'value') {
      const value = results.has(name) ? results.get(name) : outcome.value;
      if (value !== undefined) input[name] = value;
    }
    if (outcome.kind === 'mistyped') mistyped.set(name, outcome.type);
  }
  if (mistyped.size > 0) throw mistypedParameters(mistyped);
  settleOtherNames(plan.parameters, input);
  for (const name of plan.undeclared) {
    const value = values[name];
    if (typeof value === 'string' && !(name in input)) input[name] = value;
  }
  return input;
}

/** Moves values to the names by which handlers know them. Throws 400 if both were sent and differ. */
function settleOtherNames(parameters: readonly PlannedParameter[], input: ParameterMap): void {
  for (const { name, schema } of parameters) {
    const { otherNameOf: own } = wireSchema(schema);
    if (own === undefined || !(name in input)) continue;
    if (own in input && !isDeepStrictEqual(input[own], input[name]))
      throw refusedParameter(name, phrase('other_name_differs', { name, own }));
    input[own] = input[name];
    delete input[name];
  }
}

// The registry of validators: from the keyword in a schema to its implementation.

type Registry = { readonly [Name in CheckName]: Validator } & {
  readonly [Name in keyof ChecksWithArguments]: (...args: ChecksWithArguments[Name]) => Validator;
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
function validatorOf(check: Check): Validator {
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
      context.values.as_of === undefined && context.values.with === undefined
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
  const inner: ValidationContext = { ...context, values: { ...entry } };
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
