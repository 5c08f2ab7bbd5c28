// The OpenAPI document: @fastify/swagger builds it from the routes, with keys of texts; here it gets its language and
// address.
import { createRequire } from 'node:module';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { organizerTables, venueTables } from '../../calendar/linked-post/http/linked-post-schema.ts';
import { SHIM_NAMESPACE } from '../../exchange/compatibility/http/places.ts';
import { SHIM_COMPONENTS } from '../../exchange/compatibility/http/shim-answers-schema.ts';
import { nextTurn } from '../../kernel/event-loop/turns.ts';
import { ERROR_STATUSES, type ErrorCode } from '../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { methodsOf, parametersOf } from '../plugins/listed-routes.ts';
import { warmUp } from '../plugins/warm-up.ts';
import { ANSWER_COMPONENTS } from '../schemas/components.ts';
import { errorName, errorSchema } from '../schemas/errors.ts';
import Type, { type TObject, type TSchema } from '../schemas/type.ts';
import { ANY_ROOT, ANY_SITE, type Documents, openDocuments } from './document-texts.ts';
import { GROUPS, refusesSignedIn } from './documentation.ts';
import {
  FORM,
  JSON_BODY,
  MULTIPART,
  membersOf,
  nameOfPath,
  type Operation,
  operationSchema,
  operationsOf,
} from './operation-schemas.ts';
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  COMMON_HEADERS,
  COMMON_PARAMETERS,
  POST_PARAMETERS,
  SHARED_PARAMETERS,
} from './shared.ts';

const load = createRequire(import.meta.url);

interface DocumentedPlaces {
  /** Of the API, without slashes around it. */
  readonly prefix: string;
  /** What the paths of the shims are below, without slashes around it; undefined: there are no shims. */
  readonly shims: string | undefined;
}

/** Call it before routes are registered. The document includes those under `prefix`, not its aliases, and the shims. */
export function addOpenApi(app: FastifyInstance, { prefix, shims }: DocumentedPlaces): Documents['documentFor'] {
  const operations = new Map<string, Operation>();
  const components = { ...COMPONENTS, ...(shims !== undefined && SHIM_COMPONENTS) };
  const schemas = mapped(components, (schema, name) => ({ ...schema, $id: name }));
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  const shimRoot =
    shims === undefined
      ? undefined
      : [shims]
          .filter(Boolean)
          .map((root) => `/${root}`)
          .join('');

  /** None of a route that the document does not include. */
  function operationsAt(url: string, route: RouteOptions): readonly Operation[] {
    if (url.startsWith(`/${prefix}`)) return operationsOf(url.slice(prefix.length + 1), route);
    if (shimRoot === undefined || !url.startsWith(`${shimRoot}/${SHIM_NAMESPACE}`)) return [];
    const server = `${ANY_SITE}${shimRoot}`;
    return operationsOf(url.slice(shimRoot.length), route).map((operation) => ({ ...operation, server }));
  }
  const options: FastifyDynamicSwaggerOptions = {
    openapi: {
      openapi: '3.1.0',
      info: { version: '1.0.0', title: 'Daybook', description: 'document.description' satisfies DescriptionKey },
      servers: [{ url: ANY_ROOT }],
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic', description: 'sign_in.basic' satisfies DescriptionKey },
          bearer: { type: 'http', scheme: 'bearer', description: 'sign_in.bearer' satisfies DescriptionKey },
        },
      },
    },
    stripBasePath: false,
    refResolver: { buildLocalReference: (schema) => String(schema.$id) },
    transform({ url, route }) {
      const own = operationsAt(url, route);
      const [operation] = own;
      if (operation === undefined) return { schema: { hide: true }, url };
      for (const one of own) operations.set(one.id, one);
      return { schema: operationSchema(operation, parametersOf(route)), url: operation.path };
    },
  };
  const { prepare, documentFor } = openDocuments(async () => {
    const documented = routes
      .filter((route) => operationsAt(route.url, route).length > 0)
      .map((route) => ({ ...route, method: methodsOf(route) }));
    return withReferences(await documentOf(documented, schemas, options), operations);
  });
  warmUp(app, prepare);
  return documentFor;
}

