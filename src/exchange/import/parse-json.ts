/** What lists of events have are some ten levels. */
const DEEPEST = 100;

/**
 * The value of JSON that others have written. Throws a `SyntaxError` that says why it cannot be read; also where it nests so
 * deep that whatever follows its levels, as a reader of records does, would run out of stack: `[[[[…` of 300 kB is enough.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let level = insideOf([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEEPEST) throw new SyntaxError(`it nests deeper than ${DEEPEST} levels`);
    level = insideOf(level.flatMap((one) => Object.values(one)));
  }
  return value;
}

const insideOf = (values: readonly unknown[]): readonly object[] =>
  values.filter((one) => typeof one === 'object' && one !== null);
