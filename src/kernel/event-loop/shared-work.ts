// Work that several ask for: in turns, at most so much at a time; together, while it goes on; or once for all.

/** Runs the work in its turn. */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface QueueLimits {
  /** How many pieces of work go on at a time. */
  readonly atOnce?: number;
  /** How many more may wait. */
  readonly maxWaiting?: number;
  /** What those beyond are refused with. */
  readonly refused?: () => Error;
}

/** Without limits one piece of work goes on at a time, and all others wait, in the order in which they came. */
export function openQueue({
  atOnce = 1,
  maxWaiting = Infinity,
  refused = () => new Error('too much work is waiting'),
}: QueueLimits = {}): Queue {
  let inside = 0;
  const waiting: (() => void)[] = [];

  /** A free place is handed on, so that no newcomer overtakes the queue. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  }

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw refused();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/**
 * Those who ask for the same key while its work goes on share one result. What has ended is begun anew. Work that waits for its
 * turn may ask whether any of them still waits for it.
 */
export function singleFlight<Result, Key = string>(): (
  key: Key,
  work: (isWanted: () => boolean) => Promise<Result>,
  isWaiting?: () => boolean,
) => Promise<Result> {
  const flights = new Map<Key, { readonly result: Promise<Result>; readonly waiting: (() => boolean)[] }>();
  return (key, work, isWaiting = () => true) => {
    const joined = flights.get(key);
    joined?.waiting.push(isWaiting);
    if (joined) return joined.result;
    const waiting = [isWaiting];
    const isWanted = (): boolean => waiting.some((isStillWaiting) => isStillWaiting());
    const result = work(isWanted).finally(() => flights.delete(key));
    flights.set(key, { result, waiting });
    return result;
  };
}

/** What answers are kept in: a map, or a cache of few. */
interface AnswerMap<Answer> {
  get(key: unknown): Answer | undefined;
  set(key: unknown, answer: Answer): unknown;
}

/** Asks once for each key, and repeats the answer; also a promise that was rejected. By default the question is the key. */
export const askedOnce =
  <Question, Answer>(
    ask: (question: Question) => Answer,
    answers: AnswerMap<NoInfer<Answer>> = new Map<unknown, Answer>(),
    keyOf: (question: Question) => unknown = (question) => question,
  ): ((question: Question) => Answer) =>
  (question) => {
    const key = keyOf(question);
    const before = answers.get(key);
    if (before !== undefined) return before;
    const answer = ask(question);
    answers.set(key, answer);
    return answer;
  };
