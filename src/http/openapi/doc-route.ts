// `GET /doc`: the OpenAPI document.
import { READ_ONLY, type Routes } from '../route.ts';
import Type from '../schemas/type.ts';
import type { Documents } from './document-texts.ts';
import { reading } from './documentation.ts';

export const docRoute: Routes<Pick<Documents, 'documentFor'>> = async (api, { documentFor }) => {
  api.get(
    '/doc',
    {
      schema: {
        ...reading({ group: 'API', summary: 'document.summary', answer: Type.Ref('OpenApi') }),
        querystring: Type.Object({}),
      },
      config: READ_ONLY,
    },
    async ({ language, links }, reply) => {
      const { text, etag } = await documentFor({ language, root: links.root, site: links.site });
      return reply.conditional(text, etag, language);
    },
  );
};
