import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fill, insideString, SLOT, type SlotName, siteTime } from '../../../src/rendering/slots.ts';

const test = suite('slots');
const NAMES = Object.keys(SLOT) as SlotName[]; // Keys of SLOT itself.

test('every slot is a control character of its own that JSON text never holds', () => {
  const characters = Object.values(SLOT);
  assert.is(new Set(characters).size, characters.length);
  for (const character of characters) {
    assert.is(character.length, 1);
    assert.ok(character < ' ' && !'\t\n\r'.includes(character));
    assert.throws(() => JSON.parse(`"${character}"`));
    assert.not.ok(JSON.stringify(character).includes(character));
  }
});

test('a value stands in each of its slots, in place', () => {
  const fragment = `{"a":"${SLOT.site}/x","b":${SLOT.venue},"c":"${SLOT.site}"}`;
  assert.is(fill(fragment, { site: 'S', venue: '[]' }), '{"a":"S/x","b":[],"c":"S"}');
});

test('a slot without a value disappears, values without a slot do too', () => {
  assert.is(fill(`[1${SLOT.commaThenJsonLd}]`, { site: 'S' }), '[1]');
});

for (const name of NAMES)
  test(`the slot ${name} is filled with its own value only`, () => {
    const all = Object.fromEntries(NAMES.map((one) => [one, one]));
    assert.is(fill(`<${SLOT[name]}>`, all), `<${name}>`);
  });

test('a text without slots is the same text', () => {
  for (const text of ['', '{}', 'a\tb\nc\rd\u0000\u0008\u0013']) assert.is(fill(text, { site: 'S' }), text);
});

test('the clock of the site is asked for each instant, also before 1970', () => {
  const fragment = `{"a":"${siteTime(60)}","b":"${siteTime(-1)}","c":"${SLOT.site}"}`;
  const siteTimeAt = (instant: number) => `at ${instant}`;
  assert.is(fill(fragment, { site: 'S', siteTime: siteTimeAt }), '{"a":"at 60","b":"at -1","c":"S"}');
});

test('what is filled in is not looked at again', () => {
  assert.is(fill(SLOT.venue, { venue: SLOT.site, site: 'S' }), SLOT.site);
});

test('texts inside strings cannot leave them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.is(JSON.parse(fill(`"${SLOT.host}"`, { host: insideString(text) })), text);
    }),
  );
});

test('whatever the data are, only slots are filled', () => {
  const values = Object.fromEntries(NAMES.map((name) => [name, '']));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(SLOT)), (text, slot) => {
      const data = slot + text + slot;
      const fragment = `[${SLOT.categories}${JSON.stringify(data)}${SLOT.tags}]`;
      assert.equal(JSON.parse(fill(fragment, values)), [data]);
    }),
  );
});

test.run();
