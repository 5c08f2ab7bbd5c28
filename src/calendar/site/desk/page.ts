// The settings of the site: what it is called, where it is, which language and currency it speaks of,
// how its pages look, what they link to.

import { type HistoryShown, historyList } from '../../../editorial/history/desk/history-list.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { described, field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { type PictureOffer, pictureField } from '../../picture/desk/picture-field.ts';
import { PAGE_LAYOUTS, type PageLayout } from '../domain/site-settings.ts';
import { fixedField, siteFields } from './fields.ts';

export const SETTINGS = '/desk/settings';

interface Link {
  readonly label: string;
  readonly url: string;
}

/** As the API answers. */
export interface Settings {
  readonly site_name: string | null;
  readonly timezone: string;
  readonly language: string;
  readonly currency: string | null;
  readonly imprint: string | null;
  readonly links: readonly Link[];
  readonly logo: { readonly id: number } | null;
  readonly accent: string | null;
  readonly layout: PageLayout;
  readonly fixed_by: { readonly [name in keyof Settings]?: string };
  readonly timezone_is_settled: boolean;
}

/** The usual colour of links and buttons: that of site.css. */
export const USUAL_ACCENT = '#8a2f1c';

interface SettingsShown {
  readonly settings: Settings;
  /** The state that is shown: others may change it before this form is sent. */
  readonly tag: string;
  readonly history: readonly HistoryShown[];
  readonly problem: Problem | null;
  /** Pictures to choose the logo from. */
  readonly offer: PictureOffer;
}

/** One on each line. */
export const linesOf = (links: readonly Link[]): string => links.map(({ label, url }) => `${label} ${url}`).join('\n');

/** The number of the logo; '' without one. */
export const logoOf = ({ logo }: Pick<Settings, 'logo'>): string => (logo === null ? '' : String(logo.id));

export function linksIn(lines: string): readonly Link[] {
  const filled = lines.split(/\r?\n/).map((line) => line.trim());
  return filled
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.lastIndexOf(' ');
      return { label: line.slice(0, Math.max(at, 0)).trim(), url: line.slice(at + 1) };
    });
}

export function settingsPage(
  request: DeskRequest,
  { settings, tag, history, problem, offer }: SettingsShown,
): DeskPage {
  const { words, form } = request;
  const { fixed_by: fixedBy, timezone_is_settled: isSettled } = settings;
  /** What was typed, where the form is given back. */
  const typedOr = (name: string, value: string): string => (name in form ? textOf(form, name) : value);
  const values = {
    site_name: typedOr('site_name', settings.site_name ?? ''),
    timezone: typedOr('timezone', settings.timezone),
    language: typedOr('language', settings.language),
  };
  const imprint = {
    name: 'imprint',
    label: words('imprint'),
    value: typedOr('imprint', settings.imprint ?? ''),
    hint: words('hint_imprint'),
    problem: problem?.fields.imprint,
  };
  const currency = {
    name: 'currency',
    label: words('site_currency'),
    value: typedOr('currency', settings.currency ?? ''),
    hint: words('hint_site_currency'),
    problem: problem?.fields.currency,
  };
  const logo = {
    name: 'logo',
    label: words('site_logo'),
    value: typedOr('logo', logoOf(settings)),
    hint: words('hint_site_logo'),
    problem: problem?.fields.logo,
  };
  const accent = {
    name: 'accent',
    label: words('site_accent'),
    value: typedOr('accent', settings.accent ?? USUAL_ACCENT),
    hint: words('hint_site_accent'),
    problem: problem?.fields.accent,
  };
  return {
    title: words('settings'),
    section: SETTINGS,
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <h1>${words('settings')}</h1>
      ${problemNote(problem, {
        site_name: words('site_name'),
        timezone: words('site_zone'),
        language: words('site_language'),
        currency: words('site_currency'),
        imprint: words('imprint'),
        links: words('foot_links'),
        logo: words('site_logo'),
        accent: words('site_accent'),
        layout: words('site_layout'),
      })}
      <form method="post" action=${SETTINGS} class="fields" enctype="multipart/form-data">
        ${formFields(request)}
        <input type="hidden" name="_tag" value=${tag} />
        ${siteFields(request, { values, fixedBy, calendar: isSettled ? 'filled' : 'empty', problem })}
        ${textField(currency, { maxlength: 3, autocapitalize: 'characters', spellcheck: 'false' })}
        ${
          fixedBy.logo
            ? fixedField(words('fixed_by', { setting: fixedBy.logo }), { ...logo, value: '' })
            : pictureField(request, logo, offer)
        }
        ${
          fixedBy.accent
            ? fixedField(words('fixed_by', { setting: fixedBy.accent }), { ...accent, value: '' })
            : textField(accent, { type: 'color' })
        }
        ${layoutField(request, typedOr('layout', settings.layout), problem)}
        ${
          fixedBy.imprint
            ? fixedField(words('fixed_by', { setting: fixedBy.imprint }), imprint)
            : textField(imprint, { type: 'url', maxlength: 2048 })
        }
        ${
          fixedBy.links
            ? fixedField(words('fixed_by', { setting: fixedBy.links }), {
                name: 'links',
                label: words('foot_links'),
                value: linesOf(settings.links),
              })
            : linksField(request, typedOr('links', linesOf(settings.links)), problem)
        }
        <p class="actions"><button type="submit" class="main">${words('save')}</button></p>
      </form>
      ${historyList(request, words('settings_history'), history)}
    </div>`,
  };
}

function layoutField({ words }: DeskRequest, chosen: string, problem: Problem | null): Html {
  const shown = { name: 'layout', label: words('site_layout'), problem: problem?.fields.layout };
  return field(
    shown,
    html`<select id="layout" name="layout" ...${described(shown)}>${PAGE_LAYOUTS.map(
      (layout) => html`<option value=${layout} selected=${layout === chosen}>${words(`layout_${layout}`)}</option>`,
    )}</select>`,
  );
}

function linksField({ words }: DeskRequest, value: string, problem: Problem | null): Html {
  const shown = {
    name: 'links',
    label: words('foot_links'),
    hint: words('hint_foot_links'),
    problem: problem?.fields.links,
  };
  return field(shown, html`<textarea id="links" name="links" rows="4" ...${described(shown)}>${value}</textarea>`);
}
