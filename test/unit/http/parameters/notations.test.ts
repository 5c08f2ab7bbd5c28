import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../../src/http/errors.ts';
import { decodeText, parseParameters } from '../../../../src/http/parameters/query-string.ts';

const test = suite('parameter notations');

/** As plain JSON: the maps themselves have no prototype. */
const read = (text: string): unknown => JSON.parse(JSON.stringify(parseParameters(text)));

const NOTATIONS: readonly (readonly [string, unknown])[] = [
  ['', {}],
  ['a=1', { a: '1' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=1', {}],
  ['&&a=1&', { a: '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['a=1&a=2', { a: '2' }],
  ['a=1,2', { a: '1,2' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a%5B%5D=1&a%5B%5D=2', { a: ['1', '2'] }],
  ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
  ['a[5]=1&a[]=2&a[3]=3', { a: ['1', '2', '3'] }],
  ['a[0]=1&a[0]=2', { a: ['2'] }],
  ['venue[venue]=Hall&venue[city]=Leeds', { venue: { venue: 'Hall', city: 'Leeds' } }],
  [
    'organizer[0][organizer]=A&organizer[0][email]=e&organizer[1]=5',
    { organizer: [{ organizer: 'A', email: 'e' }, '5'] },
  ],
  ['a=1&a[]=2', { a: ['2'] }],
  ['a[]=1&a=2', { a: '2' }],
  ['a[b=1', { 'a[b': '1' }],
  ['a[b]c=1', { a: { b: '1' } }],
  ['[a]=1', { '[a]': '1' }],
  ['a=x+y%20z', { a: 'x y z' }],
  ['a=%zz%4', { a: '%zz%4' }],
  ['a=100%25', { a: '100%' }],
  ['a=%ff%fe', { a: '%ff%fe' }],
  ['a=%ff%C5%81%00%C5', { a: '%ffŁ%C5' }],
  ['a=%C5%81', { a: 'Ł' }],
  ['a=x%00y', { a: 'xy' }],
];

for (const [text, value] of NOTATIONS) test(`reads ${text || 'nothing'}`, () => assert.equal(read(text), value));

test('names that reach into a prototype are dropped at every depth', () => {
  const text =
    '__proto__[x]=1&a[__proto__][x]=1&a[constructor]=1&a[b][prototype]=1&constructor=1&%5f_proto__=1&a[ok]=1';
  assert.equal(read(text), { a: { ok: '1' } });
  assert.is(({} as { x?: unknown }).x, undefined);
});

test('maps have no prototype, so nothing is inherited', () => {
  assert.is(parseParameters('a=1').toString, undefined);
  assert.is((parseParameters('a[b]=1').a as { toString?: unknown }).toString, undefined);
});

test('too many pairs and too many brackets are refused', () => {
  const refused = (error: unknown) => error instanceof ApiError && error.code === 'rest_too_many_parameters';
  assert.throws(() => parseParameters('a=1&'.repeat(2_001)), refused);
  assert.throws(() => parseParameters(`a${'[b]'.repeat(7)}=1`), refused);
  assert.throws(() => parseParameters(`a${'[b]'.repeat(300_000)}=1`), refused);
  assert.equal(read(`a${'[b]'.repeat(6)}=1`), { a: { b: { b: { b: { b: { b: { b: '1' } } } } } } });
});

test('whatever a client encodes comes back as it was', () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
  fc.assert(fc.property(text, (value) => assert.is(decodeText(encodeURIComponent(value)), value)));
});

test('percent sequences are decoded where they are characters, and stay as they are where not', () => {
  const characters =
    /(?:%[0-7].|%(?:C[2-9A-F]|D.)%[89AB].|%(?:E0%[AB].|E[1-9A-CEF]%[89AB].|ED%[89].)%[89AB].|%(?:F0%[9AB].|F[1-3]%[89AB].|F4%8.)%[89AB].%[89AB].)+/g;
  const decoded = (text: string): string =>
    text.replaceAll('+', ' ').replace(characters, decodeURIComponent).replaceAll('\0', '');
  const byte = fc.constantFrom(
    ...'00 28 41 7F 80 8F 90 9F A0 BF C0 C1 C2 C3 DF E0 E1 EC ED EE EF F0 F1 F4 F5 F8 FF'.split(' '),
  );
  const part = fc.oneof(
    byte.map((one) => `%${one}`),
    fc.constantFrom('+', '%', 'zz', 'é', '😀', '%C3%A9', '%F0%9F%98%80'),
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (value) => assert.is(decodeText(value), decoded(value))),
    { numRuns: 2_000 },
  );
  for (const broken of ['%', '%4', 'a%4', '%C3%', '%C3%2', '%g0', '%0g']) assert.is(decodeText(broken), broken);
});

test('lists of any texts survive both bracket notations', () => {
  const list = fc.array(
    fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')),
    { minLength: 1, maxLength: 20 },
  );
  const encoded = (values: readonly string[], key: (at: number) => string) =>
    values.map((value, at) => `a[${key(at)}]=${encodeURIComponent(value)}`).join('&');
  fc.assert(
    fc.property(list, (values) => {
      assert.equal(parseParameters(encoded(values, () => '')).a, values);
      assert.equal(parseParameters(encoded(values, String)).a, values);
    }),
  );
});

test('no text at all makes it fail otherwise', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a[\]=&%0-9_.+-]{0,60}$/), (text) => {
      try {
        parseParameters(text);
      } catch (error) {
        assert.instance(error, ApiError);
      }
    }),
  );
});

test.run();
