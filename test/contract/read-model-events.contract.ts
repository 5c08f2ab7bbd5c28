// The order, pages, rights and times of event listings.
import * as assert from 'uvu/assert';
import type { EventQuery } from '../../src/read-model/queries.ts';
import { event, eventQuery, put, removed, saved } from '../support/documents.ts';
import { type Check, idsOf, listed } from './read-model-check.ts';

export function eventRules(check: Check): void {
  check('events come by start, then date, then id', async (model) => {
    const at = (id: number, startsAt: number, date: number) => saved(event(id, { startsAt, endsAt: 30_000, date }));
    await put(model, at(5, 20_000, 1), at(4, 10_000, 2), at(3, 10_000, 2), at(2, 10_000, 1), at(1, 10_000, 3));
    assert.equal(await listed(model, {}), [2, 3, 4, 1, 5]);
    assert.equal(await listed(model, { order: 'date' }), [2, 5, 3, 4, 1]);
    assert.equal(await listed(model, { order: 'date', include: [1, 5, 3, 5] }), [5, 3, 1]);
  });

  check('a page is a window on the whole, and the total is of the whole', async (model) => {
    await put(model, ...[1, 2, 3, 4, 5].map((id) => saved(event(id))));
    const page = async (offset: number, limit: number) => {
      const found = await model.listEvents(eventQuery({ page: { offset, limit } }));
      return [...idsOf(found), `of ${found.total}`];
    };
    assert.equal(await page(0, 2), [1, 2, 'of 5']);
    assert.equal(await page(4, 2), [5, 'of 5']);
    assert.equal(await page(5, 2), ['of 5']);
    assert.equal(await page(50, 2), ['of 5']);
    assert.equal(await page(0, 0), ['of 5']);
  });

  check('hidden events never match, not even when named', async (model) => {
    await put(model, saved(event(1, { hidden: true })), saved(event(2)));
    assert.equal(await listed(model, {}), [2]);
    assert.equal(await listed(model, { include: [1, 2] }), [2]);
    await put(model, saved(event(1)), saved(event(2, { hidden: true })));
    assert.equal(await model.listEvents(eventQuery()).then(({ total }) => total), 1);
    assert.equal(await listed(model, {}), [1]);
  });

  check('a reader sees the open statuses, and own posts of further ones', async (model) => {
    await put(
      model,
      saved(event(1)),
      saved(event(2, { status: 'draft' })),
      saved(event(3, { status: 'draft', author: 2 })),
    );
    await put(model, saved(event(4, { status: 'trash' })), saved(event(5, { status: 'private', author: 2 })));
    const seen = (own: EventQuery['visibility']['own'], ...statuses: EventQuery['visibility']['statuses']) =>
      listed(model, { visibility: { statuses, own } });
    assert.equal(await seen(null, 'publish'), [1]);
    assert.equal(await seen(null, 'publish', 'draft'), [1, 2, 3]);
    assert.equal(await seen({ author: 2, statuses: ['draft', 'publish'] }, 'publish'), [1, 3]);
    assert.equal(await seen({ author: 2, statuses: ['draft', 'private'] }), [3, 5]);
    assert.equal(await seen({ author: 9, statuses: ['draft'] }, 'publish', 'publish'), [1]);
    assert.equal(await seen(null), []);
  });

  check('each bound is inclusive or exclusive as documented', async (model) => {
    await put(model, saved(event(1, { startsAt: 10, endsAt: 20 })), saved(event(2, { startsAt: 15, endsAt: 15 })));
    const cases: readonly (readonly [EventQuery['bounds'], number[]])[] = [
      [{ startsFrom: 10 }, [1, 2]],
      [{ startsFrom: 11 }, [2]],
      [{ startsAfter: 10 }, [2]],
      [{ startsAfter: 9 }, [1, 2]],
      [{ startsBefore: 15 }, [1]],
      [{ startsBefore: 16 }, [1, 2]],
      [{ endsUntil: 20 }, [1, 2]],
      [{ endsUntil: 19 }, [2]],
      [{ endsBefore: 20 }, [2]],
      [{ endsBefore: 21 }, [1, 2]],
      [{ endsAfter: 15 }, [1]],
      [{ endsAfter: 14 }, [1, 2]],
      [{ startsFrom: 0, startsAfter: 10 }, [2]],
      [{ startsFrom: 15, endsUntil: 15 }, [2]],
      [{ startsFrom: 16, endsUntil: 12 }, []],
      [{ startsAfter: 0, startsFrom: -5, endsBefore: 100, endsUntil: 20 }, [1, 2]],
    ];
    for (const [bounds, expected] of cases) {
      const found = await model.listEvents(eventQuery({ bounds }));
      assert.equal([idsOf(found), found.total], [expected, expected.length], JSON.stringify(bounds));
    }
  });

  check('totals of large windows are exact, however long events last', async (model) => {
    const day = 86_400;
    const lengths = [0, day / 24, day - 1, 2 ** 17 - 1, 2 ** 17, 40 * day, 1_000 * day];
    const events = Array.from({ length: 210 }, (_, at) => {
      const startsAt = -3 * day + at * 5_000;
      const endsAt = startsAt + (lengths[at % lengths.length] ?? 0);
      return event(at + 1, { startsAt, endsAt, hidden: at % 11 === 0, status: at % 13 === 0 ? 'draft' : 'publish' });
    });
    await put(model, ...events.map(saved));
    await put(model, ...events.slice(0, 30).map(({ id }) => removed('event', id)));
    const seen = events.slice(30).filter(({ hidden, status }) => !hidden && status === 'publish');
    for (const startsFrom of [-day, 0, 3 * day, 2 ** 15 * 4, 2 ** 15 * 4 + 1])
      for (const endsUntil of [3 * day, 9 * day, 41 * day, 2_000 * day]) {
        const kept = seen.filter((one) => one.startsAt >= startsFrom && one.endsAt <= endsUntil);
        const found = await model.listEvents(eventQuery({ bounds: { startsFrom, endsUntil } }));
        assert.is(found.total, kept.length, `${startsFrom} to ${endsUntil}`);
      }
  });

  check('the next edge is the next start or end of any event at all', async (model) => {
    await put(
      model,
      saved(event(1, { startsAt: 10, endsAt: 20 })),
      saved(event(2, { startsAt: 15, endsAt: 40, hidden: true })),
    );
    await put(model, saved(event(3, { startsAt: 18, endsAt: 18, status: 'draft' })));
    const edges = await Promise.all([-5, 9, 10, 15, 18, 20, 39, 40].map((now) => model.nextEdge(now)));
    assert.equal(edges, [10, 10, 15, 18, 20, 40, 40, null]);
    await put(model, saved(event(2, { startsAt: 15, endsAt: 30 })));
    assert.is(await model.nextEdge(20), 30);
  });
}
