// The `transformObject` of @fastify/swagger: adds references to components, which a route cannot declare.
//
// The library writes a route's schema out in each operation and loses references: from `response: { 404: { $ref:
// '#/components/responses/Error404' } }` it makes an answer whose body has that schema; a header has its schema alone,
// without `required`; parameters are inline. Written out, the document has 1.7 MB instead of 0.4 MB, so what operations
// share is added here: answers to errors, headers, and the parameters that all of them accept.
import type { TSchema } from 'typebox';
import { GROUPS } from './documentation/documentation.ts';
import { ANSWER_HEADERS, COMMON_PARAMETERS, POST_PARAMETERS, SHARED_PARAMETERS } from './documentation/shared.ts';
import { errorReferences, errorResponses, errorSchemas } from './error-responses.ts';
import { headersOf, type Members, mapped, schemaReference } from './members.ts';
import { FORM, JSON_BODY, MULTIPART, nameOfPath, type Operation } from './operations.ts';

/** The part of the document that is read here. */
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

/** `operations` by their ids, in the order of the index. */
export function withReferences(document: OpenApiObject, operations: ReadonlyMap<string, Operation>): Members {
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
    operationId: operation.id,
    ...(operation.server !== undefined && { servers: [{ url: operation.server }] }),
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
