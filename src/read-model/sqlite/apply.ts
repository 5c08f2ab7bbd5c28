// Applies a batch: documents, index rows and checkpoint, all or nothing.
import { type Document, type DocumentKey, type LinkedPostDocument, namesOf, statusCode } from '../documents.ts';
import { type Batch, ReadModelUnavailable } from '../read-model.ts';
import { searchText } from '../search-text.ts';
import type { Connection, Row, Value } from './connection.ts';
import { beginLook, deleteDocument, readForList, writeDocument } from './document-rows.ts';
import { type EventIndex, eventIndex } from './event-index.ts';
import { noteChanges } from './recent-event-changes.ts';
import { kindCode } from './schema.ts';

function replaceNames(connection: Connection, key: DocumentKey, document: Document | null): void {
  const { change } = connection;
  const kind = kindCode(key.kind);
  const before = readForList(connection, key);
  const old = before ? namesOf(before) : [];
  const now = document ? namesOf(document) : [];
  for (const name of old)
    if (!now.includes(name)) change('DELETE FROM name WHERE kind = ? AND name = ? AND id = ?').run(kind, name, key.id);
  for (const name of now)
    if (!old.includes(name)) change('INSERT OR IGNORE INTO name VALUES (?, ?, ?)').run(kind, name, key.id);
}

/** The row of a venue or organizer. */
export const linkedPostColumns = (post: LinkedPostDocument): Row => [
  kindCode(post.kind),
  post.id,
  post.life,
  post.date,
  statusCode(post.status),
  post.author,
  post.coordinates?.lat ?? null,
  post.coordinates?.lng ?? null,
  searchText(post.searchable),
];

function replaceLinkedPost({ change }: Connection, key: DocumentKey, post: LinkedPostDocument | null): void {
  if (post)
    change('INSERT OR REPLACE INTO linked_post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...linkedPostColumns(post));
  else change('DELETE FROM linked_post WHERE kind = ? AND id = ?').run(kindCode(key.kind), key.id);
}

/** Replaces a document and its index entries; returns whether it is a term. */
function replace(connection: Connection, events: EventIndex, key: DocumentKey, document: Document | null): boolean {
  replaceNames(connection, key, document);
  if (document) writeDocument(connection, document);
  else deleteDocument(connection, key);
  if (key.kind === 'event') events.replace(key.id, document?.kind === 'event' ? document : null);
  if (key.kind === 'venue' || key.kind === 'organizer') {
    const post = document?.kind === 'venue' || document?.kind === 'organizer' ? document : null;
    replaceLinkedPost(connection, key, post);
  }
  return key.kind === 'category' || key.kind === 'tag';
}

/** The checkpoint; throws `ReadModelUnavailable` if other code has taken over the file. */
export function ownCheckpoint({ rows }: Connection, fingerprint: string): Value {
  const [checkpoint = null, owner] = rows('SELECT checkpoint, fingerprint FROM meta').get() ?? [];
  if (owner === fingerprint) return checkpoint;
  throw new ReadModelUnavailable(
    'The read model is being filled by another version of the service or with other settings: stop one of the two.',
  );
}

/** Moves the checkpoint. */
export function arriveAt(
  { change }: Connection,
  { upTo, mark = '' }: Pick<Batch, 'upTo' | 'mark'>,
  termsChanged: boolean,
): void {
  change('UPDATE meta SET checkpoint = ?, mark = ?, changes = changes + 1, term_changes = term_changes + ?').run(
    upTo,
    mark,
    Number(termsChanged),
  );
}

/** Applies a batch; throws `ReadModelUnavailable` if other code has taken over the file, and `ReadModelDamaged`. */
export function applyBatch(connection: Connection, fingerprint: string, batch: Batch): 'applied' | 'stale' {
  const apply = connection.db.transaction((): 'applied' | 'stale' => {
    if (ownCheckpoint(connection, fingerprint) !== batch.after) return 'stale';
    beginLook(connection);
    const events = eventIndex(connection);
    let terms = false;
    for (const { key, document } of batch.changes) terms = replace(connection, events, key, document) || terms;
    terms = events.finish().termCounts === 'changed' || terms;
    arriveAt(connection, batch, terms);
    noteChanges(
      connection,
      batch.changes.map(({ key }) => key),
    );
    return 'applied';
  });
  return apply.immediate();
}
