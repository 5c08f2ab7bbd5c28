// Pages of other sizes than the API has: its lists have at most 50 items on a page, clients of shims ask for up to 100.
import type { FastifyReply } from 'fastify';
import { carryHeaders, type OwnAnswer } from './own-api.ts';
import { SHIM_PAGE } from './shims-schema.ts';

const MAX_OWN_PAGE = 50;

interface PageInput {
  readonly page?: number;
  readonly per_page?: number;
}

/** A list of the API: its items, its total in the headers. */
type OwnPage<Body> = (page: number, perPage: number) => Promise<OwnAnswer<Body>>;

/** The items of a page, with totals and neighbours in the headers of the reply. */
export async function pageOfItems<Body, Item>(
  reply: FastifyReply,
  { page = 1, per_page: pageSize = SHIM_PAGE.standard }: PageInput,
  ask: OwnPage<Body>,
  itemsOf: (body: Body) => readonly Item[],
): Promise<readonly Item[]> {
  const perPage = Math.min(pageSize, SHIM_PAGE.most);
  const isOwnSize = perPage <= MAX_OWN_PAGE;
  const [size, start] = [isOwnSize ? perPage : MAX_OWN_PAGE, (page - 1) * perPage];
  const firstPage = Math.floor(start / size) + 1;
  const first = await ask(firstPage, size);
  const total = Number(first.headers['x-wp-total']);
  const items = [...itemsOf(first.body)];
  for (let next = firstPage + 1; (next - 1) * size < Math.min(total, start + perPage); next += 1)
    items.push(...itemsOf((await ask(next, size)).body));
  const skipped = start - (firstPage - 1) * size;
  const pages = Math.ceil(total / perPage);
  carryHeaders(reply, first).headers({ 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) });
  const neighbours = [
    ...(page > 1 ? [linkTo(reply, Math.min(page - 1, Math.max(pages, 1)), 'prev')] : []),
    ...(page < pages ? [linkTo(reply, page + 1, 'next')] : []),
  ];
  if (neighbours.length > 0) reply.header('link', neighbours.join(', '));
  return items.slice(skipped, skipped + perPage);
}

/** The same list at another page, for the header `Link`. */
function linkTo({ request }: FastifyReply, page: number, relation: 'prev' | 'next'): string {
  const [, query = ''] = (request.raw.url ?? '').split('?', 2);
  const { url = '' } = request.routeOptions;
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `<${request.links.root}${url.slice(url.lastIndexOf('/'))}?${parameters}>; rel="${relation}"`;
}
