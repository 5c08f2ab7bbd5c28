// The fields of the settings of the site, in the form of its page and in that of the first start.
import { LANGUAGE_CODES } from '../../../locales/languages.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { choiceField, described, field, textField } from '../../../pages/desk/forms.ts';
import type { DeskSurroundings } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { FixedBy } from '../queries/site.ts';

export interface SettingsState {
  readonly values: { readonly site_name: string; readonly timezone: string; readonly language: string };
  readonly fixedBy: FixedBy;
  /** With events its zone is settled, and there is no room for the sample. */
  readonly calendar: 'empty' | 'filled';
  readonly problem: Problem | null;
}

export const siteFields = (around: DeskSurroundings, settings: SettingsState): Html[] => [
  nameField(around, settings),
  zoneField(around, settings),
  languageField(around, settings),
];

function nameField({ words }: DeskSurroundings, { values, fixedBy, problem }: SettingsState): Html {
  const named = { name: 'site_name', label: words('site_name'), value: values.site_name };
  const fixed = fixedSetting(words, fixedBy, named);
  if (fixed) return fixed;
  return textField(
    { ...named, hint: words('hint_site_name'), problem: problem?.fields.site_name },
    { maxlength: 200, autocomplete: 'organization' },
  );
}

/** Names of zones; the one in use is among them even if it is an offset. */
const zonesWith = (zone: string): readonly string[] => [
  ...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')].filter(Boolean)),
];

function zoneField({ words }: DeskSurroundings, { values, fixedBy, calendar, problem }: SettingsState): Html {
  const named = { name: 'timezone', label: words('site_zone'), value: values.timezone };
  const fixed = fixedSetting(words, fixedBy, named);
  if (fixed) return fixed;
  if (calendar === 'filled') return fixedField(words('zone_settled'), named);
  const control = { ...named, hint: words('hint_site_zone'), problem: problem?.fields.timezone };
  return choiceField(
    control,
    zonesWith(values.timezone).map((zone) => [zone, zone.replaceAll('_', ' ')]),
    { 'data-own-zone': true },
  );
}

const nameOfLanguage = (code: string): string => new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

function languageField({ words }: DeskSurroundings, { values, fixedBy, problem }: SettingsState): Html {
  const named = { name: 'language', label: words('site_language'), value: nameOfLanguage(values.language) };
  const fixed = fixedSetting(words, fixedBy, named);
  if (fixed) return fixed;
  const control = { ...named, hint: words('hint_site_language'), problem: problem?.fields.language };
  return field(
    control,
    html`<select id="language" name="language" ...${described(control)}>${LANGUAGE_CODES.map(
      (code) =>
        html`<option value=${code} lang=${code} selected=${code === values.language}>${nameOfLanguage(code)}</option>`,
    )}</select>`,
  );
}

interface NamedValue {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** A setting that the environment fixes, and by what; null for one that can be changed here. */
export function fixedSetting(
  words: DeskSurroundings['words'],
  fixedBy: { readonly [name: string]: string | undefined },
  named: NamedValue,
): Html | null {
  const { [named.name]: setting } = fixedBy;
  return setting === undefined ? null : fixedField(words('fixed_by', { setting }), named);
}

/** A setting that cannot be changed here, and why. */
const fixedField = (why: string, { name, label, value }: NamedValue): Html =>
  html`<div class="field"><p class="label-like">${label}</p>
    <p id=${name}><strong>${value}</strong></p>
    <p class="hint">${why}</p></div>`;
