// Resources by the slug in a path or a parameter.

import type { DocumentKind, DocumentOf } from '../read-model/documents.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { normaliseForLookup } from '../text/slug.ts';

/** Null if none has it. A text of punctuation has no slug, and resources without a slug must not be found by that. */
export async function findNamed<Kind extends DocumentKind>(
  finder: Pick<ReadModel, 'findBySlug'>,
  kind: Kind,
  slug: string | undefined,
): Promise<DocumentOf<Kind> | null> {
  const name = normaliseForLookup(slug ?? '');
  return name === '' ? null : finder.findBySlug(kind, name);
}
