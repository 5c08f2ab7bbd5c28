// The history of the settings of the site: who set them, when and why, and what they were before.
import {
  changedSettings,
  evolveSiteSettings,
  NO_SETTINGS,
  type SettingName,
  SITE_SETTINGS_STREAM,
  type SiteSettings,
  type SiteSettingsFact,
} from '../../../calendar/site/domain/site-settings.ts';
import type { Sentences } from '../../../locales/language.ts';
import { filled } from './describe-change.ts';
import type { Change } from './field-changes.ts';
import { singleHistory } from './single-history.ts';

const changesBetween = (before: SiteSettings, after: SiteSettings): Change[] =>
  changedSettings(before, after).map((field) => ({
    field,
    before: textOf(before[field]),
    after: textOf(after[field]),
  }));

function textOf(value: SiteSettings[SettingName]): string | null {
  if (value === null || typeof value === 'string') return value;
  return 'id' in value ? value.url : value.map(({ label, url }) => `${label} ${url}`).join(', ');
}

const NOTHING = '–';

function inWords({ settings }: Sentences, { field, before, after }: Change): string {
  const sentence = settings[field as SettingName]; // As `changesBetween` names fields.
  return filled(sentence, { before: String(before ?? NOTHING), after: String(after ?? NOTHING) });
}

/** Newest first. */
export const settingsHistory = singleHistory<SiteSettings, SiteSettingsFact>({
  stream: SITE_SETTINGS_STREAM,
  initial: NO_SETTINGS,
  evolve: evolveSiteSettings,
  facts: ({ siteSettings }) => siteSettings,
  changesBetween,
  inWords,
});
