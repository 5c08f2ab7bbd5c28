// A calendar elsewhere that is polled again and again: where it is, how often, and what becomes of what it says. Its streams
// are called `source-<id>`; what was found there is in items.ts.

import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

/** `apply`: as an import by hand. `propose`: into the review queue. `ignore`: only looked at. */
export const SOURCE_MODES = ['apply', 'propose', 'ignore'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

/** What becomes of coming events that the source has no more. */
export const ON_MISSING = ['bin', 'cancel', 'leave'] as const;
export type OnMissing = (typeof ON_MISSING)[number];

/** Minutes between two polls. */
export const EVERY = { least: 5, most: 10_080, usual: 60 } as const;

/** What users decide about a source. */
export interface SourceSettings {
  readonly name: string;
  /** The address of an iCalendar file, or of a list of events in the API of another calendar. */
  readonly address: string;
  /** Minutes between two polls. */
  readonly every: number;
  readonly mode: SourceMode;
  readonly onMissing: OnMissing;
  /** The status that new events get; null: the one that their records say. */
  readonly status: PostStatus | null;
  /** The user in whose name it writes and proposes. */
  readonly user: number;
}

/** By which a later poll asks for changes only. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The hash of all that was answered: if it is the same, nothing has changed, even if the server says so. */
  readonly hash: string | null;
}

/**
 * `unreadable`: not reached, refused, broken off, or neither iCalendar nor JSON. `empty`, `shrank`: it has none of the coming
 * events any more, or less than half of them. `moved`: the address is another one, and coming events are missing there. These
 * three are taken once they are confirmed. `user`: the user whose name it writes in may not import, or is gone.
 */
export const POLL_PROBLEMS = [
  'unreadable',
  'empty',
  'shrank',
  'moved',
  'too_many',
  'too_large',
  'user',
  'interrupted',
  'fault',
] as const;
export type PollProblem = (typeof POLL_PROBLEMS)[number];

const TO_BE_CONFIRMED: readonly PollProblem[] = ['empty', 'shrank', 'moved'];

export interface PollCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Coming events that the source has no more. */
  readonly missing: number;
  readonly proposed: number;
}

export const NO_COUNTS: PollCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, missing: 0, proposed: 0 };

/** `unchanged`: the same records as before. `looked`: nothing was to be written. */
export const POLL_OUTCOMES = ['running', 'unchanged', 'applied', 'proposed', 'looked', 'failed'] as const;
type PollOutcome = (typeof POLL_OUTCOMES)[number];

/** What is to be known of one record: why it was refused, or what was not taken as it says. */
interface PollNote {
  readonly kind: 'event' | 'venue' | 'organizer' | 'category' | 'tag' | 'record' | 'source';
  readonly name: string;
  readonly place: { readonly file: string; readonly index: number | null; readonly line?: number | null };
  readonly reason: string;
}

export interface Poll {
  /** The request id of everything that it wrote: reverting that reverts the poll. */
  readonly request: string;
  readonly begun: EpochSeconds;
  readonly ended: EpochSeconds | null;
  /** Who asked for it; null: it was due. */
  readonly by: number | null;
  readonly outcome: PollOutcome;
  readonly problem: PollProblem | null;
  /** For people. */
  readonly detail: string;
  readonly counts: PollCounts;
  readonly notes: readonly PollNote[];
}

export interface Source extends SourceSettings {
  readonly id: number;
  /** Its first address: what it has brought stays its own wherever it moves. */
  readonly origin: string;
  /** Another source had the same first address, and has moved since: what that one has brought is not of this one. */
  readonly isApart: boolean;
  readonly created: EpochSeconds;
  readonly paused: boolean;
  readonly removed: boolean;
  readonly validators: Validators | null;
  /** When an answer was last compared in full; null: not since its settings have changed. */
  readonly compared: EpochSeconds | null;
  /** Whether its address has changed since it was last read. */
  readonly moved: boolean;
  /** In a row. */
  readonly failures: number;
  /** The latest, newest last. */
  readonly polls: readonly Poll[];
}

export interface PollEnd {
  readonly request: string;
  readonly outcome: Exclude<PollOutcome, 'running' | 'failed'>;
  readonly counts: PollCounts;
  readonly validators: Validators | null;
  readonly notes?: readonly PollNote[];
}

export interface PollFailure {
  readonly request: string;
  readonly problem: PollProblem;
  readonly detail: string;
  readonly counts: PollCounts;
  readonly notes?: readonly PollNote[];
}

