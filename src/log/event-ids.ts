// Ids of new domain events.
import { randomUUID } from 'node:crypto';

/** Hexadecimal digits of the milliseconds since 1970. */
const TIME_DIGITS = 12;
/** Behind time and version in the text of a UUID: the random part. */
const RANDOM_FROM = 15;

/**
 * A UUID of version 7: it begins with the time, and 74 bits of it are random. Ids of the same time lie side by side in the
 * log's index of ids; random ones each change a page of their own, and a commit writes all changed pages. Nothing reads
 * the time from it, and nothing depends on a clock that only goes forward.
 */
export function newEventId(): string {
  const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(RANDOM_FROM)}`;
}
