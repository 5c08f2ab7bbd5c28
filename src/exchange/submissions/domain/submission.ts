// A submission: an event that a visitor has typed, on its way to becoming a proposal. Its streams are called
// `submission-<id>`. Until the visitor has confirmed it by the link in a mail, it is nothing that editors see.
//
// Steps that a state does not allow record nothing: links are opened twice, late, and by machines.
// decision 27

import { type Evolve, type Fact, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

/**
 * What was typed, by the names of the fields of the form; lists one a line. `venue_id` is that of the venue whose name was
 * typed, if it is one of those that were offered. Checked again whenever it is proposed.
 */
export const SUBMITTED_FIELDS = [
  'title',
  'description',
  'start_date',
  'end_date',
  'all_day',
  'venue',
  'venue_id',
  'address',
  'city',
  'categories',
  'website',
  'cost',
] as const;
type SubmittedField = (typeof SUBMITTED_FIELDS)[number];
export type SubmittedForm = { readonly [field in SubmittedField]: string };

export interface Sender {
  readonly name: string;
  readonly email: string;
}

/** `received`: waits for its confirmation. The last three are ends: their personal data is erased. */
type SubmissionState = 'received' | 'confirmed' | 'withdrawn' | 'expired' | 'erased';

export interface Submission extends Sender {
  readonly id: number;
  readonly state: SubmissionState;
  /** The code of the language of its form. */
  readonly language: string;
  readonly form: SubmittedForm;
  /** Where its links lead, without a slash at the end. */
  readonly site: string;
  readonly received: EpochSeconds;
  /** Digests of the secrets of its links. */
  readonly links: readonly string[];
  /** When the last link was drawn, to be sent by the process that drew it; null: none was. */
  readonly linked: EpochSeconds | null;
  /** Whether the mail with the link was handed over. */
  readonly mailed: boolean;
  /** What it has become; null before its confirmation. */
  readonly proposal: number | null;
}

export type SubmissionFact =
  | Fact<'SubmissionReceived', Pick<Submission, 'id' | 'name' | 'email' | 'language' | 'form' | 'site'>>
  | Fact<'SubmissionLinkDrawn', { readonly digest: string }>
  | Fact<'SubmissionMailed', Record<never, never>>
  | Fact<'SubmissionConfirmed', { readonly proposal: number }>
  | Fact<'SubmissionWithdrawn', Record<never, never>>
  /** It was not confirmed in time. */
  | Fact<'SubmissionExpired', Record<never, never>>
  /** An operator erased it at the request of the person. */
  | Fact<'SubmissionErased', Record<never, never>>;

/** How long a submission waits for its confirmation. */
export const CONFIRM_WITHIN_SECONDS = 48 * 3_600;
/** How long other processes leave a mail to the one that drew its link: the longer, the more were drawn. */
const LINK_HELD_SECONDS = 60;
const MAX_DOUBLINGS = 6;

const heldSeconds = ({ links }: Submission): number =>
  LINK_HELD_SECONDS * 2 ** Math.min(Math.max(links.length - 1, 0), MAX_DOUBLINGS);

export const isClosed = ({ state }: Pick<Submission, 'state'>): boolean =>
  state !== 'received' && state !== 'confirmed';

export const isOverdue = ({ state, received }: Submission, now: EpochSeconds): boolean =>
  state === 'received' && now - received >= CONFIRM_WITHIN_SECONDS;

/** Whether a mail is still to be sent, and no process is known to be sending it. */
export const needsMail = (submission: Submission, now: EpochSeconds): boolean =>
  submission.state === 'received' &&
  !submission.mailed &&
  !isOverdue(submission, now) &&
  (submission.linked === null || now - submission.linked >= heldSeconds(submission));

/** Links of earlier attempts stay good: their mail may have arrived after all. */
export const drawLink = (submission: Submission, digest: string, now: EpochSeconds): readonly SubmissionFact[] =>
  needsMail(submission, now) ? [{ type: 'SubmissionLinkDrawn', data: { digest } }] : [];

export const noteMailed = ({ state, mailed }: Submission): readonly SubmissionFact[] =>
  state === 'received' && !mailed ? [{ type: 'SubmissionMailed', data: {} }] : [];

/** Whether it becomes a proposal by being confirmed now. */
export const mayBeConfirmed = (submission: Submission, now: EpochSeconds): boolean =>
  submission.state === 'received' && !isOverdue(submission, now);

export const confirmSubmission = (
  submission: Submission,
  proposal: number,
  now: EpochSeconds,
): readonly SubmissionFact[] =>
  mayBeConfirmed(submission, now) ? [{ type: 'SubmissionConfirmed', data: { proposal } }] : [];

export const withdrawSubmission = (submission: Submission): readonly SubmissionFact[] =>
  isClosed(submission) ? [] : [{ type: 'SubmissionWithdrawn', data: {} }];

export const expireSubmission = (submission: Submission, now: EpochSeconds): readonly SubmissionFact[] =>
  isOverdue(submission, now) ? [{ type: 'SubmissionExpired', data: {} }] : [];

export const evolveSubmission: Evolve<Submission, SubmissionFact> = (submission, fact, at) => {
  if (fact.type === 'SubmissionReceived') {
    const blank = { links: [], linked: null, mailed: false, proposal: null };
    return { ...fact.data, ...blank, state: 'received', received: at };
  }
  if (!submission) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'SubmissionLinkDrawn':
      return { ...submission, links: [...submission.links, fact.data.digest], linked: at };
    case 'SubmissionMailed':
      return { ...submission, mailed: true };
    case 'SubmissionConfirmed':
      return { ...submission, state: 'confirmed', proposal: fact.data.proposal };
    case 'SubmissionWithdrawn':
      return { ...submission, state: 'withdrawn' };
    case 'SubmissionExpired':
      return { ...submission, state: 'expired' };
    case 'SubmissionErased':
      return { ...submission, state: 'erased' };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};
