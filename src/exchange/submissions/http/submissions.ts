// What the pages of submissions need: the ticket of a form, the check of what was typed, and the steps of a submission.
import { createHmac, randomBytes } from 'node:crypto';
import { eventCreate } from '../../../calendar/event/http/event-schema.ts';
import type { ProposalDependencies } from '../../../editorial/proposals/commands/proposals.ts';
import type { ProposalState, Wish } from '../../../editorial/proposals/domain/proposal.ts';
import { ApiError, rejectionError } from '../../../http/errors.ts';
import { networkOf } from '../../../http/limits/client-address.ts';
import { openWindows } from '../../../http/limits/windows.ts';
import { compileInput } from '../../../http/parameters/compile.ts';
import { eventInput } from '../../../http/parameters/inputs.ts';
import type { Lookups } from '../../../http/parameters/lookups.ts';
import { emptyMap, type ParameterMap } from '../../../http/parameters/parameter-map.ts';
import { textAsHtml } from '../../../kernel/text/plain-text.ts';
import type { EpochSeconds, Zone } from '../../../kernel/time/zone.ts';
import type { Language } from '../../../locales/language.ts';
import { isSame } from '../../../people/auth/sessions.ts';
import type { SubmissionWatch } from '../commands/submission-watch.ts';
import {
  confirmSubmissionOf,
  loadProposal,
  PUBLIC_SENDER,
  problemOfWish,
  receiveSubmission,
  type Step,
  submissionByToken,
  withdrawSubmissionOf,
  wordsOfReview,
} from '../commands/submissions.ts';
import type { Sender, Submission, SubmittedForm } from '../domain/submission.ts';

/** What is wrong with each field, in words; the empty name is the form as a whole. */
export type FormProblems = { readonly [field: string]: string };

/** Why a form is not taken, beside what its fields say. */
export type FormRefusal = 'too_quick' | 'too_old' | 'too_many' | 'too_many_of_mail' | 'full';

type Outcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly why: FormRefusal }
  | { readonly kind: 'problems'; readonly problems: FormProblems };

interface Asking extends Step {
  readonly language: Language;
}

interface Submitting extends Asking {
  readonly sender: Sender;
  readonly form: SubmittedForm;
  readonly site: string;
  readonly ticket: string;
  /** The address that limits count by; null if it may be shared by many. */
  readonly client: string | null;
}

/** A submission as its sender sees it. */
export interface FollowedSubmission {
  readonly submission: Submission;
  /** Null before its confirmation. */
  readonly proposal: { readonly state: ProposalState; readonly event: number; readonly said: string } | null;
}

export type Submissions = ReturnType<typeof openSubmissions>;

interface SubmissionOptions {
  readonly commands: ProposalDependencies;
  readonly watch: SubmissionWatch;
  readonly lookups: Lookups;
  readonly siteZone: Zone;
  /** The secret behind tickets; the same in every process. */
  readonly pepper: () => Promise<Uint8Array>;
  readonly elapsed: () => number;
  readonly limits?: SubmissionLimits;
}

/** How many are taken. */
export interface SubmissionLimits {
  /** From one address within an hour. */
  readonly ofClient: number;
  /** From one address that many may share, behind a proxy, within an hour. */
  readonly shared: number;
  /** From one mailbox within a day. */
  readonly ofMailbox: number;
  /** All together, unconfirmed. */
  readonly waiting: number;
}

/** However little room is left. */
const LEAST_OF_NETWORK = 3;
/** The part of the free places that one network may have: the fewer there are, the fewer it gets, so that some are left. */
const PART_OF_NETWORK = 1 / 50;

export const SUBMISSION_LIMITS: SubmissionLimits = { ofClient: 20, shared: 200, ofMailbox: 5, waiting: 1_000 };

const MIN_SECONDS = 2;
const MAX_SECONDS = 12 * 3_600;
const HOUR_MS = 3_600_000;

