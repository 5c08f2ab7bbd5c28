import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listOf, strictTruthy, truthy } from '../../../../src/kernel/text/wire-words.ts';

const test = suite('readers');

test('a list is a list in every notation', () => {
  for (const value of ['a,b', 'a, b', ' a ,,b,', ['a', 'b'], ['a', '', 'b'], { x: 'a', y: 'b' }])
    assert.equal(listOf(value), ['a', 'b'], JSON.stringify(value));
  assert.equal(listOf(5), ['5']);
  for (const value of ['', null, undefined, [], {}, [null]]) assert.equal(listOf(value), []);
});

test('many words mean yes', () => {
  for (const word of ['1', 'true', 'YES', 'y', 'on', 'enable', 'Enabled', true, 1])
    assert.is(truthy(word), true, String(word));
  for (const word of ['', '0', 'false', 'no', 'foo', false, 0, null, '2']) assert.is(truthy(word), false, String(word));
});

test('strict dates know fewer words for yes', () => {
  for (const word of ['1', 'true', 'On', 'yes']) assert.is(strictTruthy(word), true, word);
  for (const word of ['y', 'enable', 'enabled', '', 'false']) assert.is(strictTruthy(word), false, word);
});

test.run();
