// The OpenAPI document: @fastify/swagger builds it from the routes, with keys of texts; here it gets its language and
// address.
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import Type, { type TObject } from 'typebox';
import { organizerTables, venueTables } from '../../calendar/linked-post/http/linked-post-schema.ts';
import { SHIM_NAMESPACE } from '../../exchange/compatibility/http/places.ts';
import { SHIM_COMPONENTS } from '../../exchange/compatibility/http/shim-answers-schema.ts';
import type { DescriptionKey } from '../../locales/language.ts';
import { parametersOf } from '../plugins/listed-routes.ts';
import { warmUp } from '../plugins/warm-up.ts';
import { ANSWER_COMPONENTS } from '../schemas/components.ts';
import { ANY_ROOT, ANY_SITE, type Documents, openDocuments } from './documents.ts';
import { membersOf, type Operation, operationSchema, operationsOf } from './operations.ts';
import { type OpenApiObject, withReferences } from './references.ts';

export interface DocumentedPlaces {
  /** Of the API, without slashes around it. */
  readonly prefix: string;
  /** What the paths of the shims are below, without slashes around it; undefined: there are no shims. */
  readonly shims: string | undefined;
}

/** Call it before routes are registered. The document includes those under `prefix`, not its aliases, and the shims. */
export function addOpenApi(app: FastifyInstance, { prefix, shims }: DocumentedPlaces): Documents['documentFor'] {
  const operations = new Map<string, Operation>();
  const components = { ...COMPONENTS, ...(shims !== undefined && SHIM_COMPONENTS) };
  for (const [name, schema] of Object.entries(components)) app.addSchema({ ...schema, $id: name });
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
  app.register(fastifySwagger, {
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
    transformObject: (document) =>
      // Its type covers all versions of OpenAPI; this is what the library builds from the routes above.
      withReferences((document as unknown as { openapiObject: OpenApiObject }).openapiObject, operations),
  });
  const { prepare, documentFor } = openDocuments(() => app.swagger());
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
