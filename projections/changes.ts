// What events change in documents: the fold of each projection over a batch. An event that cannot be folded parks its
// resource: its document stays as it last was, with a mark, and a document of the kind `parked` says why. What is kept of
// a resource depends on nothing but its events, so following the log, a rebuild and a replay of one resource agree.
// decision 11

import { isAboutSeries } from '../src/editorial/series/facts/occurrences.ts';
import { errorText } from '../src/kernel/text/error-text.ts';
import type { EpochSeconds } from '../src/kernel/time/zone.ts';
import { instantOf, type Position, type RecordedEvent } from '../src/log/envelope.ts';
import type { EventStore } from '../src/log/event-store.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentKind,
  type ParkedDocument,
  parkedKey,
} from '../src/read-model/documents.ts';
import type { DocumentChange, ReadModel } from '../src/read-model/read-model.ts';
import { type AnyProjection, keyOf, type Place } from './projection.ts';

/** The events of one stream, and whose they are. */
export interface Stream {
  readonly key: DocumentKey;
  readonly projection: AnyProjection;
  readonly events: readonly RecordedEvent[];
}

/** The documents of a resource: its own, and the note that it is parked. */
interface ResourceDocuments {
  /** Null: there is none, or it must not be shown. */
  readonly document: Document | null;
  /** Null: everything could be folded. */
  readonly parked: ParkedDocument | null;
}

/**
 * How the names of facts end that take something from readers. What a fact of an unknown shape says is unknown, its name
 * is not: later versions have to end the names of such facts with one of these words.
 */
const HIDING = new RegExp(
  `(${[
    ...[
      'Trashed',
      'Deleted',
      'Removed',
      'Erased',
      'Withdrawn',
      'Merged',
      'Unpublished',
      'Hidden',
      'HiddenFromListings',
    ],
    ...['ReturnedToDraft', 'SubmittedForReview', 'PublicationScheduled', 'MadePrivate', 'PasswordSet', 'Reassigned'],
    // Of a series: what it says of dates may hide some of them.
    ...['ContentChanged', 'RuleChanged', 'Skipped', 'Ended', 'Split', 'TakenBack'],
  ].join('|')})$`,
);

/** Whether what was readable before a fact may not be after it. Users have rights, which any fact may have taken. */
export const mayHide = (kind: DocumentKind, type: string): boolean => kind === 'user' || HIDING.test(type);

/**
 * What a batch of events changes. Each document is fetched and rendered once, however many of its events the batch has.
 * Events that a document has already folded (a retried batch) are passed over. A resource that is parked is folded from
 * its first event. `turn` is awaited between them, so that others have theirs. Rejections: those of the stores.
 */
export async function changesOf(
  events: readonly RecordedEvent[],
  projections: readonly AnyProjection[],
  readModel: Pick<ReadModel, 'fetch'>,
  log: Pick<EventStore, 'readStream'>,
  turn: () => Promise<void> | undefined = () => undefined,
): Promise<DocumentChange[]> {
  const touched = new Map<string, { key: DocumentKey; projection: AnyProjection; events: RecordedEvent[] }>();
  for (const event of events) {
    const entry = touched.get(event.stream);
    if (entry) {
      entry.events.push(event);
      continue;
    }
    const projection = projections.find(({ prefix }) => event.stream.startsWith(prefix));
    const key = projection && keyOf(projection, event.stream);
    if (key) touched.set(event.stream, { key, projection, events: [event] });
  }
  const entries = [...touched.values()];
  // A stream whose first event is in the batch has no document yet.
  const older = entries.filter((entry) => entry.events[0]?.revision !== 0);
  const fetched = older.length === 0 ? [] : await readModel.fetch(older.map(({ key }) => key));
  const documents = new Map(older.map((entry, index) => [entry, fetched[index] ?? null]));
  const changes: DocumentChange[] = [];
  for (const entry of entries) {
    await turn();
    const document = documents.get(entry);
    const isWhole = document === undefined || (document !== null && document.parkedAt === undefined);
    const last = entry.events.at(-1)?.position ?? '';
    changes.push(...(isWhole ? changesIn(entry, document ?? null) : changesOfAll(await wholeStream(log, entry, last))));
  }
  return changes;
}

