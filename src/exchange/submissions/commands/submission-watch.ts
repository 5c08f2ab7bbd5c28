// Submissions of late, folded from the log as it grows: who has submitted how much, whose mail is still to be sent, what
// is overdue, and whose key is to be destroyed. Kept by each process that answers requests.

import { singleFlight } from '../../../kernel/event-loop/shared-work.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { factOf, instantOf, LOG_START, type Position } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { ERASED } from '../../../people/personal-data/domain/erasure.ts';
import { evolveSubmission, isClosed, type Submission, type SubmissionFact } from '../domain/submission.ts';

const DAY_SECONDS = 86_400;
const PAGE = 500;
const PREFIX = 'submission-';

export type SubmissionWatch = ReturnType<typeof openSubmissionWatch>;

/** Two spellings of one mailbox are one, as far as nearly all servers see it. */
const mailboxOf = (email: string): string => email.trim().toLowerCase();

export function openSubmissionWatch(store: Pick<EventStore, 'readAll'>) {
  const open = new Map<number, Submission>();
  /** When something came from a mailbox. */
  const senders = new Map<string, EpochSeconds[]>();
  const closed = new Set<number>();
  let after: Position = LOG_START;
  const reading = singleFlight<void, null>();

  function take(id: number, submission: Submission): void {
    if (submission.state === 'received') open.set(id, submission);
    else open.delete(id);
    if (isClosed(submission)) closed.add(id);
  }

  async function read(now: EpochSeconds): Promise<void> {
    for (;;) {
      const page = await store.readAll({ after, prefixes: [PREFIX], limit: PAGE });
      for (const event of page) {
        const id = Number(event.stream.slice(PREFIX.length));
        const at = instantOf(event);
        const submission = evolveSubmission(open.get(id) ?? CONFIRMED(id), factOf<SubmissionFact>(event), at);
        if (submission) take(id, submission);
        if (event.type === 'SubmissionReceived' && submission) noteSender(submission, now);
        after = event.position;
      }
      if (page.length < PAGE) return;
    }
  }

  function noteSender({ email, received }: Submission, now: EpochSeconds): void {
    if (email === ERASED || now - received >= DAY_SECONDS) return;
    const mailbox = mailboxOf(email);
    senders.set(mailbox, [...(senders.get(mailbox) ?? []), received]);
  }

  function forgetSenders(now: EpochSeconds): void {
    for (const [mailbox, times] of senders) {
      const late = times.filter((at) => now - at < DAY_SECONDS);
      if (late.length === 0) senders.delete(mailbox);
      else if (late.length < times.length) senders.set(mailbox, late);
    }
  }

  return {
    /** Reads what was recorded since the last call. Concurrent calls share one reading. */
    async look(now: EpochSeconds) {
      await reading(null, () => read(now));
      forgetSenders(now);
    },
    /** The submissions that wait for their confirmation, the earliest first. */
    waiting: (): readonly Submission[] => [...open.values()],
    /** How many came from this address of mail within a day. */
    countOf: (email: string, now: EpochSeconds) =>
      (senders.get(mailboxOf(email)) ?? []).filter((at) => now - at < DAY_SECONDS).length,
    /** The submissions that were closed since the last call: their keys are to be destroyed. */
    takeClosed(): readonly number[] {
      const ids = [...closed];
      closed.clear();
      return ids;
    },
  };
}

/** A confirmed submission: only its end matters. */
const CONFIRMED = (id: number): Submission => ({
  id,
  state: 'confirmed',
  name: '',
  email: '',
  language: '',
  site: '',
  received: 0,
  links: [],
  linked: null,
  mailed: true,
  proposal: null,
  form: {} as Submission['form'], // Never read.
});
