// What the EventStoreDB of the tests keeps: one log of events in memory, and in a file if it shall outlast the process, with
// that server's rules for appending.
import type { Journal } from './eventstoredb-journal.ts';

export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  /** Commit and prepare position alike. */
  readonly position: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export type ProposedEvent = Omit<StoredEvent, 'stream' | 'revision' | 'position'>;

/** -1: no stream. */
export type Expected = bigint | 'any' | 'stream exists';

export type Decision =
  | { readonly kind: 'written'; readonly revision: bigint; readonly position: bigint }
  /** Written before with the same ids. Where is not told again. */
  | { readonly kind: 'repeated'; readonly revision: bigint }
  | { readonly kind: 'wrong revision'; readonly current: bigint };

/** What one of several streams is to get, all of them or none. */
export interface Part {
  readonly stream: string;
  readonly expected: Expected;
  readonly proposed: readonly ProposedEvent[];
}

/** `revisions`: of the last event of each stream. `stream`: the first that is at another revision. */
export type UnitDecision =
  | { readonly kind: 'written' | 'repeated'; readonly revisions: readonly bigint[]; readonly position: bigint }
  | { readonly kind: 'wrong revision'; readonly stream: string; readonly expected: bigint; readonly current: bigint };

export interface EventLog {
  readonly events: readonly StoredEvent[];
  append(stream: string, expected: Expected, proposed: readonly ProposedEvent[]): Decision;
  appendAll(parts: readonly Part[]): UnitDecision;
  streamOf(name: string): readonly StoredEvent[];
  /** Events of another application, of some hundred bytes each. They are not in the file. */
  addForeign(count: number): void;
  /** Takes it back to when it had so many events, as a backup that is put back does. */
  putBack(count: number): void;
  /** Called after each append; the answer stops it. */
  onAppend(listener: () => void): () => void;
}

const revisionOf = (decision: Exclude<Decision, { kind: 'written' }> | null): bigint =>
  decision?.kind === 'repeated' ? decision.revision : 0n;

/** Positions are offsets in a file: they grow, with gaps. */
const FIRST_POSITION = 1_690n;
const BYTES_BESIDE_DATA = 190;

export function createEventLog(journal: Journal | null = null): EventLog {
  const events: StoredEvent[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const listeners = new Set<() => void>();
  let next = FIRST_POSITION;

  function keep(all: StoredEvent[], stored: StoredEvent): void {
    next = stored.position + BigInt(BYTES_BESIDE_DATA + stored.data.length);
    all.push(stored);
    events.push(stored);
  }

  for (const event of journal?.events ?? []) {
    const all = streams.get(event.stream) ?? [];
    streams.set(event.stream, all);
    keep(all, event);
  }

  /** Revisions of the last events of the streams. */
  function write(parts: readonly Pick<Part, 'stream' | 'proposed'>[]): bigint[] {
    const from = events.length;
    const revisions = parts.map(({ stream, proposed }) => {
      const all = streams.get(stream) ?? [];
      streams.set(stream, all);
      for (const event of proposed) keep(all, { ...event, stream, revision: BigInt(all.length), position: next });
      return BigInt(all.length - 1);
    });
    journal?.write(events.slice(from));
    for (const listener of [...listeners]) listener();
    return revisions;
  }

  /** What an append to the stream would lead to, if nothing is written before: null, it would be written. */
  function refusalOf({ stream, expected, proposed }: Part): Exclude<Decision, { kind: 'written' }> | null {
    const all = streams.get(stream) ?? [];
    const current = BigInt(all.length - 1);
    const from =
      typeof expected === 'bigint' ? Number(expected) + 1 : all.findIndex(({ id }) => id === proposed[0]?.id);
    if (isThere(all, from, proposed)) {
      return { kind: 'repeated', revision: BigInt(from + proposed.length - 1) };
    }
    const isRight = expected === 'any' || (expected === 'stream exists' ? current >= 0n : expected === current);
    return isRight ? null : { kind: 'wrong revision', current };
  }

  function isThere(all: readonly StoredEvent[], from: number, proposed: readonly ProposedEvent[]): boolean {
    return from >= 0 && proposed.every(({ id }, index) => all[from + index]?.id === id);
  }

  return {
    events,
    append(stream, expected, proposed) {
      const refusal = refusalOf({ stream, expected, proposed });
      if (refusal) return refusal;
      const [revision = 0n] = write([{ stream, proposed }]);
      return { kind: 'written', revision, position: events.at(-1)?.position ?? 0n };
    },
    appendAll(parts) {
      const refusals = parts.map(refusalOf);
      if (refusals.every((refusal) => refusal?.kind === 'repeated'))
        return { kind: 'repeated', revisions: refusals.map(revisionOf), position: 1n };
      const at = refusals.findIndex((refusal) => refusal !== null);
      const part = parts[at];
      if (!part) return { kind: 'written', revisions: write(parts), position: events.at(-1)?.position ?? 0n };
      const { stream, expected } = part;
      const current = BigInt((streams.get(stream) ?? []).length - 1);
      return { kind: 'wrong revision', stream, expected: typeof expected === 'bigint' ? expected : -2n, current };
    },
    putBack(count) {
      next = events[count]?.position ?? next;
      events.length = count;
      streams.clear();
      for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
    },
    addForeign(count) {
      const [data, metadata] = [Buffer.from(JSON.stringify({ text: 'x'.repeat(300) })), Buffer.from('{}')];
      const event = { stream: 'orders', type: 'OrderPlaced', contentType: 'application/json', data, metadata };
      const all = streams.get(event.stream) ?? [];
      streams.set(event.stream, all);
      const id = crypto.randomUUID().slice(0, 24);
      for (let left = count; left > 0; left -= 1) {
        const number = String(events.length).padStart(12, '0');
        keep(all, { ...event, id: `${id}${number}`, revision: BigInt(all.length), position: next });
      }
      for (const listener of [...listeners]) listener();
    },
    streamOf: (name) => streams.get(name) ?? [],
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
