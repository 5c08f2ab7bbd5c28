// Checks a read model against a log while that is read: is its checkpoint a position of the log, and has every document
// the revision that the log says, and do rows and names agree with documents? `daybook rebuild --check` compares the content
// of documents.

import { type AnyProjection, keyOf } from '../../projections/projection.ts';
import { errorText } from '../kernel/text/error-text.ts';
import { LOG_START, type Position, type RecordedEvent, type Revision } from '../log/envelope.ts';
import { EventStoreUnavailable, type StreamReader } from '../log/event-store.ts';
import { type Disagreement, disagreementsIn } from '../read-model/agreement.ts';
import { fetchReadable } from '../read-model/damage.ts';
import { type Document, type DocumentKey, parkedKey } from '../read-model/documents.ts';
import type { Generation } from '../read-model/generations.ts';
import type { ReadModel } from '../read-model/read-model.ts';

export interface CheckedView {
  readonly name: string;
  readonly model: Pick<ReadModel, 'checkpoint' | 'fetch'>;
  /** All its keys: finds documents without a stream. Absent if a read model cannot list them. */
  keys?(): AsyncIterable<readonly DocumentKey[]>;
  /** See agreement.ts. Absent if it cannot be compared. */
  disagreements?(): Promise<readonly Disagreement[] | null>;
}

export const checkedGeneration = (live: Generation): CheckedView => ({
  ...live,
  disagreements: () => disagreementsIn(live),
});

export interface ViewFinding {
  /** `log`: the log lacks an event that the read model has seen. `view`: the read model lacks an event of the log. */
  readonly lacks: 'log' | 'view';
  /** Null: the checkpoint itself. */
  readonly stream: string | null;
  readonly expected: string;
  readonly found: string;
}

export interface ViewReport {
  readonly name: string;
  readonly checkpoint: Position;
  /** Events of its streams after its checkpoint. */
  readonly behind: number;
  /** Number of compared documents. */
  readonly documents: number;
  /** Whether rows and names were compared with documents; `changed`: too much was written meanwhile. */
  readonly rows: 'compared' | 'changed';
  readonly findings: readonly ViewFinding[];
  /** The number of findings; `findings` has the first 20. */
  readonly misfits: number;
}

interface Sources {
  /** With old events upcast. */
  readonly store: StreamReader;
  readonly projections: readonly AnyProjection[];
}

interface Place {
  readonly revision: Revision;
  readonly position: Position;
}

interface ComparedDocument {
  readonly stream: string;
  readonly key: DocumentKey;
  /** The last event up to the checkpoint. */
  readonly end: Place;
  readonly document: Document | 'damaged' | null;
}

const PORTION = 500;
const MAX_FINDINGS = 20;

/**
 * Reads the checkpoint; pass everything that is read of the log afterwards to `observe`. The read model may move on
 * meanwhile.
 */
