// Whatever is opened for some work is closed behind it, also when the work fails.

interface Closable {
  close(): unknown;
}

/** Works with what was opened, and waits until it is closed again. `null`: nothing was. */
export async function closing<Opened extends Closable | null, Result>(
  opened: Opened,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(opened);
  } finally {
    await opened?.close();
  }
}

/** Does the same as `closing` for work, and an end, that nothing has to wait for. */
export function closingAtOnce<Opened extends Closable, Result>(
  opened: Opened,
  work: (opened: Opened) => Result,
): Result {
  try {
    return work(opened);
  } finally {
    opened.close();
  }
}