/** The resource of a stream with all of its events up to a position. Rejections: those of the store. */
export async function wholeStream(
  log: Pick<EventStore, 'readStream'>,
  { key, projection }: Pick<Stream, 'key' | 'projection'>,
  upTo: Position,
): Promise<Stream> {
  const events = await log.readStream(`${projection.prefix}${key.id}`, { unknown: 'in place' });
  return { key, projection, events: events.filter(({ position }) => position <= upTo) };
}

/** What a stream changes that is folded from its first event, whatever was kept of it before. */
export function changesOfAll(stream: Stream): DocumentChange[] {
  const { document, parked } = keptOf(stream, null);
  return [
    { key: stream.key, document },
    { key: parkedKey(stream.key), document: parked },
  ];
}

/** What more events of a stream change; `document`: what has been made of the earlier ones; null: there are none. */
export function changesIn(stream: Stream, document: Document | null): DocumentChange[] {
  const outcome = keptOf(stream, document);
  const change = { key: stream.key, document: outcome.document };
  return outcome.parked === null ? [change] : [change, { key: parkedKey(stream.key), document: outcome.parked }];
}

/** The documents of a resource after these events. `document`: of the earlier ones, of which each could be folded. */
export function keptOf(stream: Stream, document: Document | null): ResourceDocuments {
  const { projection } = stream;
  const events = document === null ? stream.events : stream.events.filter((event) => !isIn(document, event));
  const last = events.at(-1);
  if (last === undefined) return { document, parked: null };
  let state: unknown = document?.state ?? null;
  let recordedAt = recordedUntil(document);
  try {
    for (const event of events) {
      state = projection.fold(state, event);
      recordedAt = Math.max(recordedAt, instantOf(event));
    }
    return { document: documentOf(projection, state, last, recordedAt), parked: null };
  } catch {
    return parkedBefore({ ...stream, events }, document);
  }
}

const recordedUntil = (document: Document | null): EpochSeconds => document?.recordedAt ?? Number.NEGATIVE_INFINITY;

function documentOf(
  projection: AnyProjection,
  state: unknown,
  last: RecordedEvent,
  recordedAt: EpochSeconds,
): Document | null {
  return state === null ? null : Object.assign(projection.document(state, placeOf(last)), { recordedAt });
}

const placeOf = ({ revision, position }: RecordedEvent): Place => ({ revision, position });

/** What is unknown about its series is told to a date with the revision of its last event. */
const isIn = (document: Document, event: RecordedEvent): boolean =>
  isAboutSeries(event) ? event.position <= document.position : event.revision <= document.revision;

/** The resource as it was when it could be shown last. */
function parkedBefore({ key, projection, events }: Stream, document: Document | null): ResourceDocuments {
  let state: unknown = document?.state ?? null;
  let recordedAt = recordedUntil(document);
  let latest = document;
  let [count, why]: [number, unknown] = [0, null];
  for (const [index, event] of events.entries()) {
    try {
      state = projection.fold(state, event);
    } catch (error) {
      why ??= error;
      break;
    }
    try {
      recordedAt = Math.max(recordedAt, instantOf(event));
      latest = documentOf(projection, state, event, recordedAt);
      [count, why] = [index + 1, null];
    } catch (error) {
      why ??= error;
    }
  }
  const missing = events.slice(count);
  const [first, last] = [missing[0], missing.at(-1)];
  if (first === undefined || last === undefined) return { document: latest, parked: null };
  const { position, stream, revision, type, metadata } = first;
  const after = missing.some((event) => mayHide(key.kind, event.type)) ? null : latest && marked(latest, position);
  return {
    document: after,
    parked: {
      kind: 'parked',
      id: parkedKey(key).id,
      revision: last.revision,
      position: last.position,
      state: null,
      resource: key,
      at: { position, stream, revision, type, instant: metadata.instant },
      why: errorText(why),
      withheld: after === null,
    },
  };
}

/** The member by which clients know a resource that is shown as it was. */
const MARK = 'parked_at';

/** A document with the mark, also in what clients see of it. */
function marked(document: Document, position: Position): Document {
  if (!('fragments' in document)) return { ...document, parkedAt: position };
  const { full, masked } = document.fragments;
  const withMark = (fragment: string): string =>
    fragment.endsWith('}') ? `${fragment.slice(0, -1)},"${MARK}":${JSON.stringify(position)}}` : fragment;
  const fragments = { full: withMark(full), masked: masked === null ? null : withMark(masked) };
  return { ...document, parkedAt: position, fragments };
}
