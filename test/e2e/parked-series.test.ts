// What is unknown about a series parks its dates, and hides them where it may.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { controlAppend, readControl } from '../../src/read-model/projector/control.ts';
import { endOf } from '../support/ends.ts';
import { newEvent, someMetadata } from '../support/events.ts';
import { waitFor, within } from '../support/eventstoredb-given.ts';
import { type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

const test = suite<{ daybook: TestService; series: number }>('parked series');

test.before.each(async (context) => {
  const daybook = await startTestService();
  const day = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' };
  const weekly = { ...someEvent({ title: 'Choir', ...day }), recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } };
  const { series } = await daybook.created('editor', 'events', weekly);
  Object.assign(context, { daybook, series: series.id });
});
test.after.each(({ daybook }) => daybook.close());

const marks = async ({ daybook, series }: { daybook: TestService; series: number }): Promise<readonly unknown[]> => {
  const { body } = await daybook.get(`/events?start_date=2026-11-25&end_date=2027-02-01&series=${series}`);
  return (body.events ?? []).map((event: Body) => event.parked_at ?? null);
};

async function unknown(
  { daybook, series }: { daybook: TestService; series: number },
  type: string,
): Promise<{ position: string; revision: number }> {
  const stream = `series-${series}`;
  const expected = await endOf(daybook.store, stream);
  const event = { ...newEvent(type, {}), schemaVersion: 99 };
  const outcome = await daybook.store.append([{ stream, expected, events: [event] }]);
  assert.ok(outcome.kind === 'appended' && outcome.written[0]);
  return outcome.written[0];
}

const becomes = (context: { daybook: TestService; series: number }, expected: readonly unknown[]): Promise<void> =>
  within(waitFor(async () => JSON.stringify(await marks(context)) === JSON.stringify(expected)));

test('a fact of an unknown type parks each date as it was, and a skip of it mends all of them', async (context) => {
  const { daybook, series } = context;
  assert.equal(await marks(context), [null, null, null]);
  const { position, revision } = await unknown(context, 'SeriesFrobnicated');
  await becomes(context, [position, position, position]);
  const data = { position, stream: `series-${series}`, revision, type: 'SeriesFrobnicated', reason: 'a slip' };
  const instruction = { id: newEvent().id, metadata: someMetadata };
  await daybook.store.append([
    controlAppend(await readControl(daybook.store), { type: 'EventSkipped', data }, instruction),
  ]);
  await becomes(context, [null, null, null]);
});

test('a fact that may hide dates hides them, although this version cannot read it', async (context) => {
  await unknown(context, 'SeriesTrashed');
  await becomes(context, []);
});

test.run();
