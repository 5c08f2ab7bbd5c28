// `GET /doc`: the OpenAPI document.
import Type from 'typebox';
import type { Route } from '../route.ts';
import { conditional } from '../routes/reading.ts';
import { reading } from './documentation/reads.ts';
import type { Documents } from './documents.ts';

export const createDocRoute = (documentFor: Documents['documentFor']): Route => ({
  path: '/doc',
  allow: () => ['GET'],
  endpoints: [
    {
      methods: ['GET'],
      parameters: Type.Object({}),
      documentation: reading({ group: 'API', summary: 'document.summary', answer: Type.Ref('OpenApi') }),
      handle: async (request) => {
        const { language, links } = request;
        const { text, etag } = documentFor({ language, root: links.root });
        return { ...conditional(request, text, etag), language };
      },
    },
  ],
});
