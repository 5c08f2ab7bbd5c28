// What the EventStoreDB of the tests has in a file, so that its log outlasts the process.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import type { StoredEvent } from './eventstoredb-log.ts';

export interface Journal {
  /** What was written before. */
  readonly events: readonly StoredEvent[];
  /** Returns when they are in the file. */
  write(events: readonly StoredEvent[]): void;
  close(): void;
}

/** One append a line, all or nothing. The half of a line that a killed process left was not acknowledged: it is cut off. */
export function openJournal(file: string): Journal {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const handle = openSync(file, 'a');
  if (whole.length < bytes.length) truncateSync(file, whole.length);
  const lines = whole.toString().split('\n').slice(0, -1);
  return {
    events: lines.flatMap((line) => JSON.parse(line).map(eventIn)),
    write(events) {
      writeSync(handle, `[${events.map(textOf).join()}]\n`);
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

function textOf({ revision, position, data, metadata, ...event }: StoredEvent): string {
  const [body, more] = [data, metadata].map((part) => Buffer.from(part).toString('base64'));
  return JSON.stringify({ ...event, revision: `${revision}`, position: `${position}`, data: body, metadata: more });
}

/** An event as `textOf` wrote it. */
interface Kept extends Omit<StoredEvent, 'revision' | 'position' | 'data' | 'metadata'> {
  readonly revision: string;
  readonly position: string;
  readonly data: string;
  readonly metadata: string;
}

function eventIn({ revision, position, data, metadata, ...event }: Kept): StoredEvent {
  const [body, more] = [Buffer.from(data, 'base64'), Buffer.from(metadata, 'base64')];
  return { ...event, revision: BigInt(revision), position: BigInt(position), data: body, metadata: more };
}
