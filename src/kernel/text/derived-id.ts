// Ids that follow from what they are of, so that a repetition has the same.
import { hash } from 'node:crypto';

/** An id that follows from a text, in the form of a UUID of version 8. */
export function derivedId(text: string): string {
  const hex = hash('sha256', text);
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
