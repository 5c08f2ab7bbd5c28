// Converts events and positions between the port and the server.
import {
  type EventMetadata,
  type Json,
  LOG_START,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../envelope.ts';
import type { LogPlace, RawAppend, RawEvent } from './connection.ts';

const HEX_DIGITS = 16;
const POSITION = /^([0-9a-f]{16})-([0-9a-f]{16})$/;
/** What servers before 22.6 return instead of the commit position of an event. */
const NOWHERE = 'f'.repeat(HEX_DIGITS);

const hex = (value: bigint): string => value.toString(16).padStart(HEX_DIGITS, '0');

/** Commit and prepare position, each in 16 hexadecimal digits: text order is log order. */
export function toPosition({ commit, prepare }: LogPlace): Position {
  return `${hex(commit)}-${hex(prepare)}`;
}

/** Throws for a position of another kind of store, which would otherwise find nothing or everything. */
export function toLogPlace(position: Position): LogPlace | 'start' {
  if (position === LOG_START) return 'start';
  const [, commit, prepare] = POSITION.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new Error(`${JSON.stringify(position)} is not a position in EventStoreDB.`);
  }
  return { commit: BigInt(`0x${commit}`), prepare: BigInt(`0x${prepare}`) };
}

/** An event as both clients give it. */
export interface ClientEvent extends Omit<RawEvent, 'revision' | 'position'> {
  readonly revision: bigint;
  readonly position?: LogPlace | undefined;
}

export const toRawEvent = ({ revision, position, ...event }: ClientEvent): RawEvent => ({
  ...event,
  revision: Number(revision),
  position: position ? toPosition(position) : NOWHERE,
});

/** Id and type are the server's own; the schema version goes beside our metadata. */
export function encodeEvent({ id, type, schemaVersion, data, metadata }: NewEvent): RawAppend['events'][number] {
  return { id, type, data, metadata: { ...metadata, schemaVersion } };
}

/** The member of an event's metadata that holds ours as a text, where a server takes only texts. */
export const PROPERTY = 'daybook';

/** Prefix of streams of the server itself: statistics, metadata of streams, projections. */
const SYSTEM = '$';

/**
 * Null for an event that Daybook has not written: the log may be shared. Throws if the server does not report
 * positions.
 */
export function decodeEvent(event: RawEvent): RecordedEvent | null {
  if (!event.isJson || event.streamId.startsWith(SYSTEM)) return null;
  const own = unwrapped(event.metadata);
  if (!isOurs(own)) return null;
  const { schemaVersion, ...metadata } = own;
  if (event.position.startsWith(NOWHERE)) {
    throw new Error('This EventStoreDB does not tell the positions of events in a stream; it must be 22.6 or newer.');
  }
  return {
    id: event.id,
    type: event.type,
    schemaVersion,
    // Parsed from JSON a moment ago, so it is Json.
    data: event.data as Json,
    metadata,
    stream: event.streamId,
    revision: event.revision,
    position: event.position,
  };
}

/** Undefined for a text of others. */
function unwrapped(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || !(PROPERTY in metadata)) return metadata;
  try {
    return JSON.parse(String(metadata[PROPERTY]));
  } catch {
    return undefined;
  }
}

function isOurs(metadata: unknown): metadata is EventMetadata & { readonly schemaVersion: number } {
  if (typeof metadata !== 'object' || metadata === null) return false;
  if (!('schemaVersion' in metadata) || !('actor' in metadata) || !('instant' in metadata)) return false;
  return Number.isInteger(metadata.schemaVersion) && typeof metadata.instant === 'string';
}
