// Answers of the desk: a page, or the way to another one after a form was carried out.
import type { FastifyReply } from 'fastify';
import type { DeskWord } from '../../locales/language.ts';
import { pageText } from '../html.ts';
import { deskLayout } from './layout.ts';
import type { DeskPage, DeskRequest, DeskSurroundings } from './page.ts';

const HTML = 'text/html; charset=utf-8';
/** Seconds until a retry may succeed. */
const RETRY_AFTER = '5';

/** Answers with a page in the layout of the desk. */
export const show = (reply: FastifyReply, page: DeskPage): FastifyReply => showTo(reply, reply.request.desk, page);

export const showTo = (
  reply: FastifyReply,
  surroundings: DeskSurroundings | DeskRequest,
  page: DeskPage,
): FastifyReply =>
  reply
    .code(statusOf(page))
    .headers({
      'content-language': surroundings.language.code,
      ...(statusOf(page) === 503 && { 'retry-after': RETRY_AFTER }),
    })
    .type(HTML)
    .send(pageText(deskLayout(surroundings, page), surroundings.site));

const statusOf = ({ status, problem }: DeskPage): number => status ?? problem?.status ?? 200;

/** Leads on after a form was carried out. `said` is shown there: a word of the desk. */
export function leadTo(reply: FastifyReply, path: string, said?: DeskWord): FastifyReply {
  if (said === undefined) return reply.redirect(path, 303);
  const [address = '', fragment] = path.split('#', 2);
  const mark = address.includes('?') ? '&' : '?';
  return reply.redirect(`${address}${mark}said=${said}${fragment === undefined ? '' : `#${fragment}`}`, 303);
}
