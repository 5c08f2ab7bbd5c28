// What one route adds to the document: its operations, with their parameters and bodies.
import type { RouteOptions } from 'fastify';
import { POST_STATUSES } from '../../calendar/resource/domain/post.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { coerced } from '../parameters/coercion.ts';
import { methodsOf, parametersOf } from '../plugins/listed-routes.ts';
import { pathOf } from '../plugins/routing.ts';
import type { Method } from '../route.ts';
import {
  type CheckName,
  type ChecksWithArguments,
  parametersOf as membersIn,
  type Parameter,
  wireSchema,
} from '../schemas/keywords.ts';
import Type, { type TObject, type TProperties, type TSchema } from '../schemas/type.ts';
import type { Documentation } from './documentation.ts';

/** One method of one path of the document. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** What the path is below; absent: the root of the API. */
  readonly server?: string;
  readonly documentation: Documentation;
  readonly parameters: TObject;
  /** Names of required parameters besides those of the path. */
  readonly required: readonly string[];
}

const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

export const JSON_BODY = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** `/events/by-slug/{slug}` is `EventsBySlug`: stable, because paths are. */
const nameOfPath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => !segment.startsWith('by-'))
    .flatMap((segment) => segment.replace(/\{(\w+)\}/g, 'by-$1').split(/[^a-z0-9]+/i))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('') || 'Index';

const variablesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const shownIn = (parameters: TObject): Parameter[] =>
  membersIn(parameters).filter(([, schema]) => wireSchema(schema).hidden === undefined);

/** One for each method of a route; none of what is not of the API, and of OPTIONS and HEAD. */
export function operationsOf(url: string, route: RouteOptions): Operation[] {
  if (route.config?.allow === undefined) return [];
  const path = pathOf(url);
  const parameters = parametersOf(route);
  return methodsOf(route).map((method) => ({
    id: method.toLowerCase() + nameOfPath(path),
    method,
    path: path === '' ? '/' : path,
    documentation: route.schema as Documentation, // Each route of the API says what it is.
    parameters,
    required: requiredIn(besidePath(parameters, variablesOf(path))),
  }));
}

/** A schema may have a name of the path that also occurs in a body; only required ones are of the path. */
const besidePath = (parameters: TObject, variables: readonly string[]): Parameter[] =>
  shownIn(parameters).filter(([name, , isRequired]) => !(variables.includes(name) && isRequired));

const requiredIn = (parameters: readonly Parameter[]): string[] =>
  parameters.filter(([, , isRequired]) => isRequired).map(([name]) => name);

/** A part of the document. */
export type Members = { readonly [name: string]: unknown };

/** Those of the query, of methods that have no body, and of the path. */
export function ownParameters({ method, path, parameters }: Operation): Members[] {
  const variables = variablesOf(path);
  const parameter = (place: 'query' | 'path', name: string, value: TSchema, required: boolean): Members => {
    const { description, ...schema }: Members = { ...value };
    return { schema, in: place, name, required, ...(description !== '' && { description }) };
  };
  const query = WITH_BODY.has(method) ? [] : shownIn(parameters).filter(([name]) => !variables.includes(name));
  return [
    ...query.map(([name, schema, isRequired]) => ({
      ...parameter('query', name, queryValue(name, schema), isRequired),
      // Lists are separated by commas; this has no effect on other values.
      style: 'form',
      explode: false,
    })),
    ...variables.map((name) => parameter('path', name, pathValue(name, parameters), true)),
  ];
}

/** JSON first: that is what pages send that try requests out. */
const MEDIA_TYPES = [JSON_BODY, FORM, MULTIPART];

const identified = (description: DescriptionKey): TSchema => Type.Integer({ minimum: 0, description });

const PATH_VARIABLES: { readonly [name: string]: TSchema } = {
  id: identified('shown.id'),
  credential: identified('credential.path_id'),
  slug: Type.String({ description: 'shown.slug' satisfies DescriptionKey }),
  event: Type.String({ description: 'delivery.event' satisfies DescriptionKey }),
};

function pathValue(name: string, { properties }: TObject): TSchema {
  const declared = properties[name];
  const own = declared === undefined || Type.IsOptional(declared) ? undefined : wireSchema(declared).description;
  return { ...PATH_VARIABLES[name], ...(own !== undefined && { description: own }) };
}

/**
 * The content of its body by media type; undefined: it takes none. The members are the same in every media type and with every method:
 * they are in the form of POST, which is written out member by member, and among `bodies` for all else.
 */
export function bodyOf(operation: Operation, bodies: { [name: string]: Members }): Members | undefined {
  const { method, path, documentation } = operation;
  if (!WITH_BODY.has(method)) return undefined;
  const { example, ...schema } = bodySchema(operation);
  const name = `${nameOfPath(path)}Body`;
  bodies[name] = schema;
  // PUT and PATCH know no multipart forms.
  const types = documentation.file === undefined ? MEDIA_TYPES : [MULTIPART];
  return Object.fromEntries(
    types
      .filter((type) => type !== MULTIPART || method === 'POST')
      .map((type) => [type, { schema: method === 'POST' && type === FORM ? schema : { $ref: name }, example }]),
  );
}

function bodySchema({ method, path, parameters, documentation }: Operation) {
  const { example = {}, file } = documentation;
  const variables = variablesOf(path);
  const use = method === 'POST' && variables.length === 0 ? 'create' : 'change';
  const fields = besidePath(parameters, variables);
  const isNamedBySlug = variables.includes('slug') && fields.length < shownIn(parameters).length;
  const members: TProperties = {
    ...(file !== undefined && { file: { type: 'string', format: 'binary', description: file } }),
    ...mapped(fields, (name, schema) => bodyValue(name, schema, use)),
    ...(isNamedBySlug && { slug: Type.String({ description: 'write.new_slug' satisfies DescriptionKey }) }),
    _reason: Type.String({ maxLength: 1000, description: 'write.reason' satisfies DescriptionKey }),
  };
  const withExamples = Object.entries(members).map(([name, member]) => [
    name,
    name in example ? { ...member, examples: [example[name]] } : member,
  ]);
  const required = [...(file === undefined ? [] : ['file']), ...requiredIn(fields)];
  // A file is named, since nothing else of it can be written here.
  const whole = { ...(file !== undefined && { file: 'picture.jpg' }), ...example };
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(withExamples),
    example: whole,
  };
}

/** Parts of an event's venue or organizer. */
export const membersOf = (parameters: TObject): TProperties =>
  mapped(membersIn(parameters), (name, schema) => bodyValue(name, schema, 'create'));

const mapped = (parameters: readonly Parameter[], make: (name: string, schema: TSchema) => TSchema): TProperties =>
  Object.fromEntries(parameters.map(([name, schema]) => [name, make(name, schema)]));

// Values of parameters that the declared type alone does not describe.

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
const OF_CHECKS: { readonly [Name in CheckName | keyof ChecksWithArguments]?: TSchema } = {
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
function bodyValue(name: string, schema: TSchema, use: 'create' | 'change'): TSchema {
  return valueSchema(schema, OF_CHECKS[checkOf(schema)] ?? IN_BODIES[name] ?? text, use);
}

const checkOf = (schema: TSchema): keyof typeof OF_CHECKS => {
  const { check = 'anything' } = wireSchema(schema);
  return typeof check === 'string' ? check : check[0] === 'existing' ? 'anything' : check[0];
};

/** The schema of an argument of a query. */
const queryValue = (name: string, schema: TSchema): TSchema => valueSchema(schema, IN_QUERIES[name] ?? text, 'create');

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
