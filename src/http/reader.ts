// Who reads: what queries need to know of a request.
import type { FastifyRequest } from 'fastify';
import type { Reader } from '../queries/reader.ts';

/** The reader of a request, for queries. */
export const readerOf = ({ caller, now, links, siteZone, prices, password, guess }: FastifyRequest): Reader => ({
  caller,
  now,
  links,
  siteZone,
  prices,
  password,
  ...(guess && { guess }),
});
