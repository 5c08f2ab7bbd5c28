// The `transformObject` of @fastify/swagger: what it cannot say of a route, and we say by references to components.
//
// It writes out in each operation what a route's schema holds. A reference in its place is lost: of
// `response: { 404: { $ref: '#/components/responses/Error404' } }` it makes an answer whose body has that schema; a header
// has its schema alone, without `required`; parameters are inline. Written out, the answers to errors of all operations
// are several megabytes, so they are added here with their headers and with the parameters that all operations share.
import type { TSchema } from 'typebox';
import { ERROR_STATUSES, type ErrorCode } from '../../locales/error-catalogue.ts';
import { errorName, errorSchema } from '../schemas/answers/errors.ts';
import { COMMON_ERRORS, POST_ERRORS, statusesOf } from './documentation/common-errors.ts';
import { GROUPS } from './documentation/documentation.ts';
import { refusesSignedIn } from './documentation/rights.ts';
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  COMMON_HEADERS,
  COMMON_PARAMETERS,
  POST_PARAMETERS,
  SHARED_PARAMETERS,
} from './documentation/shared.ts';
import { FORM, JSON_BODY, nameOfPath, type Operation } from './operations.ts';

type Members = { readonly [name: string]: unknown };

/** As much of the document as is read here. */
export interface OpenApiObject {
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

const schemaReference = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });

/** `operations` by their ids, in the order of the index. */
export function withReferences(document: OpenApiObject, operations: ReadonlyMap<string, Operation>): Members {
  const all = [...operations.values()];
  const groups = new Set(all.flatMap(({ documentation }) => documentation.tags));
  const bodies: { [name: string]: TSchema } = {};
  const { openapi, info, servers, components } = document;
  const paths = mapped(document.paths, (item) =>
    mapped(item, (object) => {
      const operation = operations.get(object.operationId);
      return operation === undefined ? object : { ...object, ...referring(operation, object, bodies) };
    }),
  );
  return {
    ...{ openapi, info },
    components: {
      ...components,
      schemas: { ...components.schemas, ...bodies, ...errorSchemas(all) },
      responses: errorResponses(all),
      parameters: SHARED_PARAMETERS,
      headers: mapped(ANSWER_HEADERS, ({ component }) => component),
    },
    ...{ servers, paths },
    tags: GROUPS.filter((group) => groups.has(group)).map((name) => ({ name })),
  };
}

function referring(operation: Operation, object: OperationObject, bodies: { [name: string]: TSchema }): Members {
  const { requestBody } = object;
  return {
    parameters: parametersOf(operation, object),
    ...(requestBody !== undefined && {
      requestBody: {
        required: operation.required.length > 0,
        content: contentOf(operation, requestBody.content, bodies),
      },
    }),
    responses: responsesOf(operation, object),
  };
}

function parametersOf({ method, documentation }: Operation, { parameters = [] }: OperationObject): Members[] {
  const names = new Set(parameters.map(({ name }) => name));
  const shared = [...documentation.takes, ...COMMON_PARAMETERS, ...(method === 'POST' ? POST_PARAMETERS : [])];
  const references = shared
    .filter((name) => !names.has(SHARED_PARAMETERS[name].name))
    .map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return [...parameters, ...references];
}

/**
 * The members of a body are the same in every media type and with every method: they are in the form of POST, which is
 * filled in member by member, and among the components for all else.
 */
function contentOf(
  { method, path }: Operation,
  content: { readonly [mediaType: string]: MediaType },
  bodies: { [name: string]: TSchema },
): Members {
  const name = `${nameOfPath(path)}Body`;
  const schema = content[JSON_BODY]?.schema;
  if (schema !== undefined) bodies[name] = schema;
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
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
  const errors = errorsOf(operation).map((of) => [of.status, { $ref: `#/components/responses/${nameOf(of)}` }]);
  return Object.fromEntries([...successes, ...errors]);
}

const headersOf = (names: readonly AnswerHeader[]): Members =>
  Object.fromEntries(
    [...names, ...COMMON_HEADERS].map((name) => [ANSWER_HEADERS[name].name, { $ref: `#/components/headers/${name}` }]),
  );

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

/** Where all who are signed in may, only the public lacks the right. */
const statusesUnder = ({ documentation }: Operation, code: ErrorCode): readonly number[] =>
  code === 'rest_forbidden' && !refusesSignedIn(documentation) ? [401] : statusesOf(code);

const COMMON: ReadonlySet<ErrorCode> = new Set(COMMON_ERRORS);

/** What operations with the same errors refer to: `Error400`, and `Error400.term_exists` where there is more to it. */
const nameOf = ({ status, codes }: Errors): string =>
  [`Error${status}`, ...codes.filter((code) => !COMMON.has(code))].join('.');

const errorResponses = (operations: readonly Operation[]): Members =>
  mapped(Object.fromEntries(operations.flatMap(errorsOf).map((errors) => [nameOf(errors), errors])), errorResponse);

/** Headers of errors beside those of every answer. */
const ERROR_HEADERS: { readonly [status: number]: readonly AnswerHeader[] } = {
  401: ['Authenticate'],
  429: ['RetryAfter'],
  503: ['RetryAfter', 'Views'],
};

/** One status with all codes under it; their messages, put in for `{code}` in each language, say what they mean. */
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

/** Of all codes that operations answer with, in the order of the catalogue. */
function errorSchemas(operations: readonly Operation[]): Members {
  const met = new Set(operations.flatMap((operation) => [...codesOf(operation)]));
  const codes = (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter((code) => met.has(code)); // Its keys are the codes.
  return Object.fromEntries(codes.map((code) => [errorName(code), errorSchema(code, statusesOf(code))]));
}

const mapped = <T>(named: { readonly [name: string]: T }, make: (one: T) => unknown): Members =>
  Object.fromEntries(Object.entries(named).map(([name, one]) => [name, make(one)]));
