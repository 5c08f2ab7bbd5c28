// The routes of the settings of the site.

import type { FastifyReply } from 'fastify';
import { latestChanges } from '../../../editorial/history/desk/history-list.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { choiceField, formFields, problemNote, textArea, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { saveTagged } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import { PICTURE_FORM_LIMIT, pickedWith, pictureField, pictureOffer } from '../../picture/desk/picture-field.ts';
import { isColour, readableLike, worstContrast } from '../domain/accent.ts';
import { PAGE_LAYOUTS } from '../domain/site-settings.ts';
import { fixedSetting, siteFields } from './fields.ts';

const SETTINGS = '/desk/settings';

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
  const { body: settings, etag: tag } = await desk.api.tagged<Settings>('/settings');
  const history = await latestChanges(desk, '/settings', desk.words('settings_history'));
  const { words, form } = desk;
  const { fixed_by: fixedBy, timezone_is_settled: isSettled } = settings;
  const texts = textsOf(settings);
  /** What was typed, where the form is given back. */
  const typedOr = (name: keyof typeof texts): string => (name in form ? textOf(form, name) : texts[name]);
  const offer = await pictureOffer(desk, typedOr('logo'));
  const values = {
    site_name: typedOr('site_name'),
    timezone: typedOr('timezone'),
    language: typedOr('language'),
  };
  const labels = {
    site_name: words('site_name'),
    timezone: words('site_zone'),
    language: words('site_language'),
    currency: words('site_currency'),
    imprint: words('imprint'),
    links: words('foot_links'),
    logo: words('site_logo'),
    accent: words('site_accent'),
    layout: words('site_layout'),
  };
  const control = (name: 'imprint' | 'currency' | 'logo' | 'accent' | 'links', hint: DeskWord) => ({
    name,
    label: labels[name],
    value: typedOr(name),
    hint: words(hint),
    problem: problem?.fields[name],
  });
  const imprint = control('imprint', 'hint_imprint');
  const logo = control('logo', 'hint_site_logo');
  const accent = control('accent', 'hint_site_accent');
  const links = control('links', 'hint_foot_links');
  return show(reply, {
    title: words('settings'),
    section: SETTINGS,
    problem,
    main: html`<div class="narrow">
      <h1>${words('settings')}</h1>
      ${problemNote(problem, labels)}
      <form method="post" action=${SETTINGS} class="fields" enctype="multipart/form-data">
        ${formFields(desk)}
        <input type="hidden" name="_tag" value=${tag} />
        ${siteFields(desk, { values, fixedBy, calendar: isSettled ? 'filled' : 'empty', problem })}
        ${textField(control('currency', 'hint_site_currency'), { maxlength: 3, autocapitalize: 'characters', spellcheck: 'false' })}
        ${fixedSetting(words, fixedBy, { ...logo, value: '' }) ?? pictureField(desk, logo, offer)}
        ${fixedSetting(words, fixedBy, { ...accent, value: '' }) ?? textField(accent, { type: 'color' })}
        ${layoutField(desk, typedOr('layout'), problem)}
        ${fixedSetting(words, fixedBy, imprint) ?? textField(imprint, { type: 'url', maxlength: 2048 })}
        ${fixedSetting(words, fixedBy, links) ?? textArea(links, 4)}
        <p class="actions"><button type="submit" class="main">${words('save')}</button></p>
      </form>
      ${history}
    </div>`,
  });
}

/** Sends what differs from what was shown. */
async function save(request: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { image, problem: unfit } = await pickedWith(request);
  if (unfit) return showSettings(reply, { ...unfit, fields: { logo: unfit.message } });
  const desk = { ...request, form: { ...request.form, ...(image !== undefined && { logo: image }) } };
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

/** The settings as texts of the form. */
const textsOf = (settings: Settings) => ({
  site_name: settings.site_name ?? '',
  timezone: settings.timezone,
  language: settings.language,
  currency: settings.currency ?? '',
  imprint: settings.imprint ?? '',
  links: linesOf(settings.links),
  logo: settings.logo === null ? '' : String(settings.logo.id),
  accent: settings.accent ?? USUAL_ACCENT,
  layout: settings.layout,
});

function changedMembers({ form }: DeskRequest, settings: Settings): object {
  const changed = Object.entries(textsOf(settings)).flatMap(([name, current]) => {
    const text = textOf(form, name);
    if (!(name in form) || text.trim() === current) return [];
    return [[name, name === 'links' ? linksIn(text) : memberOf(name, text.trim())] as const];
  });
  return Object.fromEntries(changed);
}

/** The usual colour is no choice. */
const memberOf = (name: string, value: string): string => (name === 'accent' && value === USUAL_ACCENT ? '' : value);

// The settings of the site: what it is called, where it is, which language and currency it speaks of,
// how its pages look, what they link to.

type Settings = Answer<'Settings'>;

/** The usual colour of links and buttons: that of site.css. */
const USUAL_ACCENT = '#8a2f1c';

/** One on each line. */
const linesOf = (links: Settings['links']): string => links.map(({ label, url }) => `${label} ${url}`).join('\n');

function linksIn(lines: string): Settings['links'] {
  const filled = lines.split(/\r?\n/).map((line) => line.trim());
  return filled.filter(Boolean).map((line) => {
    const at = line.lastIndexOf(' ');
    return { label: line.slice(0, Math.max(at, 0)).trim(), url: line.slice(at + 1) };
  });
}

function layoutField({ words }: DeskRequest, chosen: string, problem: Problem | null): Html {
  return choiceField(
    { name: 'layout', label: words('site_layout'), value: chosen, problem: problem?.fields.layout },
    PAGE_LAYOUTS.map((layout) => [layout, words(`layout_${layout}`)]),
  );
}
