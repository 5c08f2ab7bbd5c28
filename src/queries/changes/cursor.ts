// A position in the feed: a position of the log, as a client sends it back.
import { LOG_START, type Position } from '../../event-store/envelope.ts';

/** The forms of positions, by engine. Two of the same log have the same form. */
const FORMS: readonly RegExp[] = [/^\d{16}$/, /^[0-9a-f]{16}-[0-9a-f]{16}$/];

/**
 * Whether a log that ends at `head` may have issued this position. A position beyond `head` is accepted: another node
 * may know more than this one.
 */
export function isCursor(text: string, head: Position): text is Position {
  if (text === LOG_START) return true;
  return FORMS.some((form) => form.test(text) && (head === LOG_START || form.test(head)));
}