/** Of its modules the largest, which load one by one. */
const MODULES = ['json-schema-resolver', 'yaml'];
/** Routes of which the library makes a part of the document in some milliseconds. */
const AT_ONCE = 20;

/**
 * What the library makes of routes. As a plugin of the application it would be loaded with 120 modules at each start, and each of its
 * scopes would have all schemas: so it hears of routes when the document is made, from what stands here for the application. In one
 * go an anonymous request held the event loop for the 100 ms that this takes.
 */
async function documentOf(
  routes: readonly RouteOptions[],
  schemas: Members,
  options: FastifyDynamicSwaggerOptions,
): Promise<OpenApiObject> {
  const loadBeside = createRequire(load.resolve('@fastify/swagger'));
  for (const name of MODULES) {
    loadBeside(name);
    await nextTurn();
  }
  let document = partOf([], schemas, options);
  for (let first = 0; first < routes.length; first += AT_ONCE) {
    await nextTurn();
    document = joined(document, partOf(routes.slice(first, first + AT_ONCE), schemas, options));
  }
  await nextTurn();
  return document;
}

/** Methods of one path may be in both. */
function joined(one: OpenApiObject, other: OpenApiObject): OpenApiObject {
  const both = Object.entries(other.paths).map(([path, item]) => [path, { ...one.paths[path], ...item }] as const);
  const schemas = { ...one.components.schemas, ...other.components.schemas };
  return {
    ...one,
    components: { ...one.components, schemas },
    paths: { ...one.paths, ...Object.fromEntries(both) },
  };
}

function partOf(
  routes: readonly RouteOptions[],
  schemas: Members,
  options: FastifyDynamicSwaggerOptions,
): OpenApiObject {
  const hooks = new Map<string, (heard: unknown) => void>();
  let make = (): unknown => ({});
  const application = {
    addHook: (name: string, hook: (heard: unknown) => void) => hooks.set(name, hook),
    decorate(_name: string, made: typeof make) {
      make = made;
    },
    getSchemas: () => schemas,
  };
  load('@fastify/swagger')(application, options, () => {});
  for (const route of routes) hooks.get('onRoute')?.(route);
  hooks.get('onReady')?.(() => {});
  return make() as OpenApiObject; // What the library builds of such routes; its type covers all versions of OpenAPI.
}

/** Parts of a venue or organizer within an event. */
const entry = (parameters: TObject, description: DescriptionKey) => ({
  type: 'object',
  description,
  properties: { id: Type.Integer({ description: 'entry.id' }), ...membersOf(parameters) },
});

const COMPONENTS = {
  ...ANSWER_COMPONENTS,
  VenueEntry: entry(venueTables.create, 'entry.venue'),
  OrganizerEntry: entry(organizerTables.create, 'entry.organizer'),
};

// The `transformObject` of @fastify/swagger: adds references to components, which a route cannot declare.
//
// The library writes a route's schema out in each operation and loses references: from `response: { 404: { $ref:
// '#/components/responses/Error404' } }` it makes an answer whose body has that schema; a header has its schema alone,
// without `required`; parameters are inline. Written out, the document has 1.7 MB instead of 0.4 MB, so what operations
// share is added here: answers to errors, headers, and the parameters that all of them accept.

// Parts of the document.

/** A part of the document. */
type Members = { readonly [name: string]: unknown };

const mapped = <T>(named: { readonly [name: string]: T }, make: (one: T, name: string) => unknown): Members =>
  Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one, name)]));

const schemaReference = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

