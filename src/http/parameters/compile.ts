// The order in which parameters are validated: missing ones, invalid ones, wrong types.
import type { TObject, TSchema } from 'typebox';
import { missingParameters, mistypedParameters, refusedParameters } from '../errors.ts';
import { type Parameter, parametersOf, wireSchema } from '../schemas/keywords.ts';
import { type Allowed, characters } from './allowed.ts';
import { validatorOf } from './checks.ts';
import { coerced } from './coercion.ts';
import { emptyMap, type ParameterMap } from './parameter-map.ts';
import type { ValidationContext, Validator } from './validators.ts';

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
const UNDECLARED = { read: ['password', 'context'], write: ['context', '_reason'] } as const;

/**
 * Compiles a schema to the validation of a request, which returns its declared parameters for handlers. Throws the 400
 * of the first kind of failure: missing, invalid, or mistyped; each names all parameters of its kind. Returns a promise
 * only if a lookup is needed: most reads need none.
 */
export function compileInput(
  schema: TObject,
  use: keyof typeof UNDECLARED,
): (context: ValidationContext) => ParameterMap | Promise<ParameterMap> {
  const plan: CheckPlan = { parameters: parametersOf(schema).map(planned), undeclared: UNDECLARED[use] };
  return (context) => {
    const { sent } = context;
    refuseMissing(plan.parameters, sent);
    const verdicts = validate(plan.parameters, context);
    if (verdicts.length === 0) return coercedParameters(plan, sent);
    return settle(verdicts, context).then(() => coercedParameters(plan, sent));
  };
}

function planned([name, schema, isRequired]: Parameter): PlannedParameter {
  const { check } = wireSchema(schema);
  return { name, isRequired, accept: check && validatorOf(check), schema };
}

const MAX_REASON_LENGTH = 1_000;

function refuseMissing(parameters: readonly PlannedParameter[], sent: ParameterMap): void {
  const missing: string[] = [];
  for (const { name, isRequired } of parameters) if (isRequired && (sent[name] ?? null) === null) missing.push(name);
  if (missing.length > 0) throw missingParameters(missing);
}

interface Verdict {
  readonly name: string;
  readonly allowed: Allowed | undefined;
  readonly accepts: boolean | Promise<boolean>;
}

/** The values that were not accepted at once. */
function validate(parameters: readonly PlannedParameter[], context: ValidationContext): Verdict[] {
  const { sent } = context;
  const verdicts: Verdict[] = [];
  for (const { name, accept } of parameters) {
    const value = sent[name] ?? null;
    if (value === null || accept === undefined) continue;
    const accepts = accept(value, context);
    if (accepts !== true) verdicts.push({ name, allowed: accept.allowed, accepts });
  }
  if (typeof sent._reason === 'string' && sent._reason.length > MAX_REASON_LENGTH)
    verdicts.push({ name: '_reason', allowed: characters(0, MAX_REASON_LENGTH), accepts: false });
  return verdicts;
}

async function settle(verdicts: readonly Verdict[], { caller }: ValidationContext): Promise<void> {
  const accepted = await Promise.all(verdicts.map(({ accepts }) => accepts));
  const refused = verdicts.filter((_, at) => !accepted[at]);
  if (refused.length > 0)
    throw refusedParameters(new Map(refused.map(({ name, allowed }) => [name, allowed?.(name, caller)])));
}

function coercedParameters(plan: CheckPlan, sent: ParameterMap): ParameterMap {
  const given = emptyMap();
  const mistyped = new Map<string, string>();
  for (const { name, schema, accept } of plan.parameters) {
    const value = sent[name];
    if (value === undefined) continue;
    const outcome = coerced(value, schema);
    if (outcome.kind === 'value') {
      const read = accept?.read ? accept.read(outcome.value) : outcome.value;
      if (read !== undefined) given[name] = read;
    }
    if (outcome.kind === 'mistyped') mistyped.set(name, outcome.type);
  }
  if (mistyped.size > 0) throw mistypedParameters(mistyped);
  for (const name of plan.undeclared) {
    const value = sent[name];
    if (typeof value === 'string' && !(name in given)) given[name] = value;
  }
  return given;
}