/** As one text, which is encrypted as a whole; absent: there are none. */
interface Noted {
  readonly notes?: string;
}

export type SourceFact =
  | Fact<'SourceAdded', SourceSettings & Pick<Source, 'id'> & { readonly isApart?: true }>
  | Fact<'SourceChanged', Partial<SourceSettings>>
  | Fact<'SourcePaused', Record<never, never>>
  | Fact<'SourceResumed', Record<never, never>>
  /** Where several processes poll, only one of them can record this. */
  | Fact<'SourcePollBegun', Pick<Poll, 'request' | 'by'>>
  | Fact<'SourcePolled', Omit<PollEnd, 'notes'> & Noted>
  | Fact<'SourcePollFailed', Omit<PollFailure, 'notes'> & Noted>
  | Fact<'SourceRemoved', Record<never, never>>;

const MAX_POLLS = 50;
/** So many notes of one poll are stored. */
const MAX_NOTES = 50;
/** A poll that takes longer has ended with its process. */
const MAX_POLL_SECONDS = 900;
/** Between two polls after failures, at most: a day, or the interval if that is longer. */
const MAX_BACKOFF_SECONDS = 86_400;
const MAX_DOUBLINGS = 10;

export function changeSource(source: Source, changes: Partial<SourceSettings>): Decision<SourceFact> {
  // Changes have the names of settings.
  const entries = Object.entries(changes).filter(([name, value]) => source[name as keyof SourceSettings] !== value);
  return accepted(entries.length === 0 ? [] : [{ type: 'SourceChanged', data: Object.fromEntries(entries) }]);
}

export const pauseSource = ({ paused }: Source): Decision<SourceFact> =>
  accepted(paused ? [] : [{ type: 'SourcePaused', data: {} }]);

export const resumeSource = ({ paused }: Source): Decision<SourceFact> =>
  accepted(paused ? [{ type: 'SourceResumed', data: {} }] : []);

/** The poll that has not ended; null if there is none. */
function runningPoll({ polls }: Source): Poll | null {
  const last = polls.at(-1);
  return last?.outcome === 'running' ? last : null;
}

export interface Beginning {
  readonly now: EpochSeconds;
  /** `due`: not if another process has polled it meanwhile. */
  readonly why: 'due' | 'asked';
  /** Whether the process of a poll that has not ended is known to be gone. */
  readonly isAbandoned: (poll: Poll) => boolean;
}

/** Whether it is the first to begin. A poll that was abandoned is ended as interrupted. */
export function beginPoll(
  source: Source,
  poll: Pick<Poll, 'request' | 'by'>,
  { now, why, isAbandoned }: Beginning,
): Decision<SourceFact> {
  const running = runningPoll(source);
  const isOver = running && (Math.abs(now - running.begun) > MAX_POLL_SECONDS || isAbandoned(running));
  if (running && !isOver) return rejected('source_polling');
  if (why === 'due' && !isDue(source, now)) return rejected('source_polling');
  const interrupted = running && {
    type: 'SourcePollFailed' as const,
    data: { request: running.request, problem: 'interrupted' as const, detail: '', counts: NO_COUNTS },
  };
  return accepted([...(interrupted ? [interrupted] : []), { type: 'SourcePollBegun', data: poll }]);
}

/** A poll that was taken for abandoned meanwhile ends nothing. */
export const endPoll = (source: Source, end: PollEnd | PollFailure): Decision<SourceFact> => {
  if (runningPoll(source)?.request !== end.request) return accepted([]);
  const { notes = [], ...rest } = end;
  const noted = notes.length === 0 ? {} : { notes: JSON.stringify(notes.slice(0, MAX_NOTES)) };
  return accepted([
    'problem' in rest
      ? { type: 'SourcePollFailed', data: { ...rest, ...noted } }
      : { type: 'SourcePolled', data: { ...rest, ...noted } },
  ]);
};

/** When it is polled next; null while it is paused. */
export function nextPoll({ paused, removed, polls, every, failures, created }: Source): EpochSeconds | null {
  if (paused || removed) return null;
  const last = polls.at(-1);
  if (!last) return created;
  const interval = every * 60;
  const backoff = Math.min(interval * 2 ** Math.min(failures, MAX_DOUBLINGS), Math.max(MAX_BACKOFF_SECONDS, interval));
  return last.begun + (failures === 0 ? interval : backoff);
}

