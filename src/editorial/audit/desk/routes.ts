// The routes of the audit list: the feed of changes, and reverts of whole requests and imports.
import type { FastifyReply } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { DeskSection } from '../../../pages/desk/page.ts';
import { textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { mayRevertRequests } from '../../../people/auth/policy.ts';
import { AUDIT, auditPage, FILTERS } from './list-page.ts';
import type { ChangesPage, RequestReverted } from './reading.ts';
import { revertPage } from './revert-page.ts';

const PER_PAGE = 30;
const NONE: ChangesPage = { changes: [], next: '', has_more: false };

export const auditSection: DeskSection = {
  word: 'audit',
  path: AUDIT,
  may: mayRevertRequests,
  routes(app) {
    app.get(AUDIT, async ({ desk }, reply) => {
      const { api, sent } = desk;
      const filters = Object.fromEntries(FILTERS.map((name) => [name, textOf(sent, name)]));
      const query = { ...filters, after: textOf(sent, 'after'), order: 'desc', per_page: PER_PAGE };
      const { body, problem } = await api.ask<ChangesPage>('/changes', query);
      return show(reply, auditPage(desk, { list: problem ? NONE : body, problem }));
    });
    app.get(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.sent, 'preview'));
    app.post(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.form, 'carry out'));
  },
};

async function revert(reply: FastifyReply, sent: ParameterMap, how: 'preview' | 'carry out'): Promise<FastifyReply> {
  const { desk } = reply.request;
  const isPreview = how === 'preview';
  const by = textOf(sent, 'import') === '' ? 'request' : 'import';
  const id = textOf(sent, by);
  const reason = textOf(sent, 'reason');
  const asked = { [by]: id, ...(isPreview && { dry_run: true }) };
  const { body, problem } = await desk.api.send<RequestReverted>('POST', '/reverts', asked, { reason });
  return show(reply, revertPage(desk, { by, id, reverted: problem ? null : body, isPreview, problem }));
}
