// Lists for pages of other sites: the script with the element, and the piece of a page that it shows.
import type { FastifyInstance } from 'fastify';
import { ASSETS, sendAsset } from '../assets.ts';
import type { ErrorHandler } from '../failures.ts';
import { pieceText } from '../html.ts';
import type { Pages } from '../page-request.ts';
import { fragment } from './fragment.ts';

/** Any page may read it: it is public, and nothing of a visitor is sent with it. */
const FOR_ALL_ORIGINS = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } as const;

/** Its address is on pages of others and never changes, so it is asked for again after a while. */
const SCRIPT_CACHING = 'public, max-age=3600';

interface EmbedDependencies {
  readonly pages: Pages;
  readonly handleError: ErrorHandler;
}

export const embedding =
  ({ pages, handleError }: EmbedDependencies) =>
  async (app: FastifyInstance) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.headers(FOR_ALL_ORIGINS).header('x-robots-tag', 'noindex');
    });
    app.setErrorHandler(handleError);

    app.get('/embed.js', (_request, reply) => sendAsset(reply, ASSETS.embed, SCRIPT_CACHING));

    app.get('/embed/events', async (request, reply) => {
      const page = pages.open(request);
      const filters = await pages.filters(page);
      const period = await pages.period(page);
      return pages.send(reply, page, ['embed', period], async () => {
        const list = await pages.events(page, { ...filters.input, ...period });
        return { body: pieceText(fragment(page.surroundings, { list, filters: filters.sent })) };
      });
    });
  };
