import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIGEST_LENGTH, digestOf } from '../../../src/queries/digest.ts';

const test = suite('digests of entity tags');

test('texts that a short checksum confuses have different digests', () => {
  // Both have the 32-bit FNV-1a checksum 5e4daa9d.
  assert.is.not(digestOf('costarring'), digestOf('liquid'));
});

test('a digest has a fixed length and only characters that stand in a tag', () => {
  for (const content of ['', 'é', new Uint8Array([0, 255])]) {
    assert.match(digestOf(content), /^[\w-]+$/);
    assert.is(digestOf(content).length, DIGEST_LENGTH);
  }
});

test.run();
