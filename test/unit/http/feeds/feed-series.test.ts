// What the outline of a calendar keeps of a series.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KnownDate } from '../../../../src/editorial/series/domain/facts.ts';
import { openSeriesDates } from '../../../../src/exchange/feeds/feed-series.ts';
import { sayingSeries } from '../../../../src/exchange/feeds/icalendar/series-rule.ts';
import { formatCivil } from '../../../../src/kernel/time/civil-time.ts';
import type { SeriesDocument } from '../../../../src/read-model/documents.ts';
import { secondsOf } from './sample-event.ts';

const test = suite('series of a calendar');

const START = secondsOf('2027-03-02 19:00:00');
const WEEK = 7 * 86_400;

const dates = Array.from({ length: 500 }, (_, at): KnownDate => {
  const startsAt = START + at * WEEK;
  const times = { wallClock: formatCivil(startsAt), startsAt, endsAt: startsAt + 3_600 };
  return {
    ...times,
    id: 100 + at,
    slug: `choir-${at}`,
    index: at + 1,
    revision: 1,
    isThere: true,
    isDetached: at === 2,
  };
});

const STATE = {
  ...{ start: '2027-03-02 19:00:00', from: '2027-03-02 19:00:00', zone: 'UTC', allDay: false, duration: 3_600 },
  ...{ rules: ['FREQ=WEEKLY;COUNT=500'], added: [], skipped: [], horizon: START + 1_000 * WEEK, dates },
};

test('outlines are cached, so they keep no dates of a series but those that differ', async () => {
  const found = openSeriesDates();
  for (const { id } of dates) found.note({ id, series: 7, protected: false });
  // Nothing else of the document is looked at.
  const document = { kind: 'series', id: 7, state: STATE } as unknown as SeriesDocument;
  const { parts, covered } = await found.said({ fetch: async () => [document] });
  assert.equal([...parts.keys()], [100, 102]);
  assert.is(covered.size, 498);
  const text = JSON.stringify([...parts.values()]);
  assert.ok(text.length < 1_000, text);
  assert.is(parts.get(100)?.series, parts.get(102)?.series);
});

test('a calendar that ends before an added date keeps the count and the end that rules have', async () => {
  const alike = dates.map((date) => ({ ...date, isDetached: false }));
  const rules = ['FREQ=WEEKLY;COUNT=3', 'FREQ=WEEKLY;UNTIL=20270316', 'FREQ=WEEKLY;UNTIL=20270316T190000Z'];
  for (const rule of rules) {
    const found = openSeriesDates();
    for (const { id } of alike.slice(0, 4)) found.note({ id, series: 7, protected: false });
    const there = [0, 1, 2, 10, 20].flatMap((at, index) => ({ ...alike[at], id: 100 + index }));
    const added = there.slice(3).map(({ wallClock }) => wallClock);
    const document = { kind: 'series', id: 7, state: { ...STATE, rules: [rule], added, dates: there } };
    const { parts } = await found.said({ fetch: async () => [document as unknown as SeriesDocument] });
    const said = parts.get(100)?.series.said;
    assert.equal([said?.rule?.split('T')[0], said?.added], [rule.split('T')[0], added.slice(0, 1)]);
  }
});

test('a series is said in steps, so that others have their turn before all of its dates were looked at', () => {
  const first = STATE.dates[400]?.wallClock ?? '';
  assert.ok([...sayingSeries({ ...STATE, from: first }, new Set())].length >= 5);
});

test.run();
