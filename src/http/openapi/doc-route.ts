// `GET /doc`: the OpenAPI document.
import Type from 'typebox';
import type { Route } from '../route.ts';
import { conditional } from '../routes/reading.ts';
import type { DocumentFor } from './document-cache.ts';
import { DOC_DOCUMENTATION } from './documentation/api-documentation.ts';

/** `documentFor` makes documents of all routes, this one among them. */
export const createDocRoute = (documentFor: DocumentFor): Route => ({
  path: '/doc',
  allow: () => ['GET'],
  endpoints: [
    {
      methods: ['GET'],
      parameters: Type.Object({}),
      documentation: DOC_DOCUMENTATION,
      handle: async (request) => {
        const { language, links } = request;
        const { text, etag } = await documentFor({ language, root: links.root });
        return { ...conditional(request, text, etag), language };
      },
    },
  ],
});
