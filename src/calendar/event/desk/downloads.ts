// The list as a file: the same filters, all pages of it, as a table or a calendar.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { QueryMembers } from '../../../pages/desk/api.ts';
import { ApiProblem } from '../../../pages/desk/api.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';

const HEADERS = ['content-type', 'content-disposition'] as const;

/** `queryOf`: the filters of the page as the API takes them. */
export function downloadRoutes(app: FastifyInstance, queryOf: (request: DeskRequest) => QueryMembers): void {
  for (const file of ['events.csv', 'events.ics'])
    app.get(`/desk/${file}`, async ({ desk }, reply) => download(desk, reply, `/${file}`, queryOf(desk)));
}

async function download(
  { api }: DeskRequest,
  reply: FastifyReply,
  path: string,
  { page: _page, per_page: _perPage, ...filters }: QueryMembers,
): Promise<FastifyReply> {
  const { problem, headers, stream } = await api.download(path, filters);
  if (problem) throw new ApiProblem(problem);
  for (const name of HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name]);
  return reply.send(stream);
}
