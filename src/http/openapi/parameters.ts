// The parameters and the body of one operation.

import type { TSchema } from 'typebox';
import type { Endpoint, Method, ParameterTable } from '../route.ts';
import { parametersOf as declaredIn, type Parameter, wireSchema } from '../schemas/keywords.ts';
import type { Documentation } from './documentation/documentation.ts';
import type { Example } from './documentation/examples.ts';
import { COMMON_PARAMETERS, POST_PARAMETERS, SHARED_PARAMETERS, type SharedParameter } from './documentation/shared.ts';
import { bodyValue, queryValue } from './values.ts';
import type { Describe, Members } from './wording.ts';

export interface Place {
  readonly path: string;
  readonly method: Method;
}

/** `/events/by-slug/{slug}` is `EventsBySlug`. */
export const nameOfPath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => !segment.startsWith('by-'))
    .flatMap((segment) => segment.replace(/\{(\w+)\}/g, 'by-$1').split(/[^a-z0-9]+/i))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);

const PATH_VARIABLES: { readonly [name: string]: Members } = {
  id: { type: 'integer', minimum: 0 },
  credential: { type: 'integer', minimum: 0 },
  slug: { type: 'string' },
};

const FALLBACKS: { readonly [name: string]: string } = {
  id: 'shown.id',
  credential: 'credential.path_id',
  slug: 'shown.slug',
};
const NEW_SLUG = 'write.new_slug';
const REASON = 'write.reason';

const variablesOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const shownIn = (table: ParameterTable): Parameter[] =>
  declaredIn(table).filter(([, schema]) => wireSchema(schema).hidden === undefined);

/** The names of what must be sent beside the path. */
export const requiredNames = ({ parameters }: Endpoint, path: string): string[] =>
  shownIn(parameters)
    .filter(([name, , isRequired]) => isRequired && !variablesOf(path).includes(name))
    .map(([name]) => name);

export function parametersOf(
  { parameters }: Endpoint,
  { path, method }: Place,
  { takes }: Documentation,
  describe: Describe,
): Members[] {
  const variables = variablesOf(path);
  const arguments_ = WITH_BODY.has(method) ? [] : shownIn(parameters).filter(([name]) => !variables.includes(name));
  const names = arguments_.map(([name]) => name);
  const shared = [...takes, ...COMMON_PARAMETERS, ...(method === 'POST' ? POST_PARAMETERS : [])];
  return [
    ...variables.map((name) =>
      pathVariable(declaredIn(parameters).find(([one]) => one === name) ?? [name, undefined, false], describe),
    ),
    ...arguments_.map((parameter) => argument(parameter, describe)),
    ...shared.filter((name) => !names.includes(SHARED_PARAMETERS[name].name)).map(parameterReference),
  ];
}

const parameterReference = (name: SharedParameter): Members => ({ $ref: `#/components/parameters/${name}` });

/** A table may say of the same name what a body may hold; only what is required is about the path. */
function pathVariable(
  [name, schema, isRequired]: readonly [string, TSchema | undefined, boolean],
  describe: Describe,
): Members {
  const own = schema && isRequired ? wireSchema(schema).description : undefined;
  return {
    name,
    in: 'path',
    required: true,
    description: describe(own ?? FALLBACKS[name] ?? name),
    schema: PATH_VARIABLES[name] ?? { type: 'string' },
  };
}

const argument = ([name, schema, isRequired]: Parameter, describe: Describe): Members => ({
  name,
  in: 'query',
  description: describe(wireSchema(schema).description ?? ''),
  required: isRequired,
  ...queryValue(name, schema, describe),
});

const FORM = 'application/x-www-form-urlencoded';
const JSON_BODY = 'application/json';
const MULTIPART = 'multipart/form-data';

/**
 * How the body of a request may be sent, JSON first: that is what pages send that try requests out. PUT and PATCH know no
 * multipart forms. The same members every time: they stand with the form of POST, and in the document's components for
 * all else.
 */
export function bodyOf(endpoint: Endpoint, place: Place, describe: Describe): Members | undefined {
  const [schema] = bodySchema(endpoint, place, describe);
  if (schema === undefined) return undefined;
  const [name, whole] = schema;
  const { example } = endpoint.documentation;
  const said = example === undefined ? {} : { example };
  const reference = { schema: { $ref: `#/components/schemas/${name}` }, ...said };
  const isPost = place.method === 'POST';
  return {
    required: requiredNames(endpoint, place.path).length > 0,
    content: {
      [JSON_BODY]: reference,
      [FORM]: isPost ? { schema: whole, ...said } : reference,
      ...(isPost && { [MULTIPART]: reference }),
    },
  };
}

/** The body of an operation under its name among the components; none where there is no body. */
export function bodySchema(
  endpoint: Endpoint,
  { path, method }: Place,
  describe: Describe,
): readonly (readonly [name: string, schema: Members])[] {
  if (!WITH_BODY.has(method)) return [];
  const required = requiredNames(endpoint, path);
  const schema: Members = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: withExamples(bodyMembers(endpoint.parameters, path, describe), endpoint.documentation.example),
  };
  return [[`${nameOfPath(path)}Body`, schema]];
}

function bodyMembers(table: ParameterTable, path: string, describe: Describe): Members {
  const variables = variablesOf(path);
  const own = shownIn(table).filter(([name, , isRequired]) => !(variables.includes(name) && isRequired));
  return {
    ...propertiesOf(own, describe),
    ...(variables.includes('slug') &&
      own.length < shownIn(table).length && { slug: { type: 'string', description: describe(NEW_SLUG) } }),
    _reason: { type: 'string', maxLength: 1000, description: describe(REASON) },
  };
}

/** Forms are filled in member by member. */
const withExamples = (members: Members, example: Example = {}): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      example[name] === undefined ? member : { ...(member as Members), example: example[name] },
    ]),
  );

/** Members of a body by the table that declares them. */
export const propertiesOf = (parameters: readonly Parameter[], describe: Describe): Members =>
  Object.fromEntries(
    parameters.map(([name, schema]) => [
      name,
      {
        ...bodyValue(name, schema, describe),
        description: describe(wireSchema(schema).description ?? ''),
      },
    ]),
  );
