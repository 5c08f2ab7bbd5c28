// What a search finds in a calendar large enough for the index to be asked.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { foldLetters } from '../../../../src/kernel/text/ascii-folding.ts';
import type { EventDocument } from '../../../../src/read-model/documents.ts';
import type { TextSearch } from '../../../../src/read-model/queries.ts';
import { openSqliteReadModel } from '../../../../src/read-model/sqlite/open.ts';
import { event, eventQuery, put, removed, saved } from '../../../support/documents.ts';

const PIECES = ['a', 'b', 'ab', 'jazz', 'é', '😀', '-', "'", ' ', '\n', ',', '.', '<p>', '</p>', '"', '+', '\0'];

const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''));
/** Folded, as a read model is asked for them. */
const words = fc.array(fc.constantFrom(...PIECES), { maxLength: 3 }).map((pieces) => foldLetters(pieces.join('')));
const searches = fc.record({ words: fc.array(words, { maxLength: 3 }), without: fc.array(words, { maxLength: 2 }) });
const fields = fc.record({ title: texts, excerpt: texts, description: texts });

const many = { minLength: 150, maxLength: 320, size: 'max' } as const;
const cases = fc.record({
  first: fc.array(fields, many),
  next: fc.array(fields, { maxLength: 150, size: 'max' }),
  gone: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }),
  searches: fc.array(searches, { minLength: 20, maxLength: 20 }),
});

const occurs = ({ title, excerpt, description }: EventDocument, word: string): boolean =>
  [title, excerpt, description].some((field) => foldLetters(field).includes(word.replaceAll('\0', '\ufffd')));

const expected = (calendar: Iterable<EventDocument>, search: TextSearch): number[] =>
  [...calendar]
    .filter((one) => search.words.every((word) => word === '' || occurs(one, word)))
    .filter((one) => !search.without.some((word) => word === '' || occurs(one, word)))
    .map(({ id }) => id);

const readable = (text: string): string => text.replaceAll('\0', '\ufffd');

test('a search finds the events that have all words and none of the excluded, whatever was changed before', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ first, next, gone, searches }) => {
      const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'test' });
      const calendar = new Map<number, EventDocument>();
      const enter = (documents: readonly EventDocument[]) => {
        for (const one of documents)
          calendar.set(one.id, {
            ...one,
            title: readable(one.title),
            excerpt: readable(one.excerpt),
            description: readable(one.description),
          });
        return put(model, ...documents.map(saved));
      };
      await enter(first.map((members, at) => event(at + 1, members)));
      await enter(next.map((members, at) => event(at + 1, members)));
      const away = [...new Set(gone)];
      await put(model, ...away.map((id) => removed('event', id)));
      for (const id of away) calendar.delete(id);
      for (const search of searches) {
        const { items, total } = await model.listEvents(eventQuery({ search, page: { offset: 3, limit: 200 } }));
        const ids = expected(calendar.values(), search);
        assert.is(total, ids.length, JSON.stringify(search));
        assert.equal(
          items.map(({ id }) => id),
          ids.slice(3, 203),
          JSON.stringify(search),
        );
      }
      await model.close();
    }),
    { numRuns: 25, seed: 20_270_314 },
  );
});

test.run();
