// Queries something that may never answer: at most one query at a time, and no caller waits longer than agreed.

/** There was no answer in time. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

export interface ProbeTerms {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** After this many milliseconds without an answer the query counts as lost and may be repeated. */
  readonly giveUpAfterMs: number;
}

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly since: number;
}

/** Concurrent callers of `ask` share one query. */
export function sharedProbe<T>(ask: () => Promise<T>, { elapsed, giveUpAfterMs }: ProbeTerms): () => Promise<T> {
  let underWay: Flight<T> | null = null;

  function begin(): Flight<T> {
    const flight: Flight<T> = {
      answer: Promise.resolve()
        .then(ask)
        .finally(() => {
          if (underWay === flight) underWay = null;
        }),
      since: elapsed(),
    };
    return flight;
  }

  return () => {
    if (underWay === null || elapsed() - underWay.since > giveUpAfterMs) underWay = begin();
    return underWay.answer;
  };
}

/** The outcome of a query. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** The outcome of `work`, or `NoAnswerInTime` after `deadlineMs`. Never rejects. */
export async function outcomeWithin<T>(work: Promise<T>, deadlineMs: number): Promise<Outcome<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswerInTime(`there was no answer within ${deadlineMs} ms`)), deadlineMs);
  });
  try {
    return { ok: true, value: await Promise.race([work, late]) };
  } catch (error) {
    return { ok: false, error };
  } finally {
    clearTimeout(timer);
  }
}
