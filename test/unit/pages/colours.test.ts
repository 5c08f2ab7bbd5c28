// The colours of the pages for visitors: texts can be read on every background that they stand on, light and dark.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BACKGROUNDS, contrast } from '../../../src/calendar/site/domain/accent.ts';

const STYLE = ['base', 'site']
  .map((name) => readFileSync(new URL(`../../../src/pages/assets/${name}.css`, import.meta.url), 'utf8'))
  .join('');
const COLOUR = /--([a-z]+): (#[0-9a-f]{6});/g;

/** The custom properties of a rule. */
const coloursIn = (rule: RegExp): ReadonlyMap<string, string> =>
  new Map([...(rule.exec(STYLE)?.[1] ?? '').matchAll(COLOUR)].map(([, name = '', value = '']) => [name, value]));

const SCHEMES = {
  light: coloursIn(/^:root \{([^}]*)\}/m),
  dark: coloursIn(/dark\) \{\s*:root \{([^}]*)\}/),
} as const;

const test = suite('colours of pages');

for (const scheme of ['light', 'dark'] as const) {
  const colour = (name: string): string => SCHEMES[scheme].get(name) ?? '';
  const backgrounds = ['paper', 'tint', 'raised'].map(colour);

  test(`${scheme}: texts have a contrast of 4.5:1 with every background, edges of fields 3:1`, () => {
    for (const background of backgrounds) {
      for (const name of ['ink', 'soft', 'accent']) assert.ok(contrast(colour(name), background) >= 4.5, name);
      assert.ok(contrast(colour('edge'), background) >= 3, 'edge');
    }
    assert.ok(contrast(colour('paper'), colour('accent')) >= 4.5, 'on buttons');
  });

  test(`${scheme}: a colour that administrators choose is judged on these backgrounds`, () => {
    assert.equal([...BACKGROUNDS[scheme]].sort(), backgrounds.toSorted());
  });
}

test('white texts can be read on the colour of every category, and on notes', () => {
  const hues = [...STYLE.matchAll(/--hue: (#[0-9a-f]{6});/g)].map(([, hue = '']) => hue);
  assert.is(new Set(hues).size, 9);
  for (const hue of hues) assert.ok(contrast(hue, '#ffffff') >= 4.5, hue);
});

test.run();
