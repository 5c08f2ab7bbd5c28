// Whatever a list asks: what is told about each event of a random calendar agrees with the list itself.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isBehindMask, verdictsOn } from '../../src/editorial/why/queries/ask-why.ts';
import type { DocumentKey, EventDocument } from '../../src/read-model/documents.ts';
import type { EventQuery } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { put } from '../support/documents.ts';
import { EVENT_IDS, eventQueries, histories } from '../support/random-calendar.ts';

const RUNS = Math.ceil(Number(process.env.DAYBOOK_PROPERTY_RUNS ?? 60) / 2);
const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);

/** Whether an event is the first of its series is not asked: the route refuses it. */
const asked = eventQueries.map(({ collapse: _collapse, ...query }) => query);
const cases = fc.record({ history: histories, queries: fc.array(asked, { minLength: 4, maxLength: 8 }) });

const KEYS: readonly DocumentKey[] = Array.from({ length: EVENT_IDS.max }, (_, index) => ({
  kind: 'event',
  id: EVENT_IDS.min + index,
}));

async function compare(model: ReadModel, query: EventQuery, events: readonly EventDocument[]): Promise<void> {
  const { items, total } = await model.findEvents({ ...query, page: { offset: 0, limit: 1_000 } });
  const asked = JSON.stringify(query);
  for (const event of events) {
    const told = await verdictsOn(model, query, event, 'all');
    const index = items.indexOf(event.id);
    assert.is(told.total, total, asked);
    assert.is(told.place, index < 0 ? null : index + 1, `event ${event.id} in ${asked}`);
    assert.is(
      told.verdicts.every(({ passes }) => passes),
      index >= 0,
      `event ${event.id} in ${asked}`,
    );
    const masked = told.verdicts.some(({ name, passes }) => name === 'password' && !passes);
    if (masked) assert.not.ok(told.verdicts.some(isBehindMask), `behind the password of ${event.id} in ${asked}`);
  }
}

/** `open` gives an empty read model, which is emptied between two calendars. */
export function whyProperty(name: string, open: () => Promise<ReadModel>): void {
  test(`${name}: why an event is in a list, and where, agrees with the list`, async () => {
    const model = await open();
    const property = fc.asyncProperty(cases, async ({ history, queries }) => {
      await model.clear();
      for (const batch of history) await put(model, ...batch);
      const documents = await model.fetch(KEYS);
      const events = documents.filter((document) => document?.kind === 'event');
      for (const query of queries) await compare(model, query, events);
    });
    try {
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    } finally {
      await model.close();
    }
  });
}
