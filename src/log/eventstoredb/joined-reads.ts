// Equal reads that many ask for at once: the rules of review, a category that all new events name. Those that come while one
// is under way share the next one, which begins afterwards: so each sees what was written before it was asked for.

/** The result of `read`, or of one that another began for the same key after this was called. Rejects as that does. */
export type JoinRead<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

interface Line<Result> {
  readonly current: Promise<Result>;
  next: Promise<Result> | null;
}

/** Those that wait for a read that fails fail with it: they would have met the same. */
export function openJoinedReads<Result>(): JoinRead<Result> {
  const lines = new Map<string, Line<Result>>();

  function begin(key: string, read: () => Promise<Result>): Promise<Result> {
    const line: Line<Result> = { current: read(), next: null };
    lines.set(key, line);
    const leave = (): void => void lines.delete(key);
    line.current.then(() => line.next === null && leave(), leave);
    return line.current;
  }

  return (key, read) => {
    const line = lines.get(key);
    if (!line) return begin(key, read);
    line.next ??= line.current.then(() => begin(key, read));
    return line.next;
  };
}
