import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refusedRule } from '../../../src/editorial/series/commands/rule-check.ts';

const BOUNDS = { first: '2026-11-21 10:00:00', last: '2036-11-21 10:00:00', most: 5_000 };

test('rules that may never come are tried by one thread, one after the other', async () => {
  let started = 0;
  const count = (): void => {
    started += 1;
  };
  subscribe('worker_threads', count);
  const faults: unknown[] = [];
  for (const rule of [
    'FREQ=DAILY',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTHDAY=3',
    'FREQ=NEVER;BYMONTHDAY=3',
  ])
    faults.push((await refusedRule({ rules: [rule], bounds: BOUNDS }))?.fault ?? null);
  unsubscribe('worker_threads', count);
  assert.equal(faults, [null, 'never', null, 'invalid']);
  assert.is(started, 1);
});

test.run();