/** A clock that was put back must not hold a poll up. */
export function isDue(source: Source, now: EpochSeconds): boolean {
  const next = nextPoll(source);
  return next !== null && (now >= next || now < (source.polls.at(-1)?.begun ?? source.created));
}

/** The problem that waits to be confirmed; null if there is none. */
export function unconfirmed({ polls }: Source): PollProblem | null {
  const last = polls.findLast(({ outcome }) => outcome !== 'running');
  return last?.problem && TO_BE_CONFIRMED.includes(last.problem) ? last.problem : null;
}

/** The last poll that has ended, if the source failed it. */
export const failedPoll = ({ polls, failures }: Source): Poll | null => {
  const last = polls.findLast(({ outcome, problem }) => outcome !== 'running' && problem !== 'interrupted');
  return failures > 0 && last?.outcome === 'failed' ? last : null;
};

/** For how long it has failed its polls; null if it has not, or is paused. */
export function failingSince(source: Source): { readonly last: Poll; readonly since: EpochSeconds } | null {
  const last = failedPoll(source);
  if (source.paused || !last) return null;
  const others = source.polls.findLastIndex(({ outcome }) => outcome !== 'running' && outcome !== 'failed');
  // The first of many failures in a row may not be among the polls that are kept.
  return { last, since: source.polls[others + 1]?.begun ?? last.begun };
}

/** For how long an answer that is said to be the same is believed: dates that come within reach make it another one. */
const MAX_UNCOMPARED_SECONDS = 7 * 86_400;

/** By which the next poll asks for changes only; null: it is compared in full. */
export const validatorsAt = ({ validators, compared }: Source, now: EpochSeconds): Validators | null =>
  compared !== null && Math.abs(now - compared) < MAX_UNCOMPARED_SECONDS ? validators : null;

export const evolveSource: Evolve<Source, SourceFact> = (source, fact, at) => {
  if (fact.type === 'SourceAdded') {
    const nothing = { paused: false, removed: false, validators: null, compared: null };
    const { address: origin, isApart = false } = fact.data;
    return { ...fact.data, ...nothing, origin, isApart, moved: false, failures: 0, polls: [], created: at };
  }
  if (!source) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'SourceChanged': {
      const isElsewhere = fact.data.address !== undefined;
      // What was read under other settings says nothing about these.
      return { ...source, ...fact.data, validators: null, compared: null, moved: source.moved || isElsewhere };
    }
    case 'SourcePaused':
      return { ...source, paused: true };
    case 'SourceResumed':
      return { ...source, paused: false, failures: 0 };
    case 'SourcePollBegun': {
      const { request, by } = fact.data;
      const nothing = {
        ended: null,
        outcome: 'running',
        problem: null,
        detail: '',
        counts: NO_COUNTS,
        notes: [],
      } as const;
      return { ...source, polls: [...source.polls, { request, by, begun: at, ...nothing }].slice(-MAX_POLLS) };
    }
    case 'SourcePolled': {
      const { request, outcome, counts, validators, notes } = fact.data;
      const isRead = outcome !== 'unchanged' && outcome !== 'looked';
      return {
        ...source,
        failures: 0,
        validators,
        moved: source.moved && !isRead,
        compared: outcome === 'unchanged' ? source.compared : at,
        polls: ended(source, request, { ended: at, outcome, counts, notes: notesIn(notes) }),
      };
    }
    case 'SourcePollFailed': {
      const { request, problem, detail, counts, notes } = fact.data;
      return {
        ...source,
        // An end of the process is no failure of the source.
        failures: source.failures + (problem === 'interrupted' ? 0 : 1),
        validators: null,
        polls: ended(source, request, {
          ended: at,
          outcome: 'failed',
          problem,
          detail,
          counts,
          notes: notesIn(notes),
        }),
      };
    }
    case 'SourceRemoved':
      return { ...source, removed: true };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};

/** Without its key the text is a placeholder. */
function notesIn(text: string | undefined): readonly PollNote[] {
  try {
    return text === undefined ? [] : (JSON.parse(text) as PollNote[]); // As `endPoll` wrote it.
  } catch {
    return [];
  }
}

const ended = ({ polls }: Source, request: string, end: Partial<Poll>): readonly Poll[] =>
  polls.map((poll) => (poll.request === request ? { ...poll, ...end } : poll));
