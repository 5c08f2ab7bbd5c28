// The OpenAPI document, built from the routes of the API and of the shims with keys of texts (document-texts.ts).
//
// What operations share is referred to: answers to errors, headers, bodies, and the parameters that all of them accept. Written out
// in each operation the document would have 1.7 MB instead of 0.4 MB.
import type { FastifyInstance, RouteOptions } from 'fastify';
import { organizerTables, venueTables } from '../../calendar/linked-post/http/linked-post-schema.ts';
import { SHIM_NAMESPACE } from '../../exchange/compatibility/http/places.ts';
import { SHIM_COMPONENTS } from '../../exchange/compatibility/http/shim-answers-schema.ts';
import { nextTurn } from '../../kernel/event-loop/turns.ts';
import { ERROR_STATUSES, type ErrorCode } from '../../locales/error-catalogue.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { warmUp } from '../plugins/warm-up.ts';
import { ANSWER_COMPONENTS } from '../schemas/components.ts';
import { errorName, errorSchema } from '../schemas/errors.ts';
import Type, { type TObject } from '../schemas/type.ts';
import { ANY_ROOT, ANY_SITE, type Documents, openDocuments } from './document-texts.ts';
import { GROUPS, refusesSignedIn } from './documentation.ts';
import {
  bodyOf,
  JSON_BODY,
  type Members,
  membersOf,
  type Operation,
  operationsOf,
  ownParameters,
} from './operation-schemas.ts';
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  COMMON_HEADERS,
  COMMON_PARAMETERS,
  POST_PARAMETERS,
  SHARED_PARAMETERS,
} from './shared.ts';

interface DocumentedPlaces {
  /** The path of the API, without slashes around it. */
  readonly prefix: string;
  /** What the paths of the shims are below, without slashes around it; undefined: there are no shims. */
  readonly shims: string | undefined;
}

/** Call it before routes are registered. The document includes those under `prefix`, not its aliases, and the shims. */
export function addOpenApi(app: FastifyInstance, { prefix, shims }: DocumentedPlaces): Documents['documentFor'] {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  const shimRoot = shims ? `/${shims}` : '';

  /** None of a route that the document does not include. */
  function operationsAt(route: RouteOptions): readonly Operation[] {
    const { url } = route;
    if (url.startsWith(`/${prefix}`)) return operationsOf(url.slice(prefix.length + 1), route);
    if (shims === undefined || !url.startsWith(`${shimRoot}/${SHIM_NAMESPACE}`)) return [];
    const server = `${ANY_SITE}${shimRoot}`;
    return operationsOf(url.slice(shimRoot.length), route).map((operation) => ({ ...operation, server }));
  }
  const { prepare, documentFor } = openDocuments(async () =>
    documentOf(routes.flatMap(operationsAt), { ...COMPONENTS, ...(shims !== undefined && SHIM_COMPONENTS) }),
  );
  warmUp(app, prepare);
  return documentFor;
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

const mapped = <T>(named: { readonly [name: string]: T }, make: (one: T) => unknown): Members =>
  Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one)]));

const headersOf = (names: readonly AnswerHeader[]): Members =>
  Object.fromEntries(
    [...names, ...COMMON_HEADERS].map((name) => [ANSWER_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );

/** `operations` in the order of the index. In one go all of them would hold the event loop. */
async function documentOf(operations: readonly Operation[], schemas: Members): Promise<Members> {
  const groups = new Set(operations.flatMap(({ documentation }) => documentation.tags));
  const bodies: { [name: string]: Members } = {};
  const paths: { [path: string]: Members } = {};
  for (const [path, ofPath = []] of Object.entries(Object.groupBy(operations, (one) => one.path))) {
    paths[path] = Object.fromEntries(ofPath.map((one) => [one.method.toLowerCase(), operationObject(one, bodies)]));
    await nextTurn();
  }
  return {
    openapi: '3.1.0',
    info: { version: '1.0.0', title: 'Daybook', description: 'document.description' satisfies DescriptionKey },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'sign_in.basic' satisfies DescriptionKey },
        bearer: { type: 'http', scheme: 'bearer', description: 'sign_in.bearer' satisfies DescriptionKey },
      },
      schemas: { ...schemas, ...bodies, ...errorSchemas(operations) },
      responses: errorResponses(operations),
      parameters: SHARED_PARAMETERS,
      headers: mapped(ANSWER_HEADERS, ({ component }) => component),
    },
    servers: [{ url: ANY_ROOT }],
    paths,
    tags: GROUPS.filter((group) => groups.has(group)).map((name) => ({ name })),
  };
}

function operationObject(operation: Operation, bodies: { [name: string]: Members }): Members {
  const { id, method, documentation, server, required } = operation;
  const { summary, description, tags, response, takes } = documentation;
  const own = ownParameters(operation);
  const names = new Set(own.map(({ name }) => name));
  const shared = [...takes, ...COMMON_PARAMETERS, ...(method === 'POST' ? POST_PARAMETERS : [])]
    .filter((name) => !names.has(SHARED_PARAMETERS[name].name))
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const parameters = [...own, ...shared];
  const rights = Object.entries(documentation).filter(([name]) => name === 'security' || name.startsWith('x-'));
  const content = bodyOf(operation, bodies);
  const answers = Object.entries(response).map(([status, { carries, description: what, content: carried }]) => [
    status,
    { description: what, ...(carried && { content: carried }), headers: headersOf(carries) },
  ]);
  return {
    operationId: id,
    summary,
    tags,
    ...(description !== undefined && { description }),
    ...(content && { requestBody: { required: required.length > 0, content } }),
    ...(own.length > 0 && { parameters }),
    ...Object.fromEntries(rights),
    responses: { ...Object.fromEntries(answers), ...errorReferences(operation) },
    ...(server !== undefined && { servers: [{ url: server }] }),
    parameters,
  };
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
  const references = codes.map((code) => ({ $ref: errorName(code) }));
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
