// The steps of a submission from the public: received, mailed, confirmed, withdrawn, expired.
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { numbered, type StepDependencies } from '../../../commands/numbered.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { accepted, rejected } from '../../../domain/decider.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import {
  type ProposalDependencies,
  type ProposalResult,
  proposeCreation,
  stepProposal,
  tryCreation,
} from '../../../editorial/proposals/commands/proposals.ts';
import {
  evolveProposal,
  isUndecided,
  type Proposal,
  type ProposalFact,
  type Wish,
} from '../../../editorial/proposals/domain/proposal.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { factOf, fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { systemActor } from '../../../log/writing.ts';
import type { User } from '../../../people/auth/caller.ts';
import { isSame, newLongSecret, secretDigest } from '../../../people/auth/sessions.ts';
import {
  confirmSubmission,
  drawLink,
  evolveSubmission,
  mayBeConfirmed,
  type Sender,
  type Submission,
  type SubmissionFact,
  type SubmittedForm,
  withdrawSubmission,
} from '../domain/submission.ts';

const submissions = numbered({
  kind: 'submission',
  evolve: evolveSubmission,
  missing: 'proposal_not_found',
});

/** In whose name the public proposes: no user, and author of nothing else. */
export const PUBLIC_SENDER: User = { id: 0, login: '', name: 'public', role: 'contributor' };

export interface Step {
  readonly now: EpochSeconds;
  readonly correlationId: string;
}

const contextOf = ({ now, correlationId }: Step): CommandContext => ({
  caller: PUBLIC_SENDER,
  actor: systemActor('submissions'),
  now,
  correlationId,
});

interface Received extends Sender {
  readonly language: string;
  readonly form: SubmittedForm;
  readonly site: string;
}

/** `key`: of the form. One that is sent twice is one submission. */
export const receiveSubmission = (
  dependencies: CommandDependencies,
  step: Step,
  received: Received,
  key: string,
): Promise<CommandResult<Submission>> =>
  submissions.create(dependencies, { ...contextOf(step), idempotencyKey: key }, async () => (id) => ({
    type: 'SubmissionReceived',
    data: { id, ...received },
  }));

/** Why what was typed could not become an event; null if it could. */
export async function problemOfWish(
  dependencies: ProposalDependencies,
  step: Step,
  wish: Wish,
): Promise<Rejection | null> {
  const tried = await tryCreation(dependencies, contextOf(step), 'event', wish);
  return tried.kind === 'rejected' ? tried.rejection : null;
}

/** A step that changes the submission alone. What its state does not allow changes nothing. */
export const stepOfSubmission = (
  dependencies: StepDependencies,
  step: Step,
  id: number,
  decide: (submission: Submission) => readonly SubmissionFact[],
): Promise<CommandResult<Submission>> =>
  submissions.step(dependencies, contextOf(step), id, (submission) => accepted(decide(submission)));

export interface DrawnLink {
  readonly submission: Submission;
  readonly secret: string;
  /** The digest under which the secret is stored. */
  readonly digest: string;
}

/** A link for the mail that this process sends; null where none is to be sent, or another process sends it. */
export async function drawSubmissionLink(
  dependencies: StepDependencies,
  step: Step,
  id: number,
): Promise<DrawnLink | null> {
  const secret = newLongSecret();
  const digest = secretDigest(secret);
  const result = await stepOfSubmission(dependencies, step, id, (submission) => drawLink(submission, digest, step.now));
  if (result.kind === 'rejected' || result.written.state.links.at(-1) !== digest) return null;
  return { submission: result.written.state, secret, digest };
}

/** Makes the proposal, once: the key leads a second confirmation, also one after a crash, to the same proposal. */
export function confirmSubmissionOf(
  dependencies: ProposalDependencies,
  step: Step,
  id: number,
  wish: Wish,
): Promise<ProposalResult> {
  const stream = streamOf('submission', id);
  const context: CommandContext = {
    ...contextOf(step),
    idempotencyKey: `submission ${id}`,
    async within(unit, attempt) {
      const { state } = await unit.load(stream, evolveSubmission);
      if (!state || !mayBeConfirmed(state, step.now)) return rejected('proposal_not_found');
      const result = await attempt();
      if (result.kind === 'planned') await unit.record(stream, confirmSubmission(state, result.id, step.now), 'last');
      return result;
    },
  };
  return proposeCreation(dependencies, context, 'event', { wish, note: '', submission: id });
}

/** The proposal goes first: a submission without it can be withdrawn again. */
export async function withdrawSubmissionOf(
  dependencies: CommandDependencies,
  step: Step,
  { id, proposal }: Submission,
): Promise<void> {
  const open = proposal === null ? null : await loadProposal(dependencies.store, proposal);
  if (open && isUndecided(open)) await stepProposal(dependencies, contextOf(step), open.id, 'withdraw', '');
  await stepOfSubmission(dependencies, step, id, withdrawSubmission);
}

/** What a reviewer has said when the proposal was sent back or rejected; '' if nothing was. */
export async function wordsOfReview(store: StreamReader, proposal: number): Promise<string> {
  const events = await store.readStream(streamOf('proposal', proposal));
  const last = events.findLast(({ type }) => type === 'ProposalChangesRequested' || type === 'ProposalRejected');
  return last ? factOf<Extract<ProposalFact, { type: 'ProposalRejected' }>>(last).data.text : '';
}

export const loadSubmission = async (store: StreamReader, id: number): Promise<Submission | null> =>
  fold(await store.readStream(streamOf('submission', id)), evolveSubmission);

export const loadProposal = async (store: StreamReader, id: number): Promise<Proposal | null> =>
  fold(await store.readStream(streamOf('proposal', id)), evolveProposal);

const TOKEN = /^([1-9]\d{0,14})-([\w-]{43})$/;

export const submissionToken = (id: number, secret: string): string => `${id}-${secret}`;

/** The submission that a private link is for; null for any other text. */
export async function submissionByToken(store: StreamReader, token: string): Promise<Submission | null> {
  const [, id, secret] = TOKEN.exec(token) ?? [];
  if (id === undefined || secret === undefined) return null;
  const submission = await loadSubmission(store, Number(id));
  const isOwn = submission?.links.some((link) => isSame(link, secretDigest(secret)));
  return submission && isOwn ? submission : null;
}
