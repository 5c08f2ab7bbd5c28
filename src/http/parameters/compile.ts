// The order in which parameters are validated: missing ones, invalid ones, wrong types.
// decision 16: why it is not Ajv.
import { isDeepStrictEqual } from 'node:util';
import type { TObject, TSchema } from 'typebox';
import { phrase } from '../../locales/phrases.ts';
import { missingParameters, mistypedParameters, refusedParameter, refusedParameters } from '../errors.ts';
import { type Parameter, parametersOf, wireSchema } from '../schemas/keywords.ts';
import { type Allowed, allowed } from './allowed.ts';
import { validatorOf } from './checks.ts';
import { coerced } from './coercion.ts';
import { emptyMap, type ParameterMap } from './parameter-map.ts';
import { MAX_REASON_LENGTH } from './reasons.ts';
import type { ValidationContext, Validator, Verdict } from './validator.ts';

interface PlannedParameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly accept: Validator | undefined;
  readonly schema: TSchema;
}

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
    const { sent } = context;
    refuseMissing(plan.parameters, sent);
    const read: ReadValues = new Map();
    const pending = validate(plan.parameters, context, read);
    if (pending.length === 0) return coercedParameters(plan, sent, read);
    return settle(pending, context, read).then(() => coercedParameters(plan, sent, read));
  };
}

function planned([name, schema, isRequired]: Parameter): PlannedParameter {
  const { check } = wireSchema(schema);
  return { name, isRequired, accept: check && validatorOf(check), schema };
}

function refuseMissing(parameters: readonly PlannedParameter[], sent: ParameterMap): void {
  const missing: string[] = [];
  for (const { name, isRequired } of parameters) if (isRequired && (sent[name] ?? null) === null) missing.push(name);
  if (missing.length > 0) throw missingParameters(missing);
}

/** By parameter, the values that checks have parsed or looked up. */
type ReadValues = Map<string, unknown>;

interface Pending {
  readonly name: string;
  readonly allowed: Allowed | undefined;
  readonly verdict: false | Promise<Verdict>;
}

/** The values that were not accepted at once. */
function validate(parameters: readonly PlannedParameter[], context: ValidationContext, read: ReadValues): Pending[] {
  const { sent } = context;
  const pending: Pending[] = [];
  for (const { name, accept } of parameters) {
    const value = sent[name] ?? null;
    if (value === null || accept === undefined) continue;
    const verdict = accept(value, context);
    if (verdict === true) continue;
    if (verdict === false || verdict instanceof Promise) pending.push({ name, allowed: accept.allowed, verdict });
    else read.set(name, verdict.value);
  }
  if (typeof sent._reason === 'string' && sent._reason.length > MAX_REASON_LENGTH)
    pending.push({
      name: '_reason',
      allowed: allowed('allowed_characters', { least: 0, most: MAX_REASON_LENGTH }),
      verdict: false,
    });
  return pending;
}

async function settle(
  pending: readonly Pending[],
  { caller, sent }: ValidationContext,
  read: ReadValues,
): Promise<void> {
  const verdicts = await Promise.all(pending.map(({ verdict }) => verdict));
  const refused = pending.filter((_, at) => verdicts[at] === false);
  if (refused.length > 0)
    throw refusedParameters(new Map(refused.map(({ name, allowed }) => [name, allowed?.(name, caller, sent[name])])));
  for (const [at, { name }] of pending.entries()) {
    const verdict = verdicts[at];
    if (typeof verdict === 'object') read.set(name, verdict.value);
  }
}

function coercedParameters(plan: CheckPlan, sent: ParameterMap, read: ReadValues): ParameterMap {
  const given = emptyMap();
  const mistyped = new Map<string, string>();
  for (const { name, schema } of plan.parameters) {
    if (sent[name] === undefined) continue;
    const outcome = coerced(sent[name], schema);
    if (outcome.kind === 'value') {
      const value = read.has(name) ? read.get(name) : outcome.value;
      if (value !== undefined) given[name] = value;
    }
    if (outcome.kind === 'mistyped') mistyped.set(name, outcome.type);
  }
  if (mistyped.size > 0) throw mistypedParameters(mistyped);
  settleOtherNames(plan.parameters, given);
  for (const name of plan.undeclared) {
    const value = sent[name];
    if (typeof value === 'string' && !(name in given)) given[name] = value;
  }
  return given;
}

/** Moves values to the names by which handlers know them. Throws 400 if both were sent and differ. */
function settleOtherNames(parameters: readonly PlannedParameter[], given: ParameterMap): void {
  for (const { name, schema } of parameters) {
    const { otherNameOf: own } = wireSchema(schema);
    if (own === undefined || !(name in given)) continue;
    if (own in given && !isDeepStrictEqual(given[own], given[name]))
      throw refusedParameter(name, phrase('other_name_differs', { name, own }));
    given[own] = given[name];
    delete given[name];
  }
}
