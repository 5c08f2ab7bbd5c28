import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { demoCalendar } from '../../../src/exchange/import/demo/fill.ts';
import town from '../../../src/exchange/import/demo/town.json' with { type: 'json' };

const WISH = { firstDay: '2027-03-01', weeks: 36 } as const;

test('a shorter calendar leaves out what repeats later, and keeps what happens once', () => {
  const { events } = demoCalendar({ ...WISH, weeks: 2 }).plan;
  assert.is(events.filter(({ input }) => input.title === 'Farmers’ market').length, 2);
  const once = town.events.filter(({ programme }) => programme === undefined).map(({ title }) => title);
  for (const title of once)
    assert.ok(
      events.some(({ input }) => input.title === title),
      title,
    );
});

test('whatever an event refers to is there', () => {
  const { plan, parts } = demoCalendar(WISH);
  const keysOf = (all: readonly { readonly origin: { readonly key: string } }[]) =>
    new Set(all.map(({ origin }) => origin.key));
  const terms = keysOf(plan.terms);
  const [venues, organizers, events] = [keysOf(plan.venues), keysOf(plan.organizers), keysOf(plan.events)];
  assert.is(events.size, plan.events.length);
  for (const event of plan.events) {
    const named = [...(event.categories ?? []), ...(event.tags ?? [])];
    assert.ok(named.length > 0 || event.input.status !== undefined, event.origin.key);
    assert.equal(
      [...named].filter((key) => !terms.has(key)),
      [],
    );
    assert.equal(
      (event.venues ?? []).filter((key) => !venues.has(key)),
      [],
    );
    assert.equal(
      (event.organizers ?? []).filter((key) => !organizers.has(key)),
      [],
    );
  }
  for (const [part, whole] of parts) assert.ok(events.has(part) && events.has(whole));
  for (const { event, venue } of town.changes)
    assert.ok(events.has(`demo:event:${event}`) && (venue === undefined || venues.has(`demo:venue:${venue}`)));
  assert.ok(town.changes.length > 10);
});

test('events stand in the order of their starts, and what takes place weekly does so on its day', () => {
  const { events } = demoCalendar(WISH).plan;
  const starts = events.map(({ input }) => String(input.times?.start));
  assert.equal(starts, [...starts].sort());
  const markets = events.filter(({ input }) => input.title === 'Farmers’ market');
  assert.ok(markets.length > 25 && markets.length <= WISH.weeks);
  for (const { input } of markets) {
    const start = String(input.times?.start);
    assert.is(new Date(`${start.replace(' ', 'T')}Z`).getUTCDay(), 6);
    assert.match(start, / 08:00:00$/);
    assert.match(String(input.times?.end), / 13:00:00$/);
  }
});

test('every status that visitors and editors meet is there', () => {
  const statuses = new Set(demoCalendar(WISH).plan.events.map(({ input }) => input.status ?? 'publish'));
  for (const status of ['publish', 'future', 'draft', 'pending', 'private'] as const)
    assert.ok(statuses.has(status), status);
});

test.run();
