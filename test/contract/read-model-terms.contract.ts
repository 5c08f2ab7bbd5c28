// Categories and tags, their counts and ancestors.
import * as assert from 'uvu/assert';
import { type EventAccess, NO_POSTS, type TermQuery } from '../../src/read-model/queries.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { category, event, OPEN, PUBLIC, put, removed, saved, tag, termQuery } from '../support/documents.ts';
import { type Check, idsOf } from './read-model-check.ts';

export function termRules(check: Check): void {
  const terms = async (model: ReadModel, query: Partial<TermQuery>): Promise<number[]> =>
    idsOf(await model.listTerms(termQuery(query)));

  check('terms know how many published events carry them, as events change', async (model) => {
    await put(model, saved(category(1)), saved(category(2)), saved(tag(3)));
    const counts = async () => {
      const all = await model.terms();
      return [1, 2, 3].map((id) => all.get(id)?.count);
    };
    assert.equal(await counts(), [0, 0, 0]);
    await put(
      model,
      saved(event(1, { categories: [1, 2], tags: [3] })),
      saved(event(2, { categories: [1], hidden: true })),
    );
    assert.equal(await counts(), [2, 1, 1]);
    await put(model, saved(event(1, { categories: [2], tags: [3], status: 'draft' })));
    assert.equal(await counts(), [1, 0, 0]);
    await put(
      model,
      saved(event(1, { categories: [2], tags: [3] })),
      saved(event(2, { status: 'trash', categories: [1] })),
    );
    assert.equal(await counts(), [0, 1, 1]);
    await put(model, saved(event(1, { categories: [2], tags: [3], protected: true })));
    assert.equal(await counts(), [0, 0, 0], 'what a password hides is not counted');
    await put(model, saved(event(1, { categories: [2], tags: [3] })));
    assert.equal(await counts(), [0, 1, 1]);
    await put(model, removed('event', 1));
    assert.equal(await counts(), [0, 0, 0]);
  });

  check('only events whose links the reader may know match by their terms', async (model) => {
    await put(model, ...[1, 2, 3].map((id) => saved(category(id))), saved(tag(4)));
    const drafted = { status: 'draft', author: 7 } as const;
    await put(model, saved(event(1, { categories: [1] })), saved(event(2, { categories: [2], tags: [4], ...drafted })));
    await put(model, saved(event(3, { categories: [3], protected: true, author: 7 })));
    const own = { author: 7, statuses: ['draft', 'publish'] } as const;
    const of = async (event: number, events: EventAccess) => [
      ...(await terms(model, { event, events })),
      ...(await terms(model, { kind: 'tag', event, events })),
    ];
    const readers: readonly (readonly [EventAccess, number[], number[], number[]])[] = [
      [OPEN, [1], [], []],
      [{ visible: { ...PUBLIC, own }, unmasked: NO_POSTS }, [1], [2, 4], []],
      [{ visible: { ...PUBLIC, own }, unmasked: { statuses: [], own } }, [1], [2, 4], [3]],
      [{ visible: { ...PUBLIC, own: { ...own, author: 8 } }, unmasked: NO_POSTS }, [1], [], []],
      [{ visible: { statuses: ['publish', 'draft'], own: null }, unmasked: PUBLIC }, [1], [2, 4], [3]],
    ];
    for (const [events, ...told] of readers)
      for (const [at, ids] of told.entries()) assert.equal(await of(at + 1, events), ids, JSON.stringify(events));
  });

  check('the map of terms is the same object while nothing has changed', async (model) => {
    await put(model, saved(category(1)));
    const before = await model.terms();
    assert.is(await model.terms(), before);
    await put(model, saved(category(1, { name: 'Renamed' })));
    assert.is.not(await model.terms(), before);
    assert.is((await model.terms()).get(1)?.name, 'Renamed');
    assert.is(before.get(1)?.name, 'Category 1');
  });

  check('a deleted parent is replaced by its own parent', async (model) => {
    await put(
      model,
      saved(category(1)),
      saved(category(2, { parent: 1 })),
      saved(category(3, { parent: 2 })),
      saved(category(4, { parent: 3 })),
      saved(category(5, { parent: 77 })),
    );
    assert.equal((await model.terms()).get(4)?.ancestorSlugs, ['category-1', 'category-2', 'category-3']);
    await put(model, saved(category(2, { parent: 1, deleted: true })));
    const { parent, ancestorSlugs } = (await model.terms()).get(3) ?? {};
    assert.equal({ parent, ancestorSlugs }, { parent: 1, ancestorSlugs: ['category-1'] });
    assert.equal((await model.terms()).get(4)?.ancestorSlugs, ['category-1', 'category-3']);
    assert.is((await model.terms()).get(5)?.parent, 0);
    assert.is((await model.terms()).has(2), false);
    assert.equal(await terms(model, { parent: 1 }), [3]);
    assert.equal(await terms(model, {}), [1, 3, 4, 5]);
    await put(model, saved(category(1, { deleted: true })));
    assert.is((await model.terms()).get(3)?.parent, 0);
  });

  check('circles of parents are open at their lowest id', async (model) => {
    await put(
      model,
      saved(category(1, { parent: 2 })),
      saved(category(2, { parent: 1 })),
      saved(category(3, { parent: 3 })),
    );
    await put(
      model,
      saved(category(4, { parent: 5, deleted: true })),
      saved(category(5, { parent: 4, deleted: true })),
    );
    await put(model, saved(category(6, { parent: 4 })));
    const all = await model.terms();
    assert.equal(all.get(1)?.ancestorSlugs, []);
    assert.equal(all.get(2)?.ancestorSlugs, ['category-1']);
    assert.equal([all.get(1)?.parent, all.get(2)?.parent], [0, 1]);
    assert.equal(await terms(model, { parent: 2 }), []);
    assert.is(all.get(3)?.parent, 0);
    assert.is(all.get(6)?.parent, 0);
  });

  check('term filters combine', async (model) => {
    await put(
      model,
      saved(category(1, { name: 'Jazz', slug: 'x-1' })),
      saved(category(2, { name: 'Rock', slug: 'JAZZ-rock' })),
    );
    await put(model, saved(category(3, { description: 'jazz' })), saved(tag(4, { name: 'jazz' })), saved(category(5)));
    await put(model, saved(event(9, { categories: [1, 3], status: 'draft' })), saved(event(8, { categories: [2] })));
    const events = { visible: { statuses: ['publish', 'draft'], own: null }, unmasked: NO_POSTS } as const;
    assert.equal(await terms(model, { search: 'jazz' }), [1, 2]);
    assert.equal(await terms(model, { kind: 'tag', search: 'jazz' }), [4]);
    assert.equal(await terms(model, { include: [2, 4, 99] }), [2]);
    assert.equal(await terms(model, { include: [] }), []);
    assert.equal(await terms(model, { exclude: [2, 3] }), [5, 1]);
    assert.equal(await terms(model, { slug: 'x-1' }), [1]);
    assert.equal(await terms(model, { slug: 'X-1' }), []);
    assert.equal(await terms(model, { event: 9, events }), [3, 1]);
    assert.equal(await terms(model, { event: 77, events }), []);
    assert.equal(await terms(model, { hideEmpty: true }), [2]);
    assert.equal(await terms(model, { hideEmpty: true, event: 9, events }), []);
  });

  check('terms are ordered by the chosen key, then id, both in the chosen direction', async (model) => {
    const made = [
      category(1, { name: 'zoo', slug: 'b', parent: 3, description: 'y' }),
      category(2, { name: 'Art', slug: 'B', parent: 3, description: 'X' }),
      category(3, { name: 'art', slug: 'a', description: 'x' }),
      category(4, { name: '\u{1f600}', slug: 'c' }),
      category(5, { name: '\uffee', slug: 'd' }),
    ];
    await put(model, ...made.map(saved), saved(event(9, { categories: [2] })));
    const orders: readonly (readonly [TermQuery['orderBy'], number[]])[] = [
      ['name', [2, 3, 1, 5, 4]],
      ['id', [1, 2, 3, 4, 5]],
      ['slug', [3, 1, 2, 4, 5]],
      ['count', [1, 3, 4, 5, 2]],
      ['description', [4, 5, 2, 3, 1]],
      ['parent', [3, 4, 5, 1, 2]],
      ['none', [1, 2, 3, 4, 5]],
    ];
    for (const [orderBy, expected] of orders) {
      assert.equal(await terms(model, { orderBy }), expected, orderBy);
      assert.equal(await terms(model, { orderBy, direction: 'descending' }), [...expected].reverse(), orderBy);
    }
    assert.equal(await terms(model, { orderBy: 'include', include: [4, 1, 3] }), [4, 1, 3]);
  });

  check('names are ordered as people order letters, and found without regard to case and accents', async (model) => {
    const names = ['zeta', 'Éclair', 'beta', 'Alpha', 'éclair', 'eclairs'];
    await put(model, ...names.map((name, at) => saved(category(at + 1, { name, slug: `s${at}` }))));
    assert.equal(await terms(model, { orderBy: 'name' }), [4, 3, 2, 5, 6, 1]);
    assert.equal(await terms(model, { orderBy: 'name', direction: 'descending' }), [1, 6, 5, 2, 3, 4]);
    assert.equal(await terms(model, { search: 'eclair', orderBy: 'id' }), [2, 5, 6]);
  });

  check('terms come in pages', async (model) => {
    await put(model, ...[1, 2, 3].map((id) => saved(tag(id))));
    const page = await model.listTerms(termQuery({ kind: 'tag', page: { offset: 2, limit: 2 } }));
    assert.equal([idsOf(page), page.total], [[3], 3]);
    assert.is((await model.listTerms(termQuery({ kind: 'tag', page: { offset: 3, limit: 2 } }))).total, 3);
  });
}
