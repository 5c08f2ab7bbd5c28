// The format of an exported log: JSON lines, a header first, then one domain event a line as stored, then a trailer.
//
//   {"format":"daybook-log","version":1,"daybook":"0.1.0","exported":"2030-…Z","events":2,"head":"0000000000000002"}
// {"position":"0000000000000001","stream":"event-1","revision":0,"id":…,"type":…,"schemaVersion":1,"data":…,"metadata":…}
//   …
//   {"end":"daybook-log","events":2,"digest":"sha256:…"}
//
// The digest is over the bytes of all lines before the trailer, including their line ends.
import type { EventMetadata, RecordedEvent } from '../../log/envelope.ts';
import { Unusable } from './unusable.ts';

export const LOG_FORMAT = 'daybook-log';
const VERSION = 1;

type LogHeader = ReturnType<typeof headerIn>;

interface LogTrailer {
  readonly events: number;
  readonly digest: string;
}

export type Members = { readonly [name: string]: unknown };

export const headerLine = (header: Omit<LogHeader, 'format' | 'version'>): string =>
  JSON.stringify({ format: LOG_FORMAT, version: VERSION, ...header });

/** The members in one order, independent of the engine. */
export function eventLine(event: RecordedEvent): string {
  const { position, stream, revision, id, type, schemaVersion, data, metadata } = event;
  return JSON.stringify({ position, stream, revision, id, type, schemaVersion, data, metadata });
}

export const trailerLine = ({ events, digest }: LogTrailer): string =>
  JSON.stringify({ end: LOG_FORMAT, events, digest });

/** Throws `Unusable` unless it is a header that this version understands. */
export function headerIn(line: string) {
  const header = objectIn(line);
  if (header?.format !== LOG_FORMAT)
    throw new Unusable('it was not written by `daybook export --log`: its first line is a different one');
  if (header.version !== VERSION)
    throw new Unusable(`it is a log of format ${String(header.version)}; this version reads format ${VERSION}`);
  const { daybook, exported, events, head } = header;
  if (!isCount(events) || typeof head !== 'string') throw new Unusable('its first line is damaged');
  return {
    format: LOG_FORMAT,
    version: VERSION,
    /** The version of Daybook that wrote it. */
    daybook: String(daybook),
    /** ISO 8601 in UTC. */
    exported: String(exported),
    events,
    /** The position of the last event in the source. */
    head,
  };
}

/** The trailer, or null if the line is something else. */
export function trailerIn(line: string): LogTrailer | null {
  if (!line.startsWith('{"end":')) return null;
  const trailer = objectIn(line);
  if (trailer?.end !== LOG_FORMAT || !isCount(trailer.events) || typeof trailer.digest !== 'string') return null;
  return { events: trailer.events, digest: trailer.digest };
}

/** The event of a line. Throws `Unusable` with the number of the line, counted from 1. */
export function eventIn(line: string, number: number): RecordedEvent {
  const event = objectIn(line);
  if (!event || !isEvent(event)) throw new Unusable(`its line ${number} is not an event`);
  return event;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isEvent(members: Members): members is Members & RecordedEvent {
  const { position, stream, revision, id, type, schemaVersion, data, metadata } = members;
  return (
    typeof position === 'string' &&
    typeof stream === 'string' &&
    /^[^$\s]/.test(stream) &&
    isCount(revision) &&
    typeof id === 'string' &&
    UUID.test(id) &&
    typeof type === 'string' &&
    type !== '' &&
    isCount(schemaVersion) &&
    data !== undefined &&
    isMetadata(metadata)
  );
}

function isMetadata(value: unknown): value is EventMetadata {
  if (typeof value !== 'object' || value === null) return false;
  const { actor, instant, correlationId, causationId } = value as Members;
  const words = [instant, correlationId, causationId];
  return typeof actor === 'object' && actor !== null && words.every((word) => typeof word === 'string');
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null for a text that is no object of JSON. */
export function objectIn(line: string): Members | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}
