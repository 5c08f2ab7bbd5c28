// What becomes of documents that are no longer what was written.
import * as assert from 'uvu/assert';
import { damagedDocuments, fetchReadable, ReadModelDamaged } from '../../src/read-model/damage.ts';
import type { ReadModel } from '../../src/read-model/read-model.ts';
import { category, event, eventQuery, linkedPostQuery, put, saved, termQuery, venue } from '../support/documents.ts';
import type { Check } from './read-model-check.ts';

const FRAGMENTS = { full: '{"name":"Łódź"}', masked: '{"name":"Masked"}', jsonLd: '{"@type":"Event"}' };

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

const cutShort = (text: string): string => text.slice(0, -1);

export function damageRules(check: Check): void {
  for (const [what, edit] of [
    ['cut short', cutShort],
    ['emptied', () => ''],
    ['changed in one letter', (text: string) => text.replace('Łódź', 'Łodź')],
    ['changed where it still is as long and JSON', (text: string) => text.replace('"Event"', '"Venue"')],
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
    async function* inPortions() {
      yield keys;
    }
    assert.equal(await damagedDocuments({ model, keys: inPortions }), [{ kind: 'event', id: 2 }]);
  });

  check('texts of any letters come back sound', async (model) => {
    const odd = { full: '{"a":"😀 \ud83d \u0000 ÿ Ж"}', masked: '', jsonLd: '{"b":"\udc00"}' };
    await put(model, saved(event(1, { fragments: odd, title: 'half \ud83d', state: { half: '\ud83d' } })));
    assert.is((await model.listEvents(eventQuery())).items.length, 1);
    assert.ok((await model.fetch([{ kind: 'event', id: 1 }]))[0]);
  });
}
