// What administrators decide about the site as a whole: what it is called, where it is, which language and currency it
// speaks of, how its pages look, and what they link to.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { isAddress } from '../../../kernel/text/web-address.ts';
import { resolveZone } from '../../../kernel/time/zone.ts';
import { isCurrency } from '../../event/domain/currency.ts';
import { MEDIA_PATH } from '../../picture/domain/picture.ts';
import { isReadable } from './accent.ts';

export interface SiteLink {
  readonly label: string;
  readonly url: string;
}

/** An uploaded picture beside the name of the site. */
export interface SiteLogo {
  /** The number of the picture. */
  readonly id: number;
  /** The address of one of its files: a path on the site. */
  readonly url: string;
}

/** How lists of events are laid out: the usual way first. */
export const PAGE_LAYOUTS = ['cards', 'list', 'posters'] as const;
export type PageLayout = (typeof PAGE_LAYOUTS)[number];

/** Null is what has not been chosen. */
export interface SiteSettings {
  readonly site_name: string | null;
  /** As `resolveZone` reads it. */
  readonly timezone: string | null;
  /** The code of an available language. */
  readonly language: string | null;
  /** The code of the currency of amounts without a mark: ISO 4217. */
  readonly currency: string | null;
  /** Who answers for the site: an address. */
  readonly imprint: string | null;
  /** The links at the foot of the pages. */
  readonly links: readonly SiteLink[] | null;
  readonly logo: SiteLogo | null;
  /** The colour of links and buttons on light pages, `#8a2f1c`; that of dark ones follows from it. */
  readonly accent: string | null;
  readonly layout: PageLayout | null;
}

export type SettingName = keyof SiteSettings;
export const SETTING_NAMES = [
  ...(['site_name', 'timezone', 'language', 'currency', 'imprint', 'links', 'logo', 'accent', 'layout'] as const),
] as const satisfies SettingName[];

/** All settings, those that have changed and those that have not: the last fact says everything. */
export type SiteSettingsFact = Fact<'SiteSettingsSet', { readonly settings: SiteSettings }>;

/** The settings are one resource, with one stream. */
export const SITE_SETTINGS_STREAM = 'site-settings';

export const NO_SETTINGS: SiteSettings = {
  site_name: null,
  timezone: null,
  language: null,
  currency: null,
  imprint: null,
  links: null,
  logo: null,
  accent: null,
  layout: null,
};

export const MAX_SITE_NAME = 200;
export const MAX_LINKS = 20;
export const MAX_LABEL = 60;

const isLine = (text: string, most: number): boolean =>
  text.trim() !== '' && [...text].length <= most && !/\p{Cc}/u.test(text);

const IS_ALLOWED: { readonly [Name in SettingName]: (value: NonNullable<SiteSettings[Name]>) => boolean } = {
  site_name: (name) => isLine(name, MAX_SITE_NAME),
  timezone: (name) => resolveZone(name) !== null,
  language: (code) => /^[a-z]{2}$/.test(code),
  currency: isCurrency,
  imprint: isAddress,
  links: (links) =>
    links.length <= MAX_LINKS && links.every(({ label, url }) => isLine(label, MAX_LABEL) && isAddress(url)),
  logo: ({ id, url }) => Number.isInteger(id) && url.startsWith(MEDIA_PATH),
  accent: isReadable,
  layout: (layout) => PAGE_LAYOUTS.includes(layout),
};

/** Whether a setting may have this value. */
export const isAllowed = <Name extends SettingName>(name: Name, value: NonNullable<SiteSettings[Name]>): boolean =>
  IS_ALLOWED[name](value);

const isFit = <Name extends SettingName>(name: Name, { [name]: value }: SiteSettings): boolean =>
  value === null || isAllowed(name, value);

/**
 * Sets what is given and leaves the rest. The zone is chosen while the calendar has no events: dates without a zone mean
 * that of the site, and those that were sent before must go on meaning the same.
 */
export function setSiteSettings(
  present: SiteSettings | null,
  patch: Partial<SiteSettings>,
  calendar: 'empty' | 'filled',
): Decision<SiteSettingsFact> {
  const previous = present ?? NO_SETTINGS;
  const settings = { ...previous, ...patch };
  const wrong = SETTING_NAMES.find((name) => !isFit(name, settings));
  if (wrong !== undefined) return rejected(invalidParameter(wrong));
  const changed = changedSettings(previous, settings);
  if (changed.includes('timezone') && calendar === 'filled') return rejected('zone_settled');
  return accepted(changed.length === 0 && present !== null ? [] : [{ type: 'SiteSettingsSet', data: { settings } }]);
}

/** The members in which two states differ. */
export const changedSettings = (before: SiteSettings, after: SiteSettings): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

export const evolveSiteSettings: Evolve<SiteSettings, SiteSettingsFact> = (_settings, fact) => {
  if (fact.type === 'SiteSettingsSet') return { ...NO_SETTINGS, ...fact.data.settings }; // Facts may be older than a setting.
  throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
};
