// Shims: the few routes of another interface that writers also call, in its forms, over the API under the same alias.
import type { FastifyPluginAsync } from 'fastify';
import type { Tickets } from '../../../people/auth/tickets.ts';
import { mediaShim } from './media-shim.ts';
import { openOwnApi } from './own-api.ts';
import { tagShim } from './tag-shim.ts';
import { userShim } from './user-shim.ts';

export interface ShimOptions {
  /** The path of the API that answers, without slashes around it. */
  readonly api: string;
}

interface ShimDependencies {
  readonly tickets: Pick<Tickets, 'lend'>;
  /** The largest file that is taken, in bytes. */
  readonly maxUpload: number;
}

/** A plugin of the shims over the API under one alias. */
export const shimsOver =
  ({ tickets, maxUpload }: ShimDependencies): FastifyPluginAsync<ShimOptions> =>
  async (scope, { api }) => {
    const own = openOwnApi({ app: scope, tickets, prefix: api });
    await scope.register(userShim, { own });
    await scope.register(tagShim, { own });
    await scope.register(mediaShim, { own, maxUpload });
  };