const headersOf = (names: readonly AnswerHeader[]): Members =>
  Object.fromEntries(
    [...names, ...COMMON_HEADERS].map((name) => [ANSWER_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );

/** The part of the document that is read here. */
interface OpenApiObject {
  readonly openapi: string;
  readonly info: Members;
  readonly servers: readonly Members[];
  readonly components: { readonly [group: string]: Members };
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationObject } };
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: MediaType } };
  readonly responses: { readonly [status: string]: Members };
}

interface MediaType {
  readonly schema: TSchema;
  readonly example?: unknown;
}

/** `operations` by their ids, in the order of the index. */
function withReferences(document: OpenApiObject, operations: ReadonlyMap<string, Operation>): Members {
  const all = [...operations.values()];
  const groups = new Set(all.flatMap(({ documentation }) => documentation.tags));
  const bodies: { [name: string]: TSchema } = {};
  const { openapi, info, servers, components } = document;
  // The library shares one object among all methods of a route, under the id of the first.
  const paths = mapped(document.paths, (item) =>
    Object.fromEntries(
      Object.entries(item).map(([method, object]) => {
        const operation = operations.get(object.operationId.replace(/^[a-z]+/, method));
        return [method, operation === undefined ? object : { ...object, ...referring(operation, object, bodies) }];
      }),
    ),
  );
  return {
    openapi,
    info,
    components: {
      ...components,
      schemas: { ...components.schemas, ...bodies, ...errorSchemas(all) },
      responses: errorResponses(all),
      parameters: SHARED_PARAMETERS,
      headers: mapped(ANSWER_HEADERS, ({ component }) => component),
    },
    servers,
    paths,
    tags: GROUPS.filter((group) => groups.has(group)).map((name) => ({ name })),
  };
}

function referring(operation: Operation, object: OperationObject, bodies: { [name: string]: TSchema }): Members {
  const { requestBody } = object;
  return {
    operationId: operation.id,
    ...(operation.server !== undefined && { servers: [{ url: operation.server }] }),
    parameters: parameterReferences(operation, object),
    ...(requestBody !== undefined && {
      requestBody: {
        required: operation.required.length > 0,
        content: contentOf(operation, requestBody.content, bodies),
      },
    }),
    responses: responsesOf(operation, object),
  };
}

function parameterReferences({ method, documentation }: Operation, { parameters = [] }: OperationObject): Members[] {
  const names = new Set(parameters.map(({ name }) => name));
  const shared = [...documentation.takes, ...COMMON_PARAMETERS, ...(method === 'POST' ? POST_PARAMETERS : [])];
  const references = shared
    .filter((name) => !names.has(SHARED_PARAMETERS[name].name))
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...parameters, ...references];
}

/**
 * The members of a body are the same in every media type and with every method: they are in the form of POST, which is
 * written out member by member, and among the components for all else.
 */
function contentOf(
  { method, path }: Operation,
  content: { readonly [mediaType: string]: MediaType },
  bodies: { [name: string]: TSchema },
): Members {
  const name = `${nameOfPath(path)}Body`;
  const schema = (content[JSON_BODY] ?? content[MULTIPART])?.schema;
  if (schema !== undefined) bodies[name] = schema;
  // PUT and PATCH know no multipart forms.
  const taken = Object.entries(content).filter(([type]) => type !== MULTIPART || method === 'POST');
  return Object.fromEntries(
    taken.map(([type, media]) => [
      type,
      method === 'POST' && type === FORM ? media : { ...media, schema: schemaReference(name) },
    ]),
  );
}

function responsesOf(operation: Operation, { responses }: OperationObject): Members {
  const successes = Object.entries(operation.documentation.response).map(([status, { carries }]) => [
    status,
    { ...responses[status], headers: headersOf(carries) },
  ]);
  return { ...Object.fromEntries(successes), ...errorReferences(operation) };
}

// The answers to errors: one per status, shared by all operations with the same codes.