export function openSubmissions(options: SubmissionOptions) {
  const { commands, watch, pepper, elapsed, limits = SUBMISSION_LIMITS } = options;
  const check = compileInput(eventCreate, 'write');
  const clients = openWindows({ elapsed, lengthMs: HOUR_MS, maxKeys: 10_000 });
  /** The networks of submissions that wait, as far as this process has taken them. */
  const networks = new Map<number, string>();

  /** Whether the network of a client has its part of the places that are free. */
  function hasItsPart(client: string, waiting: readonly Submission[]): boolean {
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of networks.keys()) if (!ids.has(id)) networks.delete(id);
    const network = networkOf(client);
    const own = [...networks.values()].filter((one) => one === network).length;
    return own >= Math.max(LEAST_OF_NETWORK, (limits.waiting - waiting.length) * PART_OF_NETWORK);
  }

  const signed = async (text: string): Promise<string> =>
    createHmac('sha256', await pepper())
      .update(`submission form ${text}`)
      .digest('base64url');

  async function ageOf(ticket: string, now: EpochSeconds): Promise<number | null> {
    const [, text = '', mark = ''] = /^(\d{1,12}\.[\w-]{16})\.([\w-]{43})$/.exec(ticket) ?? [];
    return isSame(await signed(text), mark) ? now - Number.parseInt(text, 10) : null;
  }

  async function refusalOf({ ticket, now, client, sender }: Submitting): Promise<FormRefusal | null> {
    const age = await ageOf(ticket, now);
    if (age === null || age > MAX_SECONDS) return 'too_old';
    if (age < MIN_SECONDS) return 'too_quick';
    const used = clients.look(client ?? '')?.count ?? 0;
    if (used >= (client === null ? limits.shared : limits.ofClient)) return 'too_many';
    await watch.look(now);
    if (watch.countOf(sender.email, now) >= limits.ofMailbox) return 'too_many_of_mail';
    const waiting = watch.waiting();
    if (waiting.length >= limits.waiting) return 'full';
    return client !== null && hasItsPart(client, waiting) ? 'too_many' : null;
  }

  /** What was typed as the input of a command, or what is wrong with it. */
  async function read(
    { now, language }: Asking,
    form: SubmittedForm,
  ): Promise<Wish | { readonly wrong: FormProblems }> {
    const members = Object.assign(emptyMap(), membersOf(form));
    try {
      const question = { caller: PUBLIC_SENDER, now, siteZone: options.siteZone, lookups: options.lookups };
      const checked = await check({ ...question, slug: undefined, values: members });
      // As this schema's check makes it.
      return eventInput(checked as Parameters<typeof eventInput>[0]) as Wish;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return { wrong: problemsIn(error, language) };
    }
  }

  /** The wish, decided on the log of now without being written. */
  async function tried(asking: Asking, form: SubmittedForm): Promise<Wish | { readonly wrong: FormProblems }> {
    const wish = await read(asking, form);
    if ('wrong' in wish) return wish;
    const rejection = await problemOfWish(commands, asking, wish);
    return rejection ? { wrong: problemsIn(rejectionError(rejection, PUBLIC_SENDER), asking.language) } : wish;
  }

  const isWrong = (wish: object): wish is { readonly wrong: FormProblems } => 'wrong' in wish;

  return {
    /** A ticket for a form that is shown now. */
    async ticket(now: EpochSeconds) {
      const text = `${now}.${randomBytes(12).toString('base64url')}`;
      return `${text}.${await signed(text)}`;
    },
    /** Checks what was typed and records it. */
    async take(submitting: Submitting): Promise<Outcome> {
      const { sender, form, site, language, ticket, now, correlationId, client } = submitting;
      const why = await refusalOf(submitting);
      if (why) return { kind: 'refused', why };
      const wish = await tried(submitting, form);
      if (isWrong(wish)) return { kind: 'problems', problems: wish.wrong };
      clients.take(client ?? '');
      const received = { ...sender, form, site, language: language.code };
      const result = await receiveSubmission(commands, { now, correlationId }, received, `submission form ${ticket}`);
      if (result.kind === 'rejected') throw rejectionError(result.rejection, null);
      if (client !== null) networks.set(result.written.id, networkOf(client));
      return { kind: 'taken' };
    },
    /** Null: the text is no link of a submission. */
    async find(token: string): Promise<FollowedSubmission | null> {
      const submission = await submissionByToken(commands.store, token);
      if (submission === null) return null;
      const proposal = submission.proposal === null ? null : await loadProposal(commands.store, submission.proposal);
      if (proposal === null) return { submission, proposal };
      const said = await wordsOfReview(commands.store, proposal.id);
      return { submission, proposal: { state: proposal.state, event: proposal.target.id, said } };
    },
    /** What keeps it from becoming a proposal, if anything does. */
    async confirm(asking: Asking, { id, form }: Submission): Promise<FormProblems | null> {
      const wish = await tried(asking, form);
      if (isWrong(wish)) return wish.wrong;
      const result = await confirmSubmissionOf(commands, asking, id, wish);
      // It was confirmed, withdrawn or too late meanwhile: its page says which.
      const isSettled = result.kind === 'written' || result.rejection.code === 'proposal_not_found';
      if (isSettled) return null;
      throw rejectionError(result.rejection, null);
    },
    withdraw: (step: Step, submission: Submission) => withdrawSubmissionOf(commands, step, submission),
  };
}

/** Members of a new event. Texts are plain: what looks like markup is shown as it was typed. */
function membersOf(form: SubmittedForm): ParameterMap {
  const isAllDay = form.all_day !== '';
  const venue = { venue: textAsHtml(form.venue), address: form.address, city: form.city, status: 'publish' };
  return {
    title: textAsHtml(form.title),
    start_date: form.start_date,
    end_date: form.end_date === '' ? form.start_date : form.end_date,
    all_day: isAllDay,
    status: 'publish',
    ...(form.description !== '' && { description: textAsHtml(form.description) }),
    ...(form.website !== '' && { website: form.website }),
    ...(form.cost !== '' && { cost: form.cost }),
    ...(form.categories !== '' && { categories: form.categories.split('\n').map(Number) }),
    ...(form.venue_id !== '' && { venue: Number(form.venue_id) }),
    ...(form.venue !== '' && form.venue_id === '' && { venue: [venue] }),
  };
}

/** What the API says to its parameters, which have the names of the fields. */
function problemsIn(error: ApiError, language: Language): FormProblems {
  const { params } = error.dataIn(language);
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return { '': error.text(language) };
  return params as FormProblems; // The catalogue's form of invalid parameters.
}
