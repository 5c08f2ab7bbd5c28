/** What lists of events have are some ten levels. */
const DEEPEST = 100;
const PARTS = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs;

/**
 * The value of JSON that others have written. Throws a `SyntaxError` that says why it cannot be read; also where it nests so
 * deep that whatever follows its levels, as a reader of records does, would run out of stack: `[[[[…` of 300 kB is enough.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let depth = 0;
  for (const [part] of text.matchAll(PARTS)) {
    if (part === '[' || part === '{') depth += 1;
    if (part === ']' || part === '}') depth -= 1;
    if (depth > DEEPEST) throw new SyntaxError(`it nests deeper than ${DEEPEST} levels`);
  }
  return value;
}
