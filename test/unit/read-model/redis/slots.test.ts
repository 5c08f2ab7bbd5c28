import slotOf from 'cluster-key-slot';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clusterAddress, isClusterAddress } from '../../../../src/read-model/redis/cluster-address.ts';
import { movedTo, readModelFailure, shownAddress } from '../../../../src/read-model/redis/failures.ts';

const test = suite('slots and addresses of a cluster');

test('a key lies in the slot of its hash tag, or of all of it where it has none', () => {
  // The value that the description of the protocol gives as an example.
  assert.is(slotOf('123456789'), 0x31c3);
  assert.is(slotOf('{123456789}:meta'), 0x31c3);
  assert.is(slotOf('a{123456789}{b}'), 0x31c3);
  assert.is.not(slotOf('{}123456789'), slotOf('123456789'));
  assert.is(slotOf('{}a'), slotOf('{}a'));
  assert.is(slotOf(''), 0);
});

test('user, password and encryption of the address are those of every node', () => {
  const { seeds, urlOf } = clusterAddress('rediss+cluster://me:p%40ss@one:7000,two,[::1]:7002');
  assert.equal(seeds, ['one:7000', 'two:6379', '[::1]:7002']);
  assert.is(urlOf('three:7003'), 'rediss://me:p%40ss@three:7003');
  assert.is(clusterAddress('redis+cluster://one/').urlOf('one:6379'), 'redis://one:6379');
});

test('an address that cannot be read is refused, and never shown with its password', () => {
  for (const wrong of ['', 'me:secret@', 'one/2', 'one,', 'one:x', 'one:70000', 'me:secret@one,me:secret@two']) {
    const url = `redis+cluster://${wrong}`;
    assert.ok(isClusterAddress(url));
    assert.throws(
      () => clusterAddress(url),
      /its address cannot be read.*redis\+cluster:\/\/user:password@host/,
      wrong,
    );
    assert.not.match(shownAddress(url), 'secret');
  }
  assert.is(shownAddress('redis+cluster://me:secret@one:1,two:2'), 'redis+cluster://one:1,two:2');
});

test('a slot is found again within the rendered error', () => {
  const moved = (message: string) => movedTo(readModelFailure('redis://there', new Error(message)));
  assert.equal(moved('MOVED 42 10.0.0.1:6379'), { slot: 42, node: '10.0.0.1:6379' });
  assert.equal(moved('MOVED 42 ::1:6379'), { slot: 42, node: '[::1]:6379' });
  assert.equal(moved('MOVED 42 :6379'), { slot: 42, node: null });
  assert.is(moved('ASK 42 10.0.0.1:6379'), null);
});

test.run();
