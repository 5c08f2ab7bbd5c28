// The routes of the settings of the site.
import type { FastifyReply } from 'fastify';
import { mayManageSite } from '../../../auth/policy.ts';
import { ApiProblem, type Problem } from '../api.ts';
import type { HistoryShown } from '../history-list.ts';
import { type DeskRequest, textOf } from '../page.ts';
import type { DeskSection } from '../sections.ts';
import { leadTo, show } from '../show.ts';
import { linesOf, linksIn, SETTINGS, type Settings, settingsPage } from './page.ts';

const HISTORY_SHOWN = 10;

export const settingsSection: DeskSection = {
  word: 'settings',
  path: SETTINGS,
  may: mayManageSite,
  routes(app) {
    app.get(SETTINGS, (_request, reply) => showSettings(reply, null));
    app.post(SETTINGS, ({ desk }, reply) => save(desk, reply));
  },
};

async function showSettings(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { body: settings, headers, problem: refused } = await desk.api.ask<Settings>('/settings');
  if (refused) throw new ApiProblem(refused);
  const { history } = await desk.api.read<{ readonly history: readonly HistoryShown[] }>('/settings/history', {
    per_page: HISTORY_SHOWN,
  });
  return show(reply, settingsPage(desk, { settings, tag: headers.etag ?? '', history, problem }));
}

/** Sends what differs from what was shown. */
async function save(desk: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { api, form, words } = desk;
  const before = await api.read<Settings>('/settings');
  const patch = changedMembers(desk, before);
  if (Object.keys(patch).length === 0) return leadTo(reply, SETTINGS, 'said_saved');
  const { problem } = await api.send('PATCH', '/settings', patch, { ifMatch: textOf(form, '_tag') });
  if (problem === null) return leadTo(reply, SETTINGS, 'said_saved');
  if (problem.status !== 412) return showSettings(reply, problem);
  reply.request.desk = { ...desk, form: {} };
  return showSettings(reply, { ...problem, message: words('others_changed') });
}

function changedMembers({ form }: DeskRequest, before: Settings): object {
  const shown: { readonly [name: string]: string } = {
    ...{ site_name: before.site_name ?? '', timezone: before.timezone, language: before.language },
    ...{ imprint: before.imprint ?? '', links: linesOf(before.links) },
  };
  const changed = Object.keys(shown).filter((name) => name in form && textOf(form, name).trim() !== shown[name]);
  return Object.fromEntries(
    changed.map((name) => [name, name === 'links' ? linksIn(textOf(form, name)) : textOf(form, name).trim()]),
  );
}
