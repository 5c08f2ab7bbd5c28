// Theme files: what they may say, and what is told about those that cannot be used.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast, MIN_CONTRAST, readableLike, worstContrast } from '../../../src/calendar/site/domain/accent.ts';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { OWN_THEME } from '../../../src/pages/theme.ts';
import { startTestService, temporaryFolder } from '../../support/service.ts';

const test = suite('themes');
const { folder, remove } = temporaryFolder();
test.after(remove);

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"/>';

function themeFile(content: unknown): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'logo.svg'), LOGO);
  writeFileSync(path.join(folder, 'large.png'), Buffer.alloc(200_001));
  const file = path.join(folder, 'theme.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('contrast is that of WCAG', () => {
  assert.is(contrast('#000000', '#ffffff'), 21);
  assert.is(contrast('#777777', '#777777'), 1);
  assert.is(contrast('#767676', '#ffffff').toFixed(2), '4.54');
});

test('without a file pages look as they do', () => assert.equal(readConfig({}).theme, OWN_THEME));

const REFUSED: readonly (readonly [content: unknown, told: RegExp])[] = [
  ['{', /not valid JSON/],
  [[], /The theme must be object: it must be an object with logo, accent/],
  [
    { colour: 'red' },
    /^DAYBOOK_THEME: colour is not a member of a theme\. The members are logo, accent \(light, dark\)/,
  ],
  [{ accent: { light: 'red' } }, /accent\.light .*must be a colour such as "#8a2f1c"/],
  [
    { accent: { light: '#ffcc00' } },
    /accent\.light #ffcc00 has a contrast of 1\.\d:1 .*at least 4\.5:1; try a darker one/,
  ],
  [{ accent: { dark: '#333333' } }, /accent\.dark .*try a lighter one/],
  [{ imprint: 'javascript:alert(1)' }, /imprint .*must be an address/],
  [{ links: [{ label: '', url: '/' }] }, /links\.0\.label .*1 to 60 characters/],
  [{ links: [{ label: 'x', url: '//evil.example' }] }, /links\.0\.url .*an address/],
  [{ map: { tiles: 'https://tiles.example/{z}/{x}.png', credit: '©' } }, /map\.tiles .*\{z\}\/\{x\}\/\{y\}/],
  [{ map: { tiles: 'https://{x}.example/{z}/{x}/{y}', credit: '©' } }, /map\.tiles .*must be an address/],
  [{ map: { tiles: 'https://tiles.example/{z}/{x}/{y}' } }, /map .*"tiles" and "credit"/],
  [{ logo: '../secret.svg' }, /logo .*beside the theme/],
  [{ logo: 'missing.svg' }, /missing\.svg cannot be read/],
  [{ logo: 'large.png' }, /200001 bytes; at most 200000 are allowed/],
];
for (const [content, told] of REFUSED)
  test(`${JSON.stringify(content)} is refused`, () =>
    assert.throws(
      () => readConfig({ DAYBOOK_THEME: themeFile(content) }),
      (error: unknown) => error instanceof ConfigError && told.test(error.message),
    ));

test('the theme comes before the settings, which say so', async () => {
  const daybook = await startTestService({
    environment: { DAYBOOK_THEME: themeFile({ logo: 'logo.svg', accent: { light: '#0b5d1e' } }) },
  });
  const { body } = await daybook.get('/settings', 'administrator');
  assert.equal(body.fixed_by, { logo: 'DAYBOOK_THEME', accent: 'DAYBOOK_THEME' });
  const refused = await daybook.request('administrator', 'PATCH', '/settings', { accent: '#123456' });
  assert.equal([refused.status, /DAYBOOK_THEME/.test(refused.body.data.params.accent)], [400, true]);
  await daybook.close();
});

test('every colour has one like it that can be read, on light and on dark pages', () => {
  for (const colour of ['#000000', '#ffffff', '#ffcc00', '#8a2f1c', '#00ff00', '#7f7f7f', '#0000ff'])
    for (const scheme of ['light', 'dark'] as const)
      assert.ok(worstContrast(scheme, readableLike(scheme, colour)) >= MIN_CONTRAST, `${colour} ${scheme}`);
  assert.is(readableLike('light', '#8a2f1c'), '#8a2f1c', 'as it is, where that is readable');
});

test('logo, colours, imprint and links are on every page', async () => {
  const accent = { light: '#0b5d1e', dark: '#7ee29a' };
  const links = [{ label: 'News & more', url: '/news' }];
  const file = themeFile({ logo: 'logo.svg', accent, links, imprint: 'https://a.example/imprint' });
  const daybook = await startTestService({ environment: { DAYBOOK_THEME: file } });
  try {
    const { text } = await daybook.get('//', 'anonymous', { 'accept-language': 'de' });
    const [, logo = ''] = /<img src="(\/assets\/logo-[^"]+\.svg)"/.exec(text) ?? [];
    assert.is((await daybook.get(`/${logo}`)).text, LOGO);
    const [, css = ''] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    assert.ok(css.includes('--accent:#0b5d1e') && css.includes('--accent:#7ee29a'));
    assert.ok(text.includes('<a href="/news">News &amp; more</a>'));
    assert.ok(text.includes('<a href="https://a.example/imprint">Impressum</a>'));
  } finally {
    await daybook.close();
  }
});

test('a map shows the place in its middle, from tiles of the theme alone', async () => {
  const map = { tiles: 'https://tiles.example/{z}/{x}/{y}.png?key=1', credit: '© Mappers' };
  const daybook = await startTestService({ environment: { DAYBOOK_THEME: themeFile({ map }) } });
  try {
    // The corner of four tiles: longitude 0 and the equator.
    const place = { venue: 'Null Island', geo_lat: 0, geo_lng: 0, status: 'publish' };
    const { slug } = await daybook.created('editor', 'venues', place);
    const { text, headers } = await daybook.get(`//venue/${slug}/`);
    const images = [...text.matchAll(/<image href="([^"]+)" x="([-\d]+)" y="([-\d]+)"/g)].map(([, ...parts]) => parts);
    assert.equal(images, [
      ['https://tiles.example/16/32767/32767.png?key=1', '-56', '-146'],
      ['https://tiles.example/16/32768/32767.png?key=1', '200', '-146'],
      ['https://tiles.example/16/32767/32768.png?key=1', '-56', '110'],
      ['https://tiles.example/16/32768/32768.png?key=1', '200', '110'],
    ]);
    assert.match(text, '© Mappers');
    assert.match(String(headers['content-security-policy']), "img-src 'self' data: https://tiles.example;");
    const hidden = await daybook.created('editor', 'venues', { ...place, venue: 'Unshown', show_map: false });
    assert.not.match((await daybook.get(`//venue/${hidden.slug}/`)).text, 'tiles.example');
    const pole = await daybook.created('editor', 'venues', { ...place, venue: 'Pole', geo_lat: 90, geo_lng: 180 });
    assert.match((await daybook.get(`//venue/${pole.slug}/`)).text, /\/16\/0\/[0-3]\.png/);
  } finally {
    await daybook.close();
  }
});

test.run();
