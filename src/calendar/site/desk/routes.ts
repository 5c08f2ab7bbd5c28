// The routes of the settings of the site.
import type { FastifyReply } from 'fastify';
import type { HistoryShown } from '../../../editorial/history/desk/history-list.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { saveTagged } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import { PICTURE_FORM_LIMIT, pickedWith, pictureOffer } from '../../picture/desk/picture-field.ts';
import { isColour, readableLike, worstContrast } from '../domain/accent.ts';
import { linesOf, linksIn, logoOf, SETTINGS, type Settings, settingsPage, USUAL_ACCENT } from './page.ts';

const HISTORY_SHOWN = 10;

export const settingsSection: DeskSection = {
  word: 'settings',
  path: SETTINGS,
  may: mayManageSite,
  routes(app) {
    app.get(SETTINGS, (_request, reply) => showSettings(reply, null));
    app.post(SETTINGS, { bodyLimit: PICTURE_FORM_LIMIT }, ({ desk }, reply) => save(desk, reply));
  },
};

async function showSettings(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { body: settings, headers, problem: refused } = await desk.api.ask<Settings>('/settings');
  if (refused) throw new ApiProblem(refused);
  const { history } = await desk.api.read<{ readonly history: readonly HistoryShown[] }>('/settings/history', {
    per_page: HISTORY_SHOWN,
  });
  const offer = await pictureOffer(desk, 'logo' in desk.form ? textOf(desk.form, 'logo') : logoOf(settings));
  return show(reply, settingsPage(desk, { settings, tag: headers.etag ?? '', history, problem, offer }));
}

/** Sends what differs from what was shown. */
async function save(typed: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { image, problem: unfit } = await pickedWith(typed);
  if (unfit) return showSettings(reply, { ...unfit, fields: { logo: unfit.message } });
  const desk = { ...typed, form: { ...typed.form, ...(image !== undefined && { logo: image }) } };
  // The file is uploaded: a form that is given back names it by its number.
  reply.request.desk = desk;
  const members = changedMembers(desk, await desk.api.read<Settings>('/settings'));
  if (Object.keys(members).length === 0) return leadTo(reply, SETTINGS, 'said_saved');
  const again = (problem: Problem) => showSettings(reply, withContrastProblem(desk, problem));
  return saveTagged(reply, { path: '/settings', members, to: SETTINGS, again });
}

/** How pale a colour is, and one that is not. */
function withContrastProblem({ form, words, language }: DeskRequest, problem: Problem): Problem {
  const colour = textOf(form, 'accent');
  if (problem.fields.accent === undefined || !isColour(colour)) return problem;
  const contrast = worstContrast('light', colour).toLocaleString(language.code, { maximumFractionDigits: 1 });
  const message = words('pale_accent', { colour, contrast, better: readableLike('light', colour) });
  return { ...problem, message, fields: { ...problem.fields, accent: message } };
}

function changedMembers({ form }: DeskRequest, before: Settings): object {
  const shown: { readonly [name: string]: string } = {
    site_name: before.site_name ?? '',
    timezone: before.timezone,
    language: before.language,
    currency: before.currency ?? '',
    imprint: before.imprint ?? '',
    links: linesOf(before.links),
    logo: logoOf(before),
    accent: before.accent ?? USUAL_ACCENT,
    layout: before.layout,
  };
  const changed = Object.keys(shown).filter((name) => name in form && textOf(form, name).trim() !== shown[name]);
  return Object.fromEntries(
    changed.map((name) => [
      name,
      name === 'links' ? linksIn(textOf(form, name)) : memberOf(name, textOf(form, name).trim()),
    ]),
  );
}

/** The usual colour is no choice. */
const memberOf = (name: string, value: string): string => (name === 'accent' && value === USUAL_ACCENT ? '' : value);
