import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fill, fragmentOf, insideString, SLOT, type SlotName, siteTime, slot } from '../../../src/rendering/slots.ts';

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

test('a value fills each of its slots, in place', () => {
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
  for (const text of ['', '{}', 'a\tb\nc\rd\u0000\u0008\u001f']) assert.is(fill(text, { site: 'S' }), text);
});

test('the clock of the site is asked for each instant, also before 1970', () => {
  const fragment = fragmentOf({ a: siteTime(60), b: siteTime(-1), c: slot('site') });
  const siteTimeAt = (instant: number) => `at ${instant}`;
  assert.is(fill(fragment, { site: 'S', siteTime: siteTimeAt }), '{"a":"at 60","b":"at -1","c":"S"}');
});

test('a slot takes the place of a part of a text, of a value, or of a member with its comma', () => {
  const event = {
    url: `${slot('site')}/x`,
    tags: slot('tags'),
    post_parent: slot('parent'),
    json_ld: slot('commaThenJsonLd'),
  };
  assert.is(
    fragmentOf(event),
    `{"url":"${SLOT.site}/x","tags":${SLOT.tags},"post_parent":${SLOT.parent}${SLOT.commaThenJsonLd}}`,
  );
  const jsonLd = { location: slot('location'), organizer: slot('organizerLd'), performer: 'x' };
  assert.is(fragmentOf(jsonLd), `{${SLOT.location}${SLOT.organizerLd}"performer":"x"}`);
  assert.is(fragmentOf({ json_ld: slot('jsonLdThenComma'), a: 1 }), `{${SLOT.jsonLdThenComma}"a":1}`);
});

test('data that say what a slot is made of stay data', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(SLOT)), (text, character) => {
      const data = { title: `${character}${text}${character}`, json_ld: `${character}` };
      assert.equal(JSON.parse(fill(fragmentOf(data), {})), data);
    }),
  );
});

test('a filled slot is not searched again', () => {
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
