// The fields of the settings of the site, in the form of its page and in that of the first start.
import { LANGUAGE_CODES } from '../../../locales/languages.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { described, field, textField } from '../../../pages/desk/forms.ts';
import type { DeskSurroundings } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { FixedBy } from '../queries/site.ts';

export interface ShownSettings {
  readonly values: { readonly site_name: string; readonly timezone: string; readonly language: string };
  readonly fixedBy: FixedBy;
  /** With events its zone is settled, and there is no room for the sample. */
  readonly calendar: 'empty' | 'filled';
  readonly problem: Problem | null;
}

export const siteFields = (around: DeskSurroundings, settings: ShownSettings): Html[] => [
  nameField(around, settings),
  zoneField(around, settings),
  languageField(around, settings),
];

function nameField({ words }: DeskSurroundings, { values, fixedBy, problem }: ShownSettings): Html {
  const named = { name: 'site_name', label: words('site_name'), value: values.site_name };
  if (fixedBy.site_name) return fixedField(words('fixed_by', { setting: fixedBy.site_name }), named);
  return textField(
    { ...named, hint: words('hint_site_name'), problem: problem?.fields.site_name },
    { maxlength: 200, autocomplete: 'organization' },
  );
}

/** Names of zones; the one in use is among them even if it is an offset. */
const zonesWith = (chosen: string): readonly string[] => [
  ...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')].filter(Boolean)),
];

function zoneField({ words }: DeskSurroundings, { values, fixedBy, calendar, problem }: ShownSettings): Html {
  const named = { name: 'timezone', label: words('site_zone'), value: values.timezone };
  if (fixedBy.timezone) return fixedField(words('fixed_by', { setting: fixedBy.timezone }), named);
  if (calendar === 'filled') return fixedField(words('zone_settled'), named);
  const control = { ...named, hint: words('hint_site_zone'), problem: problem?.fields.timezone };
  return field(
    control,
    html`<select id="timezone" name="timezone" data-own-zone ...${described(control)}>${zonesWith(values.timezone).map(
      (zone) => html`<option value=${zone} selected=${zone === values.timezone}>${zone.replaceAll('_', ' ')}</option>`,
    )}</select>`,
  );
}

const nameOfLanguage = (code: string): string => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

function languageField({ words }: DeskSurroundings, { values, fixedBy, problem }: ShownSettings): Html {
  const named = { name: 'language', label: words('site_language'), value: nameOfLanguage(values.language) };
  if (fixedBy.language) return fixedField(words('fixed_by', { setting: fixedBy.language }), named);
  const control = { ...named, hint: words('hint_site_language'), problem: problem?.fields.language };
  return field(
    control,
    html`<select id="language" name="language" ...${described(control)}>${LANGUAGE_CODES.map(
      (code) =>
        html`<option value=${code} lang=${code} selected=${code === values.language}>${nameOfLanguage(code)}</option>`,
    )}</select>`,
  );
}

/** A setting that cannot be changed here, and why. */
export const fixedField = (
  why: string,
  { name, label, value }: { readonly name: string; readonly label: string; readonly value: string },
): Html =>
  html`<div class="field"><p class="label-like">${label}</p>
    <p id=${name}><strong>${value}</strong></p>
    <p class="hint">${why}</p></div>`;
