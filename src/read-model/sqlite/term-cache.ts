// Terms are few, so all of them are cached, derived from documents and counts, until one changes.
import type { TermDocument } from '../documents.ts';
import { type Terms, termViews } from '../term-queries.ts';
import { kindCode } from './codes.ts';
import type { Connection } from './connection.ts';
import { readKind } from './document-rows.ts';

const TERM_KINDS = ['category', 'tag'] as const;

function readTerms(connection: Connection): Terms {
  const documents = TERM_KINDS.flatMap((kind): TermDocument[] => readKind(connection, kind));
  const counts = new Map<string, number>();
  for (const [kind, term, events] of connection.rows('SELECT kind, term, events FROM term_count').all())
    counts.set(`${kind} ${term}`, Number(events));
  return termViews(documents, ({ kind, id }) => counts.get(`${kindCode(kind)} ${id}`) ?? 0);
}

/** All terms that are not deleted; the same object until a term or a count changes. */
export function termCache(connection: Connection): () => Terms {
  let version: unknown;
  let terms: Terms = new Map();
  return () => {
    const now = connection.column("SELECT epoch || ' ' || term_changes FROM meta").get();
    if (now !== version) {
      terms = readTerms(connection);
      version = now;
    }
    return terms;
  };
}
