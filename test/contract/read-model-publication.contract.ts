// What is found by the date of publication: the newest events, and what is still to be published.
import * as assert from 'uvu/assert';
import { LOG_START } from '../../src/log/envelope.ts';
import { MAX_NEWEST } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { event, organizer, put, removed, saved, seriesOfDates, venue } from '../support/documents.ts';
import type { Check } from './read-model-check.ts';

const newest = (model: ReadModel, limit: number): Promise<readonly number[]> => model.newestEvents({ limit });

const due = async (model: ReadModel, instant: number, limit = 100): Promise<string[]> =>
  (await model.scheduledUntil(instant, limit)).map(({ kind, id, date }) => `${kind} ${id} at ${date}`);

export function publicationRules(check: Check): void {
  check('the newest events come by publication, the latest first, then the highest id', async (model) => {
    const at = (id: number, date: number) => saved(event(id, { date, startsAt: 50_000 - id, endsAt: 60_000 }));
    await put(model, at(1, 300), at(2, 100), at(3, 200), at(12, 200), at(5, -7));
    assert.equal(await newest(model, 10), [1, 12, 3, 2, 5]);
    assert.equal(await newest(model, 2), [1, 12]);
    assert.equal(await newest(model, 0), []);
  });

  check('of the newest events there are never more than the most', async (model) => {
    await put(model, ...Array.from({ length: MAX_NEWEST + 5 }, (_, at) => saved(event(at + 1))));
    assert.is((await newest(model, 1_000)).length, MAX_NEWEST);
  });

  check('among the newest are protected events; hidden and unpublished ones are not', async (model) => {
    await put(model, saved(event(1, { protected: true })), saved(event(2, { hidden: true })), saved(venue(7)));
    const others = ['future', 'draft', 'pending', 'private', 'trash'] as const;
    await put(model, ...others.map((status, at) => saved(event(3 + at, { status }))));
    assert.equal(await newest(model, 10), [1]);
    await put(model, saved(event(1, { hidden: true })), saved(event(2)), saved(event(4)), saved(event(5, { date: 2 })));
    assert.equal(await newest(model, 10), [4, 2, 5]);
    await put(model, removed('event', 4), saved(event(5, { date: 3_000 })), saved(event(2, { status: 'trash' })));
    assert.equal(await newest(model, 10), [5]);
  });

  check('the next to be published is the earliest of all kinds, however long overdue', async (model) => {
    assert.is(await model.nextScheduled(), null);
    await put(model, saved(event(1)), saved(event(2, { status: 'draft', date: 5 })), saved(venue(3, { date: 6 })));
    assert.is(await model.nextScheduled(), null);
    await put(model, saved(event(4, { status: 'future', date: 900, hidden: true })));
    assert.is(await model.nextScheduled(), 900);
    await put(model, saved(organizer(5, { status: 'future', date: 800 })));
    await put(model, saved(venue(6, { status: 'future', date: 850 })));
    assert.is(await model.nextScheduled(), 800);
    await put(model, saved(organizer(5, { status: 'publish', date: 800 })));
    assert.is(await model.nextScheduled(), 850);
    await put(model, saved(venue(6, { status: 'future', date: 2_000 })));
    assert.is(await model.nextScheduled(), 900);
    await put(model, removed('event', 4), removed('venue', 6));
    assert.is(await model.nextScheduled(), null);
  });

  check('due posts are sorted by date, then id, and limited', async (model) => {
    const status = 'future';
    await put(model, saved(event(4, { status, date: 900 })), saved(venue(3, { status, date: 900 })), saved(event(10)));
    await put(model, saved(organizer(5, { status, date: -20 })), saved(event(12, { status, date: 901 })));
    assert.equal(await due(model, -21), []);
    assert.equal(await due(model, 899), ['organizer 5 at -20']);
    assert.equal(await due(model, 900), ['organizer 5 at -20', 'venue 3 at 900', 'event 4 at 900']);
    assert.equal(await due(model, 9_000, 2), ['organizer 5 at -20', 'venue 3 at 900']);
    await put(model, saved(venue(3, { status: 'trash', date: 900 })), saved(event(4, { date: 900 })));
    assert.equal(await due(model, 9_000), ['organizer 5 at -20', 'event 12 at 901']);
  });

  check('what is due names the series that it is a date of', async (model) => {
    const status = 'future';
    await put(model, saved(event(1, { status, parent: 70 })), saved(event(2, { status, parent: 4 })), saved(event(4)));
    await put(model, saved(seriesOfDates(70)), saved(venue(3, { status })));
    const listed = await model.scheduledUntil(9_000, 10);
    assert.equal(Object.fromEntries(listed.map(({ id, series }) => [id, series])), { 1: 70, 2: 0, 3: 0 });
  });

  check('a date beyond all instants is never due and stays in order', async (model) => {
    await put(model, saved(event(1, { status: 'future', date: 253_402_300_799 })));
    assert.is(await model.nextScheduled(), 253_402_300_799);
    assert.equal(await due(model, 253_402_300_798), []);
    assert.equal(await due(model, 253_402_300_799), ['event 1 at 253402300799']);
  });

  check('emptied, nothing is new and nothing is to be published', async (model) => {
    await put(model, saved(event(1)), saved(event(2, { status: 'future' })), saved(venue(3, { status: 'future' })));
    await model.clear();
    assert.equal([await newest(model, 5), await model.nextScheduled(), await due(model, 9_000)], [[], null, []]);
  });

  check('a fill brings the newest and the scheduled as well', async (model) => {
    await model.clear();
    const fill = 'one';
    const status = 'future';
    const changes = [saved(event(1)), saved(event(2, { status, date: 70 })), saved(venue(3, { status, date: 60 }))];
    await model.apply({ after: LOG_START, upTo: LOG_START, changes, fill });
    await model.apply({ after: LOG_START, upTo: '7', changes: [saved(event(4, { date: 2_000 }))], fill });
    assert.equal(await newest(model, 5), [4, 1]);
    assert.equal([await model.nextScheduled(), await due(model, 65)], [60, ['venue 3 at 60']]);
  });
}