export async function openViewCheck(view: CheckedView, sources: Sources) {
  const { store, projections } = sources;
  const checkpoint = await view.model.checkpoint();
  /** Streams of documents, up to the checkpoint. */
  const ends = new Map<string, Place>();
  const findings: ViewFinding[] = [];
  let misfits = 0;
  let behind = 0;
  let head = LOG_START;
  let isInLog = checkpoint === LOG_START;

  function add(finding: ViewFinding | null): void {
    if (finding === null) return;
    misfits += 1;
    if (findings.length < MAX_FINDINGS) findings.push(finding);
  }

  function keyIn(stream: string): DocumentKey | null {
    const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
    return projection ? keyOf(projection, stream) : null;
  }

  function streamOf({ kind, id }: DocumentKey): string {
    const projection = projections.find((candidate) => candidate.kind === kind);
    return `${projection?.prefix ?? `${kind}-`}${id}`;
  }

  function checkpointFinding(): ViewFinding | null {
    if (isInLog) return null;
    const found = checkpoint > head ? `the log ends at ${head || 'its start'}` : 'there is none';
    return { lacks: 'log', stream: null, expected: `an event at the checkpoint ${checkpoint}`, found };
  }

  /** A document that has moved on since is right if the log has its event. */
  async function laterFinding(stream: string, { revision, position }: Place): Promise<ViewFinding | null> {
    const [event] = await store.readStream(stream, { from: revision, limit: 1 });
    if (event?.revision === revision && event.position === position) return null;
    const found = event ? `another event, at position ${event.position}` : 'none';
    return {
      lacks: 'log',
      stream,
      expected: `revision ${revision} at position ${position}, as the view has it`,
      found,
    };
  }

  /** An event that cannot be read or folded is a finding as well. */
  async function orUnreadable(stream: string, work: Promise<ViewFinding | null>): Promise<ViewFinding | null> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      const found = errorText(error);
      return { lacks: 'log', stream, expected: 'events that can be read', found };
    }
  }

  /** Its document is older, or withheld, because of an event that cannot be folded. */
  async function isParked(key: DocumentKey, end: Place): Promise<boolean> {
    const [noted] = await view.model.fetch([parkedKey(key)]);
    return noted?.kind === 'parked' && noted.revision >= end.revision;
  }

  async function findingOf({ stream, key, end, document }: ComparedDocument): Promise<ViewFinding | null> {
    if (document === 'damaged')
      return { lacks: 'view', stream, expected: 'a document as it was written', found: 'a damaged one' };
    const isEnd = document?.revision === end.revision && document.position === end.position;
    if (!isEnd && (await isParked(key, end))) return null;
    if (document === null) return missingFinding(stream, end);
    if (document.revision >= end.revision) return isEnd ? null : laterFinding(stream, document);
    const expected = `the document at revision ${end.revision}, which lies before the checkpoint`;
    return { lacks: 'view', stream, expected, found: `it at revision ${document.revision}` };
  }

  /** A deleted resource has no document. It may have been deleted since. */
  async function missingFinding(stream: string, end: Place): Promise<ViewFinding | null> {
    const projection = projections.find(({ prefix }) => stream.startsWith(prefix));
    let state: unknown = null;
    let isGone = false;
    for (const event of await store.readStream(stream)) {
      state = projection?.fold(state, event) ?? null;
      isGone = state === null && event.revision >= end.revision;
    }
    if (isGone) return null;
    return { lacks: 'view', stream, expected: `a document at revision ${end.revision}`, found: 'none' };
  }

  async function foundIn(portion: readonly [stream: string, end: Place][]): Promise<ComparedDocument[]> {
    const keyed = portion.flatMap(([stream, end]) => {
      const key = keyIn(stream);
      return key ? [{ stream, end, key }] : [];
    });
    const documents = await fetchReadable(
      view.model,
      keyed.map(({ key }) => key),
    );
    return keyed.map((one, index) => ({ ...one, document: documents[index] ?? null }));
  }

  async function unknownStreamFinding(stream: string): Promise<ViewFinding | null> {
    const [first] = await store.readStream(stream, { limit: 1 });
    if (first) return null;
    return { lacks: 'log', stream, expected: 'the events of a document that the view has', found: 'none' };
  }

  async function checkUnknownStreams(): Promise<void> {
    for await (const keys of view.keys?.() ?? []) {
      const unknown = keys
        .filter(({ kind }) => kind !== 'parked')
        .map(streamOf)
        .filter((stream) => !ends.has(stream));
      for (const stream of unknown) add(await orUnreadable(stream, unknownStreamFinding(stream)));
    }
  }

  async function checkAgreement(): Promise<ViewReport['rows']> {
    const disagreements = view.disagreements ? await view.disagreements() : [];
    // Damaged documents were found before.
    for (const { key, part } of disagreements ?? [])
      if (part !== 'document')
        add({
          lacks: 'view',
          stream: key && streamOf(key),
          found: 'another one',
          expected: `the ${part} that ${key ? 'its document gives' : 'documents give'}`,
        });
    return disagreements === null ? 'changed' : 'compared';
  }

  return {
    /** Reads the next event of the log. */
    observe({ stream, revision, position }: RecordedEvent) {
      head = position;
      isInLog ||= position === checkpoint;
      if (keyIn(stream) === null) return;
      if (position > checkpoint) behind += 1;
      else ends.set(stream, { revision, position });
    },
    /** Call it after the log has been read. */
    async finish(onProgress: (documents: number) => void): Promise<ViewReport> {
      add(checkpointFinding());
      let portion: [string, Place][] = [];
      let documents = 0;
      const look = async (): Promise<void> => {
        for (const compared of await foundIn(portion)) add(await orUnreadable(compared.stream, findingOf(compared)));
        documents += portion.length;
        portion = [];
        onProgress(documents);
      };
      for (const entry of ends) {
        portion.push(entry);
        if (portion.length === PORTION) await look();
      }
      if (portion.length > 0) await look();
      await checkUnknownStreams();
      const rows = await checkAgreement();
      return { name: view.name, checkpoint, behind, documents, rows, findings, misfits };
    },
  };
}
