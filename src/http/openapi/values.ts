// What values parameters take. Most say so in their tables; here is what the declared type alone does not tell.
import Type, { type TSchema } from 'typebox';
import { POST_STATUSES } from '../../domain/post-status.ts';
import { coerced } from '../parameters/coercion.ts';
import { wireSchema } from '../schemas/keywords.ts';
import { nullable, openApiSchema } from './schemas.ts';
import type { Describe, Members } from './wording.ts';

const text = Type.String();
const number = Type.Number();
const reference = Type.Union([Type.Integer(), text]);
const either = (...schemas: TSchema[]): TSchema => Type.Union(schemas);

/** By the names of parameters whose type is not declared: as members of a body, where there are objects and lists. */
const IN_BODIES: { readonly [name: string]: TSchema } = {
  cost: either(text, number, Type.Array(either(text, number))),
  website: Type.String({ format: 'uri' }),
  categories: either(reference, Type.Array(reference)),
  tags: either(reference, Type.Array(reference)),
  venue: either(reference, Type.Ref('VenueEntry'), Type.Array(either(reference, Type.Ref('VenueEntry')))),
  organizer: either(reference, Type.Ref('OrganizerEntry'), Type.Array(either(reference, Type.Ref('OrganizerEntry')))),
};

/** As arguments of a query. Lists are separated by commas there. */
const IN_QUERIES: { readonly [name: string]: TSchema } = {
  categories: Type.Array(reference),
  tags: Type.Array(reference),
  include: Type.Array(reference),
  exclude: Type.Array(reference),
  venue: Type.Array(Type.Integer()),
  organizer: Type.Array(Type.Integer()),
  status: Type.Array(Type.String({ enum: [...POST_STATUSES, 'any'] })),
  types: Type.Array(text),
};

/** The schema of a member of a body. */
export const bodyValue = (name: string, schema: TSchema, describe: Describe): Members =>
  valueSchema(schema, IN_BODIES[name] ?? text, describe);

/** The schema of an argument, and how a list is written. */
export function queryValue(name: string, schema: TSchema, describe: Describe): Members {
  const value = valueSchema(schema, IN_QUERIES[name] ?? text, describe);
  return value.type === 'array' ? { style: 'form', explode: false, schema: value } : { schema: value };
}

function valueSchema(schema: TSchema, undeclared: TSchema, describe: Describe): Members {
  const { type, format, alsoTakes = [], default: standard } = wireSchema(schema);
  const declared: Members = type === undefined ? openApiSchema(undeclared, describe) : { type };
  return {
    ...(alsoTakes.includes('null') ? nullable(declared) : declared),
    ...(format !== undefined && { format }),
    // A default of null says that there is none.
    ...(standard !== undefined && standard !== null && { default: coercedDefault(standard, schema) }),
  };
}

/** Some defaults are declared as they would be sent. */
function coercedDefault(value: unknown, schema: TSchema): unknown {
  const outcome = coerced(value, schema);
  return outcome.kind === 'value' ? outcome.value : value;
}
