// Reasons that clients give in headers or members, as one line.
import { decodePercent } from './query-string.ts';

export const MAX_REASON_LENGTH = 1_000;
/** Line ends and other control characters, and marks that change the direction of text. */
const DISORDERLY = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Null: it is too long. */
export function reasonIn(text: string): string | null {
  const reason = text.toWellFormed().replace(DISORDERLY, ' ').trim();
  return reason.length > MAX_REASON_LENGTH ? null : reason;
}

/**
 * The text of a header: it is ASCII, so other characters come percent-encoded (invalid UTF-8 then stays as it is), or as
 * plain bytes of UTF-8.
 */
export const textOfHeader = (header: string): string => decodePercent(asUtf8(header));

/** Node passes each byte of a header as a character. */
function asUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  const bytes = Buffer.from(header, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