/** Any request may get these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'rest_invalid_param',
  'rest_invalid_json',
  'rest_too_many_parameters',
  'rest_invalid_host',
  'rest_bad_request',
  'rest_callback_disabled',
  'invalid_username',
  'invalid_email',
  'incorrect_password',
  'rest_invalid_token',
  'rest_no_role',
  'rest_user_removed',
  'rest_request_timeout',
  'rest_request_too_large',
  'rest_uri_too_long',
  'rest_headers_too_large',
  'rest_rate_limited',
  'rest_parked',
  'internal_server_error',
  'rest_unavailable',
  'rest_sign_on_unavailable',
];

/** A POST may be a multipart form. */
const POST_ERRORS: readonly ErrorCode[] = ['rest_invalid_form'];

/** Statuses of a code: a missing right is 401 for the public, 403 for signed-in callers. */
const statusesOf = (code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' ? [401, 403] : [ERROR_STATUSES[code]];

/** The errors of an operation under one status. */
interface Errors {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** Every code that an operation may answer with. */
const codesOf = ({ method, required, documentation }: Operation): ReadonlySet<ErrorCode> =>
  new Set([
    ...COMMON_ERRORS,
    ...(method === 'POST' ? POST_ERRORS : []),
    ...(required.length > 0 ? (['rest_missing_callback_param'] as const) : []),
    ...documentation.errors,
  ]);

/** Lowest status first. */
function errorsOf(operation: Operation): readonly Errors[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(operation)) {
    for (const status of statusesUnder(operation, code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([one], [other]) => one - other).map(([status, codes]) => ({ status, codes }));
}

/** If all signed-in callers may, only the public lacks the right. */
const statusesUnder = ({ documentation }: Operation, code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' && !refusesSignedIn(documentation) ? [401] : statusesOf(code);

const COMMON: ReadonlySet<ErrorCode> = new Set(COMMON_ERRORS);

/** The answers to errors of an operation, by status. */
const errorReferences = (operation: Operation): Members =>
  Object.fromEntries(
    errorsOf(operation).map((errors) => [errors.status, { $ref: `#/components/responses/${nameOf(errors)}` }]),
  );

/** The component of operations with the same errors: `Error400`, and `Error400.term_exists` if there are more. */
const nameOf = ({ status, codes }: Errors): string =>
  [`Error${status}`, ...codes.filter((code) => !COMMON.has(code))].join('.');

const errorResponses = (operations: readonly Operation[]): Members =>
  mapped(Object.fromEntries(operations.flatMap(errorsOf).map((errors) => [nameOf(errors), errors])), errorResponse);

/** Headers of errors besides those of every answer. */
const ERROR_HEADERS: { readonly [status: number]: readonly AnswerHeader[] } = {
  301: ['Location'],
  308: ['Location'],
  401: ['Authenticate'],
  429: ['RetryAfter'],
  503: ['RetryAfter', 'Views'],
};

/** One status with all codes under it; their messages, inserted for `{code}` in each language, explain them. */
function errorResponse({ status, codes }: Errors): Members {
  const references = codes.map((code) => schemaReference(errorName(code)));
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${errorName(code)}`]));
  return {
    description: codes.map((code) => `\`${code}\`: {${code}}`).join('\n\n'),
    headers: headersOf(ERROR_HEADERS[status] ?? []),
    content: {
      [JSON_BODY]: {
        schema:
          references.length === 1
            ? references[0]
            : { oneOf: references, discriminator: { propertyName: 'code', mapping } },
      },
    },
  };
}

/** All codes of operations, in the order of the catalogue. */
function errorSchemas(operations: readonly Operation[]): Members {
  const met = new Set(operations.flatMap((operation) => [...codesOf(operation)]));
  const codes = (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter((code) => met.has(code)); // Its keys are the codes.
  return Object.fromEntries(codes.map((code) => [errorName(code), errorSchema(code, statusesOf(code))]));
}
