// The `transform` of @fastify/swagger for one route.
import type { FastifySchema, RouteOptions } from 'fastify';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { DescriptionKey } from '../../locales/language.ts';
import { methodsOf, parametersOf } from '../plugins/listed-routes.ts';
import { pathOf } from '../plugins/routing.ts';
import type { Method } from '../route.ts';
import { parametersOf as membersIn, type Parameter, wireSchema } from '../schemas/keywords.ts';
import type { Documentation } from './documentation/documentation.ts';
import { bodyValue, queryValue } from './values.ts';

/** One method of one path of the document. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** What the path is below; absent: the root of the API. */
  readonly server?: string;
  readonly documentation: Documentation;
  /** Names of required parameters besides those of the path. */
  readonly required: readonly string[];
}

const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

export const JSON_BODY = 'application/json';
export const FORM = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

/** `/events/by-slug/{slug}` is `EventsBySlug`: stable, because paths are. */
export const nameOfPath = (path: string): string =>
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
  return methodsOf(route).map((method) => ({
    id: method.toLowerCase() + nameOfPath(path),
    method,
    path: path === '' ? '/' : path,
    documentation: route.schema as Documentation, // Each route of the API says what it is.
    required: requiredIn(besidePath(parametersOf(route), variablesOf(path))),
  }));
}

/** A schema may have a name of the path that also occurs in a body; only required ones are of the path. */
const besidePath = (parameters: TObject, variables: readonly string[]): Parameter[] =>
  shownIn(parameters).filter(([name, , isRequired]) => !(variables.includes(name) && isRequired));

const requiredIn = (parameters: readonly Parameter[]): string[] =>
  parameters.filter(([, , isRequired]) => isRequired).map(([name]) => name);

/** The schema of the operation in the form that @fastify/swagger reads. */
export function operationSchema({ id, method, path, documentation }: Operation, parameters: TObject): FastifySchema {
  const variables = variablesOf(path);
  return {
    ...documentation,
    operationId: id,
    ...(variables.length > 0 && { params: pathSchema(variables, parameters) }),
    ...(WITH_BODY.has(method)
      ? {
          body: bodySchema({ method, variables, parameters, documentation }),
          consumes: documentation.file === undefined ? MEDIA_TYPES : [MULTIPART],
        }
      : { querystring: querySchema(variables, parameters) }),
  };
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

function pathSchema(variables: readonly string[], { properties }: TObject): TSchema {
  const variable = (name: string): TSchema => {
    const declared = properties[name];
    const own = declared === undefined || Type.IsOptional(declared) ? undefined : wireSchema(declared).description;
    return { ...PATH_VARIABLES[name], ...(own !== undefined && { description: own }) };
  };
  return Type.Object(Object.fromEntries(variables.map((name) => [name, variable(name)])));
}

function querySchema(variables: readonly string[], parameters: TObject): TSchema {
  const shown = shownIn(parameters).filter(([name]) => !variables.includes(name));
  // Lists are separated by commas. The library applies this to the whole query; it has no effect on other values.
  return { ...objectOf(mapped(shown, queryValue), requiredIn(shown)), style: 'form', explode: false };
}

interface DocumentedBody extends Pick<Operation, 'method' | 'documentation'> {
  readonly variables: readonly string[];
  readonly parameters: TObject;
}

function bodySchema({ method, variables, parameters, documentation }: DocumentedBody): TSchema {
  const { example = {}, file } = documentation;
  const use = method === 'POST' && variables.length === 0 ? 'create' : 'change';
  const shown = besidePath(parameters, variables);
  const isNamedBySlug = variables.includes('slug') && shown.length < shownIn(parameters).length;
  const members: TProperties = {
    ...(file !== undefined && { file: { type: 'string', format: 'binary', description: file } }),
    ...mapped(shown, (name, schema) => bodyValue(name, schema, use)),
    ...(isNamedBySlug && { slug: Type.String({ description: 'write.new_slug' satisfies DescriptionKey }) }),
    _reason: Type.String({ maxLength: 1000, description: 'write.reason' satisfies DescriptionKey }),
  };
  const withExamples = Object.entries(members).map(([name, member]) => [
    name,
    name in example ? { ...member, examples: [example[name]] } : member,
  ]);
  const required = [...(file === undefined ? [] : ['file']), ...requiredIn(shown)];
  // A file is named, since nothing else of it can be written here.
  const whole = { ...(file !== undefined && { file: 'picture.jpg' }), ...example };
  return { ...objectOf(Object.fromEntries(withExamples), required), examples: [whole] };
}

/** Parts of an event's venue or organizer. */
export const membersOf = (parameters: TObject): TProperties =>
  mapped(membersIn(parameters), (name, schema) => bodyValue(name, schema, 'create'));

const mapped = (parameters: readonly Parameter[], make: (name: string, schema: TSchema) => TSchema): TProperties =>
  Object.fromEntries(parameters.map(([name, schema]) => [name, make(name, schema)]));

const objectOf = (properties: TProperties, required: readonly string[]): TSchema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
});
