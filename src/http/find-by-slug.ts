// Things by the slug that a path or a parameter says.

import type { DocumentKind, DocumentOf } from '../read-model/documents.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { normaliseForLookup } from '../text/slug.ts';

/** Null where none has it. Of nothing but signs no slug is left, and things that have none yet are not to be found by that. */
export async function findNamed<Kind extends DocumentKind>(
  finder: Pick<ReadModel, 'findBySlug'>,
  kind: Kind,
  slug: string | undefined,
): Promise<DocumentOf<Kind> | null> {
  const name = normaliseForLookup(slug ?? '');
  return name === '' ? null : finder.findBySlug(kind, name);
}
