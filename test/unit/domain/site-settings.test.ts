// Settings of the site: what setting them decides, and when the zone is settled.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  evolveSiteSettings,
  NO_SETTINGS,
  type SiteSettings,
  setSiteSettings,
} from '../../../src/calendar/site/domain/site-settings.ts';

const test = suite('settings of the site');

const NAMED: SiteSettings = { ...NO_SETTINGS, site_name: 'Lantern Bay', timezone: 'Europe/Berlin' };
const set = (patch: Partial<SiteSettings>, calendar: 'empty' | 'filled' = 'empty') =>
  setSiteSettings(NAMED, patch, calendar);

test('what is left out stays, and null takes a choice back', () => {
  const settings = { ...NAMED, site_name: null, language: 'de' };
  assert.equal(set({ site_name: null, language: 'de' }), {
    kind: 'accepted',
    facts: [{ type: 'SiteSettingsSet', data: { settings } }],
  });
});

test('what says nothing new records nothing', () => {
  assert.equal(set({ site_name: 'Lantern Bay' }), { kind: 'accepted', facts: [] });
  const first = setSiteSettings(null, {}, 'empty');
  assert.is(first.kind === 'accepted' && first.facts.length, 1, 'settings that were never set are written once');
});

test('the zone is chosen while there are no events, and settled afterwards', () => {
  assert.is(set({ timezone: 'Asia/Tokyo' }).kind, 'accepted');
  assert.equal(set({ timezone: 'Asia/Tokyo' }, 'filled'), { kind: 'rejected', rejection: { code: 'zone_settled' } });
  assert.is(set({ timezone: 'Europe/Berlin', site_name: 'Other' }, 'filled').kind, 'accepted', 'the same zone');
});

for (const [patch, parameter] of [
  [{ site_name: ' ' }, 'site_name'],
  [{ site_name: 'two\nlines' }, 'site_name'],
  [{ site_name: 'x'.repeat(201) }, 'site_name'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ imprint: 'javascript:alert(1)' }, 'imprint'],
  [{ accent: '#ffcc00' }, 'accent'],
  [{ accent: 'red' }, 'accent'],
  [{ logo: { id: 7, url: 'https://a.example/logo.png' } }, 'logo'],
  [{ links: [{ label: '', url: 'https://a.example' }] }, 'links'],
  [{ links: [{ label: 'A', url: 'data:text/html,x' }] }, 'links'],
  [{ links: Array.from({ length: 21 }, () => ({ label: 'A', url: 'https://a.example' })) }, 'links'],
] as const)
  test(`${JSON.stringify(patch).slice(0, 60)} is refused at ${parameter}`, () => {
    assert.equal(set(patch), { kind: 'rejected', rejection: { code: 'invalid_parameter', parameter } });
  });

test('the last fact says everything; a fact older than a setting leaves it unchosen', () => {
  const { links: _later, ...older } = NAMED;
  const fact = { type: 'SiteSettingsSet', data: { settings: older as SiteSettings } } as const;
  assert.equal(evolveSiteSettings({ ...NAMED, language: 'nl' }, fact, 0), NAMED);
  assert.throws(() => evolveSiteSettings(null, { ...fact, type: 'SiteSung' } as never, 0), /SiteSung/);
});

test.run();
