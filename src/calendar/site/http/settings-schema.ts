// The settings of the site on the wire.
import * as member from '../../../http/schemas/members.ts';
import { anything, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
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

const link = member.object('settings.link', {
  label: member.text('settings.label'),
  url: member.address('settings.url'),
});

const logo = member.object('settings.logo', {
  id: member.integer('settings.logo_id'),
  url: member.address('settings.logo_url'),
});

export const settings = member.object('settings', {
  site_name: member.orNull(member.text('settings.site_name')),
  timezone: member.text('settings.timezone'),
  language: member.oneOf('settings.language', LANGUAGE_CODES),
  currency: member.orNull(member.text('settings.currency')),
  imprint: member.orNull(member.address('settings.imprint')),
  links: member.listOf(link, 'settings.links'),
  logo: member.orNull(logo),
  accent: member.orNull(member.text('settings.accent')),
  layout: member.oneOf('settings.layout', PAGE_LAYOUTS),
  fixed_by: member.object(
    'settings.fixed_by',
    optional(Object.fromEntries(SETTING_NAMES.map((name) => [name, member.text('settings.fixed')]))),
  ),
  timezone_is_settled: member.flag('settings.timezone_is_settled'),
});
