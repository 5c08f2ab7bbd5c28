// Compares the answers of two calendars over one log, all of them.
import type { PostStatus } from '../../domain/post.ts';
import type { Position } from '../../event-store/envelope.ts';
import type { Answer, Calendar } from './calendars.ts';
import { type Difference, differencesOf, type Found, type Json, openFindings } from './differences.ts';
import { type ListPage, type Question, questions } from './questions.ts';

export interface RehearsalOptions {
  /** As it runs. */
  readonly present: Calendar;
  /** As it would be. */
  readonly future: Calendar;
  /** Lists are also asked for by these. */
  readonly statuses: readonly PostStatus[];
  /** The end of the log. */
  readonly head: () => Promise<Position>;
  /** Applies what was written to the log meanwhile to the read model of `future`. */
  readonly catchUp: () => Promise<unknown>;
  readonly onAnswer: (answers: number) => void;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Rehearsed {
  /** How many answers of each kind were compared. */
  readonly compared: ReadonlyMap<string, number>;
  readonly found: readonly Found[];
  /** Kept changing while they were compared: nothing is known of them. */
  readonly unsettled: number;
}

/** A service is in use: it is asked this many questions at a time. */
const AT_A_TIME = 4;
/** How often a difference is looked at again while the log grows. */
const MAX_LOOKS = 5;

const comparable = ({ status, body }: Answer): Json => (status === 200 ? body : { status, body });

/** Rejects with what the calendars reject with. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsed> {
  const { present, future, signal } = options;
  const findings = openFindings();
  const compared = new Map<string, number>();
  let answers = 0;
  let unsettled = 0;

  async function ask(question: Question): Promise<readonly [was: Answer, will: Answer]> {
    signal.throwIfAborted();
    const { subject, path } = question;
    const { was, will, differences } = await settledAnswers(path);
    if (differences === null) unsettled += 1;
    else findings.add(subject, path, differences);
    compared.set(subject, (compared.get(subject) ?? 0) + 1);
    answers += 1;
    options.onAnswer(answers);
    return [was, will];
  }

  /** Answers that differ while something is written may be right each of its own moment: they are asked for again. */
  async function settledAnswers(path: string) {
    for (let looks = 1; ; looks += 1) {
      const before = await options.head();
      const [was, will] = await Promise.all([present.get(path), future.get(path)]);
      const differences: readonly Difference[] | null = [...differencesOf(comparable(was), comparable(will))];
      if (differences.length === 0) return { was, will, differences };
      await options.catchUp();
      const again = await Promise.all([present.get(path), future.get(path)]);
      const isSettled = (await options.head()) === before;
      const remaining = [...differencesOf(comparable(again[0]), comparable(again[1]))];
      if (isSettled || remaining.length === 0) return { was: again[0], will: again[1], differences: remaining };
      if (looks === MAX_LOOKS) return { was, will, differences: null };
    }
  }

  async function askList(question: Question): Promise<ListPage> {
    const pages = (await ask(question)).map(({ body }) => pageOf(body));
    return { members: pages.flatMap(({ members }) => members), pages: Math.max(...pages.map((page) => page.pages)) };
  }

  let waiting: Question[] = [];
  for await (const question of questions(askList, options.statuses)) {
    waiting.push(question);
    if (waiting.length < AT_A_TIME) continue;
    await Promise.all(waiting.map(ask));
    waiting = [];
  }
  await Promise.all(waiting.map(ask));
  return { compared, found: findings.all(), unsettled };
}

/** Of the answer to a list: its only member that is an array, and `total_pages`. */
function pageOf(body: Json): ListPage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { members: [], pages: 0 };
  const members = Object.values(body).find((value): value is readonly Json[] => Array.isArray(value)) ?? [];
  const pages = 'total_pages' in body ? body.total_pages : 0;
  return { members, pages: typeof pages === 'number' ? pages : 0 };
}
