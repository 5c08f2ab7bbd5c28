// Whatever has happened to a calendar, every listing of a read model is what the plain oracle says.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LABEL_PARAMETERS } from '../../src/calendar/event/domain/event-labels.ts';
import { LISTED_FLAGS } from '../../src/calendar/event/domain/event-traits.ts';
import type { Document } from '../../src/read-model/documents.ts';
import type { EventQuery } from '../../src/read-model/queries.ts';
import type { DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';
import { put } from '../support/documents.ts';
import { type Ids, oracle } from '../support/oracle.ts';
import { eventQueries, histories, linkedPostQueries, moments, termQueries } from '../support/random-calendar.ts';

const RUNS = Number(process.env.DAYBOOK_PROPERTY_RUNS ?? 300);
/** Of an adapter beside another one: what filters and sorts is the same index, filled from another storage. */
export const FEWER_RUNS = Math.ceil(RUNS / 4);
const SEED = Number(process.env.DAYBOOK_PROPERTY_SEED ?? 20_270_314);

/** So many attempts are made to find a smaller calendar that fails too. */
const SHRINKING_ATTEMPTS = 300;

const cases = fc.record({
  history: histories,
  events: fc.array(eventQueries, { maxLength: 40, size: 'max' }),
  linkedPosts: fc.array(linkedPostQueries, { maxLength: 15, size: 'max' }),
  terms: fc.array(termQueries, { maxLength: 15, size: 'max' }),
  moments: fc.array(moments, { maxLength: 5, size: 'max' }),
});

type Case = typeof cases extends fc.Arbitrary<infer Found> ? Found : never;

function asLeftBy(history: readonly (readonly DocumentChange[])[]): Document[] {
  const documents = new Map<string, Document>();
  for (const { key, document } of history.flat()) {
    if (document) documents.set(`${key.kind} ${key.id}`, document);
    else documents.delete(`${key.kind} ${key.id}`);
  }
  return [...documents.values()];
}

const byId = (one: { readonly id: number }, other: { readonly id: number }) => one.id - other.id;

const idsOf = ({ items, total }: { items: readonly { readonly id: number }[]; total: number }): Ids => ({
  ids: items.map(({ id }) => id),
  total,
});

async function compare(model: ReadModel, { history, ...asked }: Case): Promise<void> {
  const told = oracle(asLeftBy(history));
  const same = (found: unknown, expected: unknown, query: unknown) =>
    assert.equal(found, expected, JSON.stringify(query));
  for (const query of asked.events) same(idsOf(await model.listEvents(query)), told.listEvents(query), query);
  // The naive answer to each of them is a list.
  for (const query of asked.events.slice(0, 3)) await compareFacets(model, query, told);
  for (const query of asked.linkedPosts)
    same(idsOf(await model.listLinkedPosts(query)), told.listLinkedPosts(query), query);
  for (const query of asked.terms) same(idsOf(await model.listTerms(query)), told.listTerms(query), query);
  for (const moment of asked.moments) same(await model.nextEdge(moment), told.nextEdge(moment), moment);
  for (const of of [null, ...asked.events])
    for (const limit of [3, 50])
      same(await model.newestEvents({ limit, of }), told.newestEvents({ limit, of }), { limit, of });
  same(await model.nextScheduled(), told.nextScheduled(), 'next scheduled');
  for (const date of [999, 1_000, 2_500]) {
    const due = await model.scheduledUntil(date, 1_000);
    same(
      due.map(({ id }) => id),
      told.scheduledUntil(date),
      `due at ${date}`,
    );
  }
  same([...(await model.terms()).values()].sort(byId), told.terms().sort(byId), 'terms');
}

/** Each facet counts what the list has that is narrowed in its way. */
async function compareFacets(model: ReadModel, query: EventQuery, told: ReturnType<typeof oracle>): Promise<void> {
  const values = ['one', 'two', 'none'];
  // Beside those that the list has already there is none.
  const asked = LABEL_PARAMETERS.filter((wire) => query[wire] === undefined).flatMap((wire) =>
    values.map((value) => [wire, value] as const),
  );
  const facets = {
    flags: LISTED_FLAGS.map(({ member }) => member),
    labels: asked,
    categories: [[], [1], [2, 3], [1, 2, 3]],
    periods: [{}, { startsFrom: 1_000 }, { endsAfter: 999, startsBefore: 2_000 }],
  };
  const counts = await model.countFacets(query, facets);
  const isOwn = query.visibility.own !== null || query.unmasked.own !== null;
  if (counts === null) return assert.ok(query.search ?? query.collapse ?? isOwn, 'can be counted');
  const total = (narrowed: Partial<EventQuery>) => told.listEvents({ ...query, ...narrowed }).total;
  const expected = {
    flags: facets.flags.map((flag) => total({ [flag]: true })),
    labels: asked.map(([wire, value]) => total({ [wire]: [value] })),
    periods: facets.periods.map((bounds) => total({ bounds })),
    categories: facets.categories.map((categories) => total({ categories })),
  };
  assert.equal(counts, expected, JSON.stringify(query));
}

/** The failing comparison, and what made the calendar, in a length that can be read. */
function explanation({ errorInstance, counterexample, seed, numRuns }: fc.RunDetails<[Case]>): string {
  const batches = (counterexample?.[0].history ?? []).filter((batch) => batch.length > 0);
  const told = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const details = errorInstance as { readonly details?: string } | undefined;
  return [
    `Calendar ${numRuns} of DAYBOOK_PROPERTY_SEED=${seed} is listed wrongly.`,
    `${told.slice(0, 1_000)} ${details?.details ?? ''}`,
    `After: ${JSON.stringify(batches).slice(0, 3_000)}`,
  ].join('\n');
}

/** `open` gives an empty read model, and may give the same one again after `clear`. `numRuns`: random calendars. */
export function listingsProperty(name: string, open: () => Promise<ReadModel>, numRuns = RUNS): void {
  test(`${name}: every listing of a random calendar is what filtering and sorting arrays gives`, async () => {
    const model = await open();
    let attemptsLeft = Infinity;
    const property = fc.asyncProperty(cases, async (asked) => {
      if (attemptsLeft-- <= 0) return;
      await model.clear();
      for (const batch of asked.history) await put(model, ...batch);
      try {
        await compare(model, asked);
      } catch (error) {
        attemptsLeft = Math.min(attemptsLeft, SHRINKING_ATTEMPTS);
        throw error;
      }
    });
    try {
      const outcome = await fc.check(property, { numRuns, seed: SEED });
      if (outcome.failed) throw new Error(explanation(outcome));
    } finally {
      await model.close();
    }
  });
}
