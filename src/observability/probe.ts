// Asking something that may never answer: at most one question at a time, and no caller waits longer than agreed.

/** There was no answer in the time that was given. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

export interface ProbeTerms {
  /** Milliseconds since some moment, never going back. */
  readonly elapsed: () => number;
  /** After so many milliseconds without an answer the question counts as lost and may be asked anew. */
  readonly giveUpAfterMs: number;
}

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly since: number;
}

/** `ask`, of which all who ask while a question is under way share the answer. */
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

/** What came of a question. */
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
