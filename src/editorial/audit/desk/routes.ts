// The routes of the audit list: the feed of changes, and reverts of whole requests and imports.
import type { FastifyReply } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { titlesOf } from '../../../pages/desk/titles.ts';
import { mayManageUsers, mayRevertRequests } from '../../../people/auth/policy.ts';
import type { UsersPage } from '../../../people/users/desk/reading.ts';
import { auditExportRoute } from './export-route.ts';
import { AUDIT, auditPage, FILTERS, namedBy, type Person, subjectOf } from './list-page.ts';
import type { ChangesPage, RequestReverted } from './reading.ts';
import { revertPage } from './revert-page.ts';

const PER_PAGE = 30;
/** As many as the API lists at once. */
const MAX_PEOPLE = 50;
const NONE: ChangesPage = { changes: [], next: '', has_more: false };

export const auditSection: DeskSection = {
  word: 'audit',
  path: AUDIT,
  may: mayRevertRequests,
  routes(app, installation) {
    auditExportRoute(app, installation);
    app.get(AUDIT, async ({ desk }, reply) => {
      const { api, sent } = desk;
      const filters = Object.fromEntries(FILTERS.map((name) => [name, textOf(sent, name)]));
      // Of one request the cause stands first.
      const order = textOf(sent, 'request') === '' ? 'desc' : 'asc';
      const query = { ...filters, after: textOf(sent, 'after'), order, per_page: PER_PAGE };
      const { body, problem } = await api.ask<ChangesPage>('/changes', query);
      const list = problem ? NONE : body;
      const [titles, people] = await Promise.all([titlesOf(desk, list.changes.map(subjectOf)), peopleIn(desk, list)]);
      return show(reply, auditPage(desk, { list, titles, people, problem }));
    });
    app.get(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.sent, 'preview'));
    app.post(`${AUDIT}/revert`, async ({ desk }, reply) => revert(reply, desk.form, 'carry out'));
  },
};

/** All users, for those who may list them; otherwise those who are on the page. */
async function peopleIn({ api, user, sent }: DeskRequest, { changes }: ChangesPage): Promise<readonly Person[]> {
  const chosen = textOf(sent, 'actor');
  const found = new Map(changes.map(({ actor }) => [namedBy(actor), actor.name]));
  if (mayManageUsers(user)) {
    const { body, problem } = await api.ask<UsersPage>('/users', { per_page: MAX_PEOPLE });
    for (const { id, name } of problem ? [] : body.users) found.set(String(id), name);
  }
  if (chosen !== '' && !found.has(chosen)) found.set(chosen, chosen);
  const people = [...found].map(([value, name]) => ({ value, name }));
  return people.toSorted((one, other) => one.name.localeCompare(other.name));
}

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
