// Values of parameters that the declared type alone does not describe.
import Type, { type TSchema } from 'typebox';
import { POST_STATUSES } from '../../calendar/resource/domain/post.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { coerced } from '../parameters/coercion.ts';
import { type Checks, wireSchema } from '../schemas/keywords.ts';

const text = Type.String();
const number = Type.Number();
const reference = Type.Union([Type.Integer(), text]);
const either = (...schemas: TSchema[]): TSchema => Type.Union(schemas);

/** A linked post: an id, a slug, the members of a new one, several of these, or none. */
function entryOf(entry: TSchema): TSchema {
  return either(reference, entry, Type.Array(either(reference, entry)), Type.Null());
}

const textOrTexts = either(text, Type.Array(text));
/** Rules of review of one kind: an object, or the same in words. */
const rules = either(Type.Object({}, { additionalProperties: either(text, Type.Integer(), Type.Boolean()) }), text);
const dates = Type.Array(text);
const described = (description: DescriptionKey, schema: TSchema): TSchema => ({ ...schema, description });

/** By the checks of parameters without a declared type: what has members. */
const OF_CHECKS: { readonly [Name in keyof Checks]?: TSchema } = {
  recurrence: {
    type: 'object',
    properties: {
      rrule: described('recurrence.rrule', textOrTexts),
      rdates: described('recurrence.rdates', dates),
      exdates: described('recurrence.exdates', dates),
    },
  },
  reviewRules: rules,
  eventReviewRules: rules,
  siteLogo: reference,
  siteLinks: Type.Array(Type.Object({ label: text, url: Type.String({ format: 'uri' }) })),
};

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
  ...Object.fromEntries(['types', 'kind', 'actor', 'role', 'field'].map((name) => [name, textOrTexts])),
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
  has_events: Type.Boolean(),
  only_with_upcoming: Type.Boolean(),
};

/** The schema of a member of a body. `use`: only what is made has defaults; what is not sent with a change stays as it is. */
export function bodyValue(name: string, schema: TSchema, use: 'create' | 'change'): TSchema {
  return valueSchema(schema, OF_CHECKS[checkOf(schema)] ?? IN_BODIES[name] ?? text, use);
}

const checkOf = (schema: TSchema): keyof Checks => {
  const { check = 'anything' } = wireSchema(schema);
  return typeof check === 'string' ? check : check[0] === 'existing' ? 'anything' : check[0];
};

/** The schema of an argument of a query. */
export const queryValue = (name: string, schema: TSchema): TSchema =>
  valueSchema(schema, IN_QUERIES[name] ?? text, 'create');

function valueSchema(schema: TSchema, undeclared: TSchema, use: 'create' | 'change'): TSchema {
  const { type, format, description = '', alsoTakes = [], default: standard } = wireSchema(schema);
  const declared = { type: alsoTakes.includes('null') ? [type, 'null'] : type };
  return {
    ...(type === undefined ? undeclared : declared),
    // Dates are also taken in words (`tomorrow`) and as numbers: a format would keep clients from sending them.
    ...(format !== undefined && !format.startsWith('date') && { format }),
    // A default of null means that there is none.
    ...(use === 'create' &&
      standard !== undefined &&
      standard !== null && { default: coercedDefault(standard, schema) }),
    description,
  };
}

/** Some defaults are declared as they would be sent. */
function coercedDefault(value: unknown, schema: TSchema): unknown {
  const outcome = coerced(value, schema);
  return outcome.kind === 'value' ? outcome.value : value;
}
