// Where a reader of the feed has got to: a position of the log, as a client hands it back.
import { LOG_START, type Position } from '../../event-store/envelope.ts';

/** How positions look, by engine. Two of the same log have the same form. */
const FORMS: readonly RegExp[] = [/^\d{16}$/, /^[0-9a-f]{16}-[0-9a-f]{16}$/];

/**
 * Whether a log that ends at `head` may have said this position. One that lies beyond `head` passes: who was served
 * by another node may know more than this one does.
 */
export function isCursor(text: string, head: Position): text is Position {
  if (text === LOG_START) return true;
  return FORMS.some((form) => form.test(text) && (head === LOG_START || form.test(head)));
}
