// Converts events and positions between the port and EventStoreDB.
import {
  type EventMetadata,
  type Json,
  LOG_START,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../envelope.ts';
import type { FollowedEvent, RawAppend } from './client.ts';
import type { LogPlace } from './read-call.ts';
import type { RawEvent } from './wire.ts';

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

/** Id and type are EventStoreDB's own; the schema version goes beside our metadata. */
export function encodeEvent({ id, type, schemaVersion, data, metadata }: NewEvent): RawAppend['events'][number] {
  return { id, type, data, metadata: { ...metadata, schemaVersion } };
}

/** Prefix of streams of the server itself: statistics, metadata of streams, projections. */
const SYSTEM = '$';

/**
 * Null for an event that Daybook has not written: the log may be shared. Throws if the server does not report
 * positions.
 */
export function decodeEvent(event: RawEvent): RecordedEvent | null {
  if (!event.isJson || event.streamId.startsWith(SYSTEM) || !isOurs(event.metadata)) return null;
  const { schemaVersion, ...metadata } = event.metadata;
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

/** The same event, as reads deliver it. */
export const asRead = ({ revision, position, ...event }: FollowedEvent): RawEvent => ({
  ...event,
  revision: Number(revision),
  position: position ? toPosition(position) : NOWHERE,
});

function isOurs(metadata: unknown): metadata is EventMetadata & { readonly schemaVersion: number } {
  if (typeof metadata !== 'object' || metadata === null) return false;
  if (!('schemaVersion' in metadata) || !('actor' in metadata) || !('instant' in metadata)) return false;
  return Number.isInteger(metadata.schemaVersion) && typeof metadata.instant === 'string';
}
