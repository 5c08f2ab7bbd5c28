// Values of parameters that the declared type alone does not describe.
import Type, { type TSchema } from 'typebox';
import { POST_STATUSES } from '../../domain/post.ts';
import { coerced } from '../parameters/coercion.ts';
import { wireSchema } from '../schemas/keywords.ts';

const text = Type.String();
const number = Type.Number();
const reference = Type.Union([Type.Integer(), text]);
const either = (...schemas: TSchema[]): TSchema => Type.Union(schemas);

/** A linked post: an id, a slug, the members of a new one, several of these, or none. */
function entryOf(entry: TSchema): TSchema {
  return either(reference, entry, Type.Array(either(reference, entry)), Type.Null());
}

/** By the names of parameters without a declared type: in a body, which has objects and lists. */
const IN_BODIES: { readonly [name: string]: TSchema } = {
  cost: either(text, number, Type.Array(either(text, number))),
  website: Type.String({ format: 'uri' }),
  categories: either(reference, Type.Array(reference)),
  tags: either(reference, Type.Array(reference)),
  venue: entryOf(Type.Ref('VenueEntry')),
  organizer: entryOf(Type.Ref('OrganizerEntry')),
  venue_id: entryOf(Type.Ref('VenueEntry')),
  organizers: entryOf(Type.Ref('OrganizerEntry')),
  featured_image: either(reference, Type.Null()),
};

/** In a query. Lists are separated by commas there. */
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
export const bodyValue = (name: string, schema: TSchema): TSchema => valueSchema(schema, IN_BODIES[name] ?? text);

/** The schema of an argument of a query. */
export const queryValue = (name: string, schema: TSchema): TSchema => valueSchema(schema, IN_QUERIES[name] ?? text);

function valueSchema(schema: TSchema, undeclared: TSchema): TSchema {
  const { type, format, description = '', alsoTakes = [], default: standard } = wireSchema(schema);
  const declared = { type: alsoTakes.includes('null') ? [type, 'null'] : type };
  return {
    ...(type === undefined ? undeclared : declared),
    ...(format !== undefined && { format }),
    // A default of null means that there is none.
    ...(standard !== undefined && standard !== null && { default: coercedDefault(standard, schema) }),
    description,
  };
}

/** Some defaults are declared as they would be sent. */
function coercedDefault(value: unknown, schema: TSchema): unknown {
  const outcome = coerced(value, schema);
  return outcome.kind === 'value' ? outcome.value : value;
}
