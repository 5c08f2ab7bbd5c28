// How an event is sealed. The rule, for whoever checks a log with other tools:
//
//   content  = canonical JSON (see canonical-json.ts) of the object with the members data, id, metadata (without its
//              member hash), revision, schemaVersion, stream, type, as they are stored
//   hash     = "sha256:" + SHA-256 of the UTF-8 text  previous + "\n" + content,  as 64 lower-case hexadecimal digits
//   previous = the hash of the event before it in its stream; GENESIS for the first event of a stream
//
// An event that was recorded without a hash has the one that this rule gives it. So the first hash of an old stream seals
// everything that stood in it before. The position is left out: it is not known before an event is written.
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../envelope.ts';
import { canonicalJson } from './canonical-json.ts';

/** What stands for the hash before the first event of a stream. */
export const GENESIS = `sha256:${'0'.repeat(64)}`;

/** The hash of an event behind one with the hash `previous`. Throws `TypeError` when it is not JSON. */
export function hashOf(previous: string, event: Omit<RecordedEvent, 'position'>): string {
  const text = `${previous}\n${contentOf(event)}`;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** What is sealed of an event, spelled in the one way. */
export function contentOf({
  data,
  id,
  metadata,
  revision,
  schemaVersion,
  stream,
  type,
}: Omit<RecordedEvent, 'position'>): string {
  // The members in their canonical order.
  return canonicalJson({ data, id, metadata: { ...metadata, hash: undefined }, revision, schemaVersion, stream, type });
}
