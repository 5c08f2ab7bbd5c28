// The documents that answers show again: kept within their bytes, as much as they take.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openDocumentCache } from '../../../src/read-model/document-cache.ts';
import type { TermDocument } from '../../../src/read-model/documents.ts';

const category: TermDocument = {
  ...{ kind: 'category', id: 1, revision: 0, position: '1', state: null },
  ...{ name: 'Concerts', slug: 'concerts', description: '', parent: 0, deleted: false },
};

test('what is looked for in vain drives no document out', () => {
  const kept = openDocumentCache(400_000);
  kept.keep([category], 'show', [category]);
  const missing = Array.from({ length: 500 }, (_, index) => ({ kind: 'organizer', id: index + 2 }) as const);
  kept.keep(
    missing,
    'show',
    missing.map(() => null),
  );
  assert.equal(kept.recall([category, ...missing.slice(-1)], 'show'), [category, null]);
});

test.run();
