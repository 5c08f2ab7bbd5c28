// The site as it is called, where it is, and which language it speaks: what the environment says, else the settings in the
// log, else what a new calendar begins with. Settings are changed while processes run, so everything here is as of now.
// decision 30

import { resolveZone, type Zone } from '../../../kernel/time/zone.ts';
import type { Language } from '../../../locales/language.ts';
import { configuredLanguage } from '../../../locales/languages.ts';
import { fold, type Revision } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { sitePrices } from '../../event/domain/currency.ts';
import {
  evolveSiteSettings,
  NO_SETTINGS,
  PAGE_LAYOUTS,
  type SettingName,
  SITE_SETTINGS_STREAM,
  type SiteLink,
  type SiteSettings,
  type SiteSettingsFact,
} from '../domain/site-settings.ts';

/** The variables that fix settings: these cannot be changed while they are set. */
export type FixedBy = { readonly [Name in SettingName]?: string };

/** What the environment says of the site, and what a calendar begins with where it says nothing. */
interface SiteEnvironment {
  readonly siteZone: Zone;
  readonly siteName: string | null;
  /** The code of an available language. */
  readonly language: string;
  readonly theme: { readonly imprint: string | null; readonly links: readonly SiteLink[] };
  readonly fixedBy: FixedBy;
}

export type Site = Awaited<ReturnType<typeof openSite>>;

/** The settings in the log: one event, whatever happened before. */
async function presentSettings(store: StreamReader) {
  const last = await store.readStream(SITE_SETTINGS_STREAM, { direction: 'backwards', limit: 1 });
  const settings = fold<SiteSettings, SiteSettingsFact>(last, evolveSiteSettings);
  return { settings: settings ?? NO_SETTINGS, revision: last[0]?.revision ?? -1 };
}

export async function openSite(
  store: StreamReader,
  { siteZone, siteName, language: usual, theme, fixedBy }: SiteEnvironment,
) {
  let present = await presentSettings(store);
  const setting = <Name extends SettingName>(name: Name): SiteSettings[Name] | null =>
    fixedBy[name] === undefined ? present.settings[name] : null;
  const language = (): Language => configuredLanguage({ language: setting('language') ?? usual });
  let prices = sitePrices(language(), setting('currency'));
  const zone = (): Zone => resolveZone(setting('timezone') ?? '') ?? siteZone;

  function note(settings: SiteSettings, revision: Revision): void {
    if (revision > present.revision) present = { settings, revision };
  }

  return {
    fixedBy,
    /** Null: pages and feeds use the host of the request. */
    get name() {
      return setting('site_name') ?? siteName;
    },
    /** The zone of dates without a zone of their own. The object stays the same; what it says follows the settings. */
    zone: zoneOf(zone),
    /** The language of readers who name no available one. */
    get language() {
      return language();
    },
    /** How costs are shown: the same object as long as nothing about it changes. */
    get prices() {
      const [spoken, currency] = [language(), setting('currency')];
      if (prices.currency !== currency || prices.freeLabel !== spoken.free) prices = sitePrices(spoken, currency);
      return prices;
    },
    get imprint() {
      return setting('imprint') ?? theme.imprint;
    },
    get links() {
      return setting('links') ?? theme.links;
    },
    /** Null also where the theme has one. */
    get logo() {
      return setting('logo');
    },
    /** Null also where the theme has one. */
    get accent() {
      return setting('accent');
    },
    /** How lists on the pages are laid out. */
    get layout() {
      return setting('layout') ?? PAGE_LAYOUTS[0];
    },
    /** The revision of the settings in the log; -1 while there are none. It is a part of the keys of cached answers. */
    get revision() {
      return present.revision;
    },
    /** Takes what this process has just written: it counts at once. */
    note,
    /** Looks whether another process has changed the settings. */
    async look() {
      const { settings, revision } = await presentSettings(store);
      note(settings, revision);
    },
  };
}

/** A zone that is always the one that `current` says. */
const zoneOf = (current: () => Zone): Zone => ({
  get name() {
    return current().name;
  },
  get isNamed() {
    return current().isNamed;
  },
  offsetAt: (instant) => current().offsetAt(instant),
  abbreviationAt: (instant) => current().abbreviationAt(instant),
});
