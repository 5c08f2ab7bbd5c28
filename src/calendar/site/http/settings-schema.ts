// The settings of the site on the wire.
import Type from 'typebox';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anything, optional, paging, text } from '../../../http/schemas/primitives.ts';
import { LANGUAGE_CODES } from '../../../locales/languages.ts';
import { PAGE_LAYOUTS, SETTING_NAMES, type SiteLink, type SiteLogo } from '../domain/site-settings.ts';

export const settingsRead = Type.Object({});

export const settingsSet = Type.Object(
  optional({
    site_name: text('settings.site_name', 'siteName'),
    timezone: text('settings.timezone', 'zoneOrEmpty'),
    language: text('settings.language', ['oneOf', LANGUAGE_CODES]),
    currency: text('settings.currency', 'siteCurrency'),
    imprint: text('settings.imprint', 'urlOrEmpty'),
    logo: anything<SiteLogo | ''>('settings.logo', 'siteLogo'),
    accent: text('settings.accent', 'siteAccent'),
    layout: text('settings.layout', ['oneOf', PAGE_LAYOUTS]),
    links: anything<readonly SiteLink[]>('settings.links', 'siteLinks'),
  }),
);

export const settingsHistory = ({ perPage }: ListSettings) => Type.Object(paging(perPage));

const link = shown.object('settings.link', {
  label: shown.text('settings.label'),
  url: shown.address('settings.url'),
});

const logo = shown.object('settings.logo', {
  id: shown.integer('settings.logo_id'),
  url: shown.address('settings.logo_url'),
});

export const settings = shown.object('settings', {
  site_name: shown.orNull(shown.text('settings.site_name')),
  timezone: shown.text('settings.timezone'),
  language: shown.oneOf('settings.language', LANGUAGE_CODES),
  currency: shown.orNull(shown.text('settings.currency')),
  imprint: shown.orNull(shown.address('settings.imprint')),
  links: shown.listOf(link, 'settings.links'),
  logo: shown.orNull(logo),
  accent: shown.orNull(shown.text('settings.accent')),
  layout: shown.oneOf('settings.layout', PAGE_LAYOUTS),
  fixed_by: shown.object(
    'settings.fixed_by',
    optional(Object.fromEntries(SETTING_NAMES.map((name) => [name, shown.text('settings.fixed')]))),
  ),
  timezone_is_settled: shown.flag('settings.timezone_is_settled'),
});
