// Sends the mails of submissions, lets those expire that were not confirmed in time, and destroys the keys of those that
// have ended.
//
// What is to be sent follows from the log: received, and no mail noted. The process that draws a link sends its mail, and
// tries again while the server is not there; other processes take over when it is not heard of any more.

import type { CommandDependencies } from '../../../commands/context.ts';
import type { KeyRing } from '../../../people/personal-data/facts/key-ring.ts';
import { type Reaction, type ReactionOptions, repeat } from '../../../reactions/repeat.ts';
import { type Mail, type Mailer, MailUnavailable } from '../../mail/mailer.ts';
import type { SubmissionWatch } from '../commands/submission-watch.ts';
import { type DrawnLink, drawSubmissionLink, type Step, stepOfSubmission } from '../commands/submissions.ts';
import { expireSubmission, isOverdue, needsMail, noteMailed, type Submission } from '../domain/submission.ts';

export interface SubmissionKeeperOptions extends ReactionOptions {
  readonly commands: CommandDependencies;
  readonly watch: SubmissionWatch;
  readonly keys: Pick<KeyRing, 'destroy' | 'look'>;
  readonly compose: (drawn: DrawnLink) => Mail;
  readonly mailer: Mailer;
  readonly newId: () => string;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

const LOOK_AFTER_MS = 250;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** A mail that this process sends. */
interface Sending {
  readonly mail: Mail;
  readonly digest: string;
  /** Taken by the mail server, which is still to be recorded. */
  isTaken: boolean;
  pauseMs: number;
  /** By the monotonic clock. */
  nextAt: number;
}

export function startSubmissionKeeper(options: SubmissionKeeperOptions): Reaction {
  const { commands, watch, keys, compose, mailer, newId, elapsed, clock, log } = options;
  const sendings = new Map<number, Sending>();
  let isMailDown = false;

  const stepNow = (): Step => ({ now: clock.now(), correlationId: newId() });

  async function begin(id: number): Promise<void> {
    const drawn = await drawSubmissionLink(commands, stepNow(), id);
    if (drawn === null) return;
    sendings.set(id, {
      mail: compose(drawn),
      digest: drawn.digest,
      isTaken: false,
      pauseMs: FIRST_PAUSE_MS,
      nextAt: 0,
    });
    await send(id);
  }

  async function send(id: number): Promise<void> {
    const sending = sendings.get(id);
    if (sending === undefined || sending.nextAt > elapsed()) return;
    try {
      if (!sending.isTaken) await mailer.send(sending.mail);
      sending.isTaken = true;
      if (isMailDown) log.info({}, 'sending mail recovered');
      isMailDown = false;
    } catch (error) {
      if (!(error instanceof MailUnavailable)) throw error;
      if (!isMailDown) log.error({ err: error }, 'sending mail failed; retrying');
      isMailDown = true;
      sending.nextAt = elapsed() + sending.pauseMs;
      sending.pauseMs = Math.min(sending.pauseMs * 2, MAX_PAUSE_MS);
      return;
    }
    await stepOfSubmission(commands, stepNow(), id, noteMailed);
    sendings.delete(id);
  }

  async function attend(submission: Submission): Promise<void> {
    const { id, links } = submission;
    if (isOverdue(submission, clock.now())) {
      const step = stepNow();
      await stepOfSubmission(commands, step, id, (present) => expireSubmission(present, step.now));
      return;
    }
    const sending = sendings.get(id);
    // A later link is that of another process, which has taken over.
    if (sending && links.includes(sending.digest) && links.at(-1) !== sending.digest) sendings.delete(id);
    if (sendings.has(id)) await send(id);
    else if (needsMail(submission, clock.now())) await begin(id);
  }

  async function destroyKeys(ids: readonly number[]): Promise<void> {
    const subjects = ids.map((id) => `submission-${id}`);
    if (subjects.length === 0) return;
    const keyOf = await keys.look(new Set(), new Set(subjects));
    for (const subject of subjects) if (keyOf(subject) !== 'destroyed') await keys.destroy(subject);
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      await watch.look(clock.now());
      const waiting = watch.waiting();
      const ids = new Set(waiting.map(({ id }) => id));
      for (const id of sendings.keys()) if (!ids.has(id)) sendings.delete(id);
      for (const submission of waiting) {
        if (ending.aborted) return;
        await attend(submission);
      }
      await destroyKeys(watch.takeClosed());
    },
    failed: (error) => log.error({ err: error }, 'processing submissions failed; retrying'),
  });
}
