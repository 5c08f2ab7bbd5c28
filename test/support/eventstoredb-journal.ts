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

/** One event a line. The half of a line that a killed process left was not acknowledged: it is cut off. */
export function openJournal(file: string): Journal {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const handle = openSync(file, 'a');
  if (whole.length < bytes.length) truncateSync(file, whole.length);
  const lines = whole.toString().split('\n').slice(0, -1);
  return {
    events: lines.map(eventIn),
    write(events) {
      writeSync(handle, events.map((event) => `${lineOf(event)}\n`).join(''));
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

function lineOf({ revision, position, data, metadata, ...event }: StoredEvent): string {
  const [body, more] = [data, metadata].map((part) => Buffer.from(part).toString('base64'));
  return JSON.stringify({ ...event, revision: `${revision}`, position: `${position}`, data: body, metadata: more });
}

function eventIn(line: string): StoredEvent {
  const { revision, position, data, metadata, ...event } = JSON.parse(line);
  const [body, more] = [data, metadata].map((part: string) => Buffer.from(part, 'base64'));
  return { ...event, revision: BigInt(revision), position: BigInt(position), data: body, metadata: more };
}
