// What becomes of documents that are no longer what was written.
import * as assert from 'uvu/assert';
import { disagreementsIn } from '../../src/read-model/agreement.ts';
import { fetchReadable, ReadModelDamaged } from '../../src/read-model/damage.ts';
import type { DocumentKey } from '../../src/read-model/documents.ts';
import type { IndexedModel } from '../../src/read-model/indexed-model.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import {
  category,
  event,
  eventQuery,
  linkedPostQuery,
  put,
  removed,
  saved,
  termQuery,
  venue,
} from '../support/documents.ts';
import type { Check } from './read-model-check.ts';

const FRAGMENTS = { full: '{"name":"Łódź"}', masked: '{"name":"Masked"}' };

async function refusesAsDamaged(answer: Promise<unknown>, what: string): Promise<void> {
  const outcome = await answer.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  assert.instance(outcome, ReadModelDamaged, what);
}

/** Two of each, so that there is always one that is sound. */
const fill = (model: ReadModel): Promise<void> =>
  put(
    model,
    ...[1, 2].flatMap((id) => [
      saved(event(id, { fragments: FRAGMENTS, title: `Title ${id}` })),
      saved(venue(id + 10, { fragments: FRAGMENTS })),
      saved(category(id + 20)),
    ]),
  );

const KEYS: readonly DocumentKey[] = [
  ...[1, 2, 3].map((id) => ({ kind: 'event', id }) as const),
  ...[11, 12].map((id) => ({ kind: 'venue', id }) as const),
  ...[21, 22].map((id) => ({ kind: 'category', id }) as const),
];

const disagreements = (model: IndexedModel, keys = KEYS) =>
  disagreementsIn({
    ...{ name: 'compared', model, storage: model.storage, close: model.close },
    async *keys() {
      yield keys;
    },
  });

const cutShort = (text: string): string => text.slice(0, -1);

export function damageRules(check: Check): void {
  for (const [what, edit] of [
    ['cut short', cutShort],
    ['emptied', () => ''],
    ['changed in one letter', (text: string) => text.replace('Łódź', 'Łodź')],
    ['changed where it still is as long and JSON', (text: string) => text.replace('"Masked"', '"Marked"')],
  ] as const)
    check(`a document that was ${what} is in no answer`, async (model, { damage }) => {
      if (damage === null) return;
      await fill(model);
      await damage('shown', { kind: 'event', id: 1 }, edit);
      await damage('shown', { kind: 'venue', id: 11 }, edit);
      await refusesAsDamaged(model.listEvents(eventQuery()), 'a list');
      await refusesAsDamaged(model.listLinkedPosts(linkedPostQuery({ kind: 'venue' })), 'venues');
      await refusesAsDamaged(model.fetch([{ kind: 'event', id: 1 }]), 'by id');
      await refusesAsDamaged(model.findBySlug('event', 'event-1'), 'by slug');
      const [sound] = await model.fetch([{ kind: 'event', id: 2 }]);
      assert.equal(sound?.kind === 'event' && sound.fragments, FRAGMENTS, 'others are read as before');
    });

  check(
    'a document that was read before it was damaged is answered as it was written, or refused',
    async (model, { damage }) => {
      if (damage === null) return;
      await fill(model);
      const before = await model.listEvents(eventQuery());
      await damage('shown', { kind: 'event', id: 1 }, cutShort);
      const again = model.listEvents(eventQuery());
      await again.then(
        (list) => assert.equal(list, before),
        () => refusesAsDamaged(again, 'the list'),
      );
    },
  );

  check('what lists do not show is checked as well where it is read', async (model, { damage }) => {
    if (damage === null) return;
    await fill(model);
    await damage('not shown', { kind: 'event', id: 1 }, (text) => text.replace('"some":"state"', '"some":"statf"'));
    assert.is((await model.listEvents(eventQuery())).items.length, 2);
    await refusesAsDamaged(model.fetch([{ kind: 'event', id: 1 }]), 'by id');
  });

  check('a list is refused that is made from a damaged row', async (model, { damage, another }) => {
    if (damage === null || another === null) return;
    await fill(model);
    await damage('row', { kind: 'category', id: 21 }, cutShort);
    await damage('row', { kind: 'event', id: 1 }, cutShort);
    const other = await another();
    await refusesAsDamaged(other.terms(), 'all terms');
    await refusesAsDamaged(other.listTerms(termQuery()), 'a page of them');
    await refusesAsDamaged(other.listEvents(eventQuery()), 'a page of events');
    await other.close();
  });

  check('reading all documents reports the damaged ones', async (model, { damage }) => {
    if (damage === null) return;
    await fill(model);
    const keys = [1, 2, 3].map((id) => ({ kind: 'event', id }) as const);
    await damage('shown', { kind: 'event', id: 2 }, cutShort);
    const found = await fetchReadable(model, keys);
    assert.equal(
      found.map((one) => (typeof one === 'object' ? (one?.id ?? null) : one)),
      [1, 'damaged', null],
    );
  });

  for (const [part, edit, disagreement] of [
    ['shown', cutShort, 'document'],
    ['not shown', cutShort, 'document'],
    ['row', cutShort, 'row'],
    ['row', () => '', 'row'],
    ['row', (text: string) => text.replace('title', 'tiele'), 'row'],
    ['name', (text: string) => text.replace('event-1', 'event-2'), 'name'],
  ] as const)
    check(`a comparison finds a ${disagreement} of which ${part} was changed: ${edit}`, async (_, opened) => {
      const { damage, another } = opened;
      if (damage === null || another === null) return;
      await fill(opened.model);
      assert.equal(await disagreements(opened.model), []);
      await damage(part, { kind: 'event', id: 1 }, edit);
      const other = await another();
      assert.equal(await disagreements(other), [{ key: { kind: 'event', id: 1 }, part: disagreement }]);
      await other.close();
    });

  check('a comparison finds a row and a name without a document', async (_, { model }) => {
    await fill(model);
    await put(model, saved(event(3, { categories: [21] })));
    assert.equal(await disagreements(model), []);
    const others = KEYS.filter(({ kind, id }) => kind !== 'event' || id !== 3);
    assert.equal(await disagreements(model, others), [{ key: { kind: 'event', id: 3 }, part: 'row' }]);
  });

  check('a comparison leaves out what is written meanwhile', async (_, { model }) => {
    await fill(model);
    const storage = {
      ...model.storage,
      async rows(from: string | null) {
        const portion = await model.storage.rows(from);
        if (from === null)
          await put(model, saved(event(1, { title: 'Another', slug: 'another' })), removed('venue', 11));
        return portion;
      },
    };
    assert.equal(await disagreements({ ...model, storage }), []);
  });

  check('texts of any letters come back sound', async (model) => {
    const odd = { full: '{"a":"😀 \ud83d \u0000 ÿ Ж"}', masked: '{"b":"\udc00"}' };
    await put(model, saved(event(1, { fragments: odd, title: 'half \ud83d' })));
    assert.is((await model.listEvents(eventQuery())).items.length, 1);
    assert.ok((await model.fetch([{ kind: 'event', id: 1 }]))[0]);
  });
}
