// The first start: the terminal shows an address with a word that sets the calendar up, once.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { UserAccount } from './user.ts';

interface FirstStart {
  /** SHA-256 of the word. */
  readonly digest: string;
  /** The user that was added with it: the only one, as long as the word counts. */
  readonly user: number;
  readonly offered: EpochSeconds;
  readonly isDone: boolean;
}

export type FirstStartFact =
  | Fact<'FirstStartOffered', { readonly digest: string; readonly user: number }>
  | Fact<'FirstStartDone', Record<string, never>>;

export const FIRST_START_STREAM = 'first-start';

const HOUR = 3_600;
const FIRST_START_SECONDS = 24 * HOUR;

/** Whether a word with this digest still sets the calendar up: nothing has been done with it, and with users, so far. */
export const isOffered = (
  start: FirstStart | null,
  digest: string,
  now: EpochSeconds,
  users: readonly UserAccount[],
): start is FirstStart =>
  start !== null &&
  !start.isDone &&
  start.digest === digest &&
  now < start.offered + FIRST_START_SECONDS &&
  users.every((user) => user.id === start.user && user.passwordHash === undefined);

export const finishFirstStart = (start: FirstStart): Decision<FirstStartFact> =>
  start.isDone ? rejected(invalidParameter('word')) : accepted([{ type: 'FirstStartDone', data: {} }]);

export const evolveFirstStart: Evolve<FirstStart, FirstStartFact> = (start, fact, at) => {
  if (fact.type === 'FirstStartOffered') return { ...fact.data, offered: at, isDone: false };
  if (fact.type === 'FirstStartDone' && start) return { ...start, isDone: true };
  throw new UnexpectedFact(fact);
};
