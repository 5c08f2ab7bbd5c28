import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decryptText, encryptText, type ValuePlace } from '../../../src/people/personal-data/facts/encrypting-store.ts';

const test = suite('sealing of personal data');

const KEY = Buffer.alloc(32, 7);
const PLACE: ValuePlace = { stream: 'organizer-7', type: 'OrganizerRenamed', field: 'name', id: 'a-b' };

const anyPlace = fc.record({
  stream: fc.string(),
  type: fc.string(),
  field: fc.string(),
  id: fc.string().map((id) => id.toLowerCase()),
});
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('an encrypted value is decrypted with the same key at the same place, whatever the text', () => {
  fc.assert(
    fc.property(anyKey, anyPlace, fc.string({ unit: 'grapheme' }), (key, place, text) => {
      assert.is(decryptText(key, place, encryptText(key, place, text)), text);
    }),
  );
});

test('no other key opens it', () => {
  fc.assert(
    fc.property(anyKey, anyKey, fc.string(), (one, other, text) => {
      fc.pre(Buffer.compare(Buffer.from(one), Buffer.from(other)) !== 0);
      assert.is(decryptText(other, PLACE, encryptText(one, PLACE, text)), null);
    }),
  );
});

test('it opens at no other place: values cannot be swapped', () => {
  const sealed = encryptText(KEY, PLACE, 'Ann');
  for (const member of ['stream', 'type', 'field', 'id'] as const)
    assert.is(decryptText(KEY, { ...PLACE, [member]: 'other' }, sealed), null, member);
  fc.assert(
    fc.property(anyPlace, anyPlace, (one, other) => {
      fc.pre(JSON.stringify(Object.values(one)) !== JSON.stringify(Object.values(other)));
      assert.is(decryptText(KEY, other, encryptText(KEY, one, 'Ann')), null);
    }),
  );
});

test('a changed, cut off or foreign text opens nothing', () => {
  const { $sealed } = encryptText(KEY, PLACE, 'Ann');
  const flipped = `${$sealed.slice(0, 10)}${$sealed[10] === 'A' ? 'B' : 'A'}${$sealed.slice(11)}`;
  for (const other of [flipped, $sealed.slice(0, -2), $sealed.replace('v1:', 'v2:'), 'v1:', '', 'v1:AAAA', 'Ann'])
    assert.is(decryptText(KEY, PLACE, { $sealed: other }), null, other);
});

test('the same value is sealed the same, so that a repeated append is the same to the byte', () => {
  assert.equal(encryptText(KEY, PLACE, 'Ann'), encryptText(KEY, PLACE, 'Ann'));
  assert.equal(encryptText(KEY, PLACE, 'Ann'), encryptText(KEY, { ...PLACE, id: 'A-B' }, 'Ann'));
});

test('nothing of a value shows, nor that two places or two values have something in common', () => {
  const nonceOf = ({ $sealed }: { readonly $sealed: string }): string => $sealed.slice(3, 19);
  const sealed = [
    encryptText(KEY, PLACE, 'Ann'),
    encryptText(KEY, PLACE, 'Bea'),
    encryptText(KEY, { ...PLACE, id: 'c' }, 'Ann'),
    encryptText(randomBytes(32), PLACE, 'Ann'),
  ];
  assert.is(new Set(sealed.map(nonceOf)).size, sealed.length);
  for (const { $sealed } of sealed) assert.not.match(Buffer.from($sealed.slice(3), 'base64url').toString(), 'Ann');
});

test.run();
