import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byClass, type Durations, tallyRequests } from '../../../src/observability/durations.ts';

const test = suite('durations');

const counted = (tallied: readonly Durations[]) => tallied.map(({ labels, count }) => ({ ...labels, count }));

test('answers are counted by method and status', () => {
  const tally = tallyRequests();
  for (const status of [200, 200, 404]) tally.add('/events', 'GET', status, 1);
  tally.add('/events', 'POST', 201, 1);
  assert.equal(counted(tally.read()), [
    { route: '/events', method: 'GET', status: 200, count: 2 },
    { route: '/events', method: 'GET', status: 404, count: 1 },
    { route: '/events', method: 'POST', status: 201, count: 1 },
  ]);
});

test('unknown methods share one label, however many there are', () => {
  const tally = tallyRequests();
  for (const method of ['BREW', 'PROPFIND', 'toString', '']) tally.add('/events', method, 404, 1);
  assert.equal(counted(tally.read()), [{ route: '/events', method: 'other', status: 404, count: 4 }]);
});

test('durations fall into the first bucket that holds them, its bound included', () => {
  const tally = tallyRequests();
  for (const milliseconds of [0, 1, 1.01, 10_000, 10_001]) tally.add('/events', 'GET', 200, milliseconds);
  const [found] = tally.read();
  assert.is(found?.count, 5);
  assert.is(found?.sum.toFixed(6), '20.003010');
  assert.equal(found?.buckets, [2, 1, ...Array(tally.bounds.length - 3).fill(0), 1]);
});

test('durations are kept apart by method and class of status', () => {
  const tally = tallyRequests();
  for (const status of [200, 304, 204]) tally.add('/events', 'GET', status, 1);
  tally.add('/events', 'PUT', 599, 1);
  assert.equal(counted(byClass(tally.read())), [
    { route: '/events', method: 'GET', status: '2xx', count: 2 },
    { route: '/events', method: 'GET', status: '3xx', count: 1 },
    { route: '/events', method: 'PUT', status: '5xx', count: 1 },
  ]);
});

test('a status beyond all classes does not spill into the counts of others', () => {
  const tally = tallyRequests();
  for (const status of [0, 999, Number.NaN]) tally.add('/events', 'GET', status, 1);
  assert.equal(counted(tally.read()), [{ route: '/events', method: 'GET', status: 0, count: 3 }]);
});

test.run();
