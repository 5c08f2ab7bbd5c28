// Applies a batch: documents, index rows and checkpoint, all or nothing.
import { type Document, type DocumentKey, type LinkedPostDocument, namesOf, statusCode } from '../documents.ts';
import { type Batch, type PackedBatch, ReadModelUnavailable } from '../read-model.ts';
import { searchText } from '../search-text.ts';
import type { Connection, Row, Value } from './connection.ts';
import { beginLook, deleteDocument, readForList, writeDocument } from './document-rows.ts';
import { type EventIndex, eventIndex } from './event-index.ts';
import { filler } from './fill.ts';
import { portionOf, unpacked } from './fill-portion.ts';
import { type FillThread, startFillThread } from './fill-thread.ts';
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
function applyBatch(connection: Connection, fingerprint: string, batch: Batch): 'applied' | 'stale' {
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

// Applies batches of both kinds: those that continue from a checkpoint at once, those of a fill in a thread of its own,
// so that folding and rendering the next one need not wait.

type Outcome = 'applied' | 'stale';

/** Throws, or rejects, with what SQLite throws and with `ReadModelUnavailable`. */
export type Applier = (batch: Batch | PackedBatch) => Outcome | Promise<Outcome>;

export function applier(connection: Connection, file: string, fingerprint: string): Applier {
  // A database in memory is visible to one connection only.
  const fill =
    file === ':memory:'
      ? directFiller(connection, fingerprint)
      : threadedFiller(() => startFillThread({ file: connection.db.name, fingerprint }));
  const isOvertaken = overtaking();
  return (batch) => {
    if (!isOfFill(batch)) return applyBatch(connection, fingerprint, batch);
    return isOvertaken(batch.fill) ? 'stale' : fill(batch, batch.fill);
  };
}

/** Packed or not. */
type FillBatch = (Batch & { readonly fill: string }) | PackedBatch;

const isOfFill = (batch: Batch | PackedBatch): batch is FillBatch => batch.fill !== undefined;

function directFiller(connection: Connection, fingerprint: string): (batch: FillBatch) => Outcome {
  const fill = filler(connection, fingerprint);
  return (batch) => fill('bytes' in batch ? unpacked(batch) : portionOf(batch));
}

/** Tells of each fill whether another one has begun since. */
function overtaking(): (fill: string) => boolean {
  const earlier = new Set<string>();
  let newest: string | null = null;
  return (fill) => {
    if (earlier.has(fill)) return true;
    if (newest !== null && newest !== fill) earlier.add(newest);
    newest = fill;
    return false;
  };
}

/** Portions that the thread may lag behind: it collects and writes in turns, so its speed varies. */
const MAX_UNDER_WAY = 24;

interface FillUnderWay {
  readonly id: string;
  readonly thread: FillThread;
  readonly outcomes: Promise<Outcome>[];
}

/**
 * A thread per fill; it ends with the last batch and with the first that fails. Batches before the last are accepted
 * without waiting for them to be written, because nothing counts before the last one: their outcome is reported later.
 */
function threadedFiller(start: () => FillThread): (batch: FillBatch, id: string) => Promise<Outcome> {
  let current: FillUnderWay | null = null;

  async function handOver({ thread, outcomes }: FillUnderWay, batch: FillBatch): Promise<Outcome> {
    const written = thread.apply(batch);
    // Its failure is reported with the outcome that is awaited.
    written.catch(() => {});
    outcomes.push(written);
    const allowed = batch.upTo === batch.after ? MAX_UNDER_WAY : 0;
    while (outcomes.length > allowed) if ((await outcomes.shift()) === 'stale') return 'stale';
    return 'applied';
  }

  return async (batch, id) => {
    if (current?.id !== id) {
      void current?.thread.end();
      current = { id, thread: start(), outcomes: [] };
    }
    const fill = current;
    let outcome: Outcome | null = null;
    try {
      outcome = await handOver(fill, batch);
      return outcome;
    } finally {
      if (outcome !== 'applied' || batch.upTo !== batch.after) await fill.thread.end();
    }
  };
}
