// How long a text may be. What reads, cleans, compares or writes a whole text in one go relies on it.

/** A description, an excerpt, a note or a comment, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 262_144;
/** A title, a name, an address or any other line, in bytes of UTF-8. */
export const MAX_LINE_BYTES = 65_536;

/** A character is at most three bytes, so that most texts need not be counted. */
export const isWithin = (text: string, most: number): boolean =>
  text.length <= most && (text.length * 3 <= most || Buffer.byteLength(text) <= most);
