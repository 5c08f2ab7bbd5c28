// What reading routes share: who reads, and where single reads come from.
import type { FastifyRequest } from 'fastify';
import type { SingleSource } from '../../queries/log-fallback.ts';
import type { Reader } from '../../queries/reader.ts';
import type { Read } from '../read-cache.ts';
import type { RouteDependencies } from './writing.ts';

/** The reader of a request, for queries. */
export const readerOf = ({ caller, now, links, siteZone, password, guess }: FastifyRequest): Reader => ({
  ...{ caller, now, links, siteZone, password },
  ...(guess && { guess }),
});

/** A single read: from the read model, where it may be cached, or from the log while the read model is unavailable. */
export const readOne = (
  { beyondViews, reads }: Pick<RouteDependencies, 'beyondViews' | 'reads'>,
  request: FastifyRequest,
  what: string,
  make: (source: SingleSource) => Promise<Read>,
): Promise<Read> => beyondViews.newest(() => reads.find(request, what, () => make(beyondViews.views)), make);
