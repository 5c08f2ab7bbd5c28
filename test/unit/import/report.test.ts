import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openImportSummary } from '../../../src/exchange/import/import-summary.ts';
import { type Figures, summaryLines } from '../../../src/exchange/import/report.ts';

const figures: Figures = {
  correlationId: 'c',
  mode: 'import',
  records: 1,
  seconds: 1,
  viewSeconds: 0.5,
  remainder: null,
  views: 'current',
};

const told = (views: Figures['views']): string => summaryLines(openImportSummary(), { ...figures, views }).join('\n');

test('a summary calls views up to date only when there are some and they are', () => {
  assert.match(told('current'), 'views up to date after another 0.50 s');
  assert.match(told('missing'), 'there are no views yet, the service fills them when it starts');
  assert.match(told('unavailable'), 'the views are unavailable');
  for (const views of ['missing', 'unavailable'] as const) assert.not.match(told(views), 'up to date after');
});

test.run();
