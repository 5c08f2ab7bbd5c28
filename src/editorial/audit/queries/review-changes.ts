// Steps of review in the feed of changes: of proposals, of sets of them, and of what there is once: the rules of review, and
// the settings of the site.

import { SITE_SETTINGS_STREAM } from '../../../calendar/site/domain/site-settings.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { ENGLISH, languageOf } from '../../../locales/languages.ts';
import type { RecordedEvent } from '../../../log/envelope.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import { mayAssignAuthors, representativeOf } from '../../../people/auth/policy.ts';
import { approvingRoles } from '../../../people/auth/proposal-rights.ts';
import type { ChangeSetFact } from '../../change-sets/domain/change-set.ts';
import type { GuestLink, GuestLinkFact } from '../../guest-links/domain/guest-link.ts';
import { sentenceForUnknown } from '../../history/queries/describe-change.ts';
import type { Change } from '../../history/queries/field-changes.ts';
import { frameOf, type HistoryEntry } from '../../history/queries/history.ts';
import { policyHistory } from '../../history/queries/policy-history.ts';
import { seriesHistory } from '../../history/queries/series-history.ts';
import { settingsHistory } from '../../history/queries/settings-history.ts';
import type { ProposalFact, Target } from '../../proposals/domain/proposal.ts';
import { REVIEW_POLICY_STREAM } from '../../review-rules/domain/review-policy.ts';
import { SERIES_PREFIX } from '../../series/facts/occurrences.ts';
import { type ConcernDependencies, type Concerned, openConcerns } from './concerned.ts';

export const REVIEW_KINDS = [
  'proposal',
  'set',
  'policy',
  'settings',
  'picture',
  'series',
  'webhook',
  'source',
  'guest',
] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/** Kinds of which there is one, with the id 1. */
type SingleKind = Extract<ReviewKind, 'policy' | 'settings'>;
export const isSingle = (kind: string): kind is SingleKind => kind === 'policy' || kind === 'settings';

/** Prefixes of the streams of proposals and sets, and those of the rules and settings. */
export const REVIEW_STREAMS = {
  proposal: 'proposal-',
  set: 'set-',
  policy: REVIEW_POLICY_STREAM,
  settings: SITE_SETTINGS_STREAM,
  picture: 'picture-',
  series: SERIES_PREFIX,
  webhook: 'webhook-',
  source: 'source-',
  guest: 'guest-',
} as const satisfies { readonly [Kind in ReviewKind]: string };

/** What a change says of a step of review, besides what every change says. */
export interface ReviewDetails {
  /** What a proposal is about. */
  readonly target?: Target;
  /** Those who are concerned by a proposal or a set, and may see what it is about. */
  readonly concerned?: readonly Concerned[];
  /** The roles that may approve a proposal or a set that waits for approval. */
  readonly asked_roles?: readonly string[];
  /** What rules and settings were, and what they are. */
  readonly changes?: readonly Change[];
}

type ReviewChange = Omit<HistoryEntry, 'changes'> & ReviewDetails;

interface Step {
  readonly kind: ReviewKind;
  readonly id: number;
  readonly event: RecordedEvent;
}

/** Steps after which a proposal waits for its reviewers. */
const ASKING: readonly string[] = [
  'ProposalOpened',
  'ProposalRevised',
  'ProposalApprovalGiven',
  'ProposalReleased',
] satisfies ProposalFact['type'][];

const ASKING_OF_SET: readonly string[] = [
  'ChangeSetOpened',
  'ChangeSetCollected',
  'ChangeSetApproved',
] satisfies ChangeSetFact['type'][];

const ROLES_FOR_SETS = ROLES.filter((role) => mayAssignAuthors(representativeOf(role)));

const SINGLE_HISTORIES = { policy: policyHistory, settings: settingsHistory } as const;

/** Open it for one answer. */
export function openReviewChanges(dependencies: ConcernDependencies) {
  const { display, actors, sentences = ENGLISH.sentences } = dependencies;
  const concerns = openConcerns(dependencies);
  const historyOfSeries = askedOnce((id: number) => seriesHistory(dependencies.store, languageOf(sentences), id));
  /** Sentences that name nothing. A newer version may write other types. */
  const plain: { readonly [type: string]: string } = {
    ...sentences.pictures,
    ...sentences.webhooks,
    ...sentences.sources,
  };
  const historyOfSingle = askedOnce((kind: SingleKind) => SINGLE_HISTORIES[kind]({ ...dependencies, sentences }));

  async function ofSingle(kind: SingleKind, { revision }: RecordedEvent): Promise<ReviewChange> {
    const entry = (await historyOfSingle(kind)).find((one) => one.revision === revision);
    if (!entry) throw new Error(`${kind} has no revision ${revision}`);
    return entry;
  }

  async function ofProposal({ id, event }: Step): Promise<Pick<ReviewChange, 'summary'> & ReviewDetails> {
    const proposal = await concerns.proposal(id);
    const { type } = event;
    return {
      // Types of streams of proposals are those of their facts; a newer version may have others.
      summary: sentences.proposals[type as ProposalFact['type']] ?? sentenceForUnknown(sentences, type),
      ...(proposal && { target: proposal.target }),
      concerned: await concerns.byProposal(id),
      ...(proposal && ASKING.includes(type) && { asked_roles: approvingRoles(proposal.target.kind) }),
    };
  }

  async function ofSet({ id, event: { type } }: Step): Promise<Pick<ReviewChange, 'summary'> & ReviewDetails> {
    const name = (await concerns.set(id))?.name ?? String(id);
    // As above.
    const sentence = sentences.sets[type as ChangeSetFact['type']] ?? sentenceForUnknown(sentences, type);
    return {
      summary: sentence.replace('{name}', () => name),
      concerned: await concerns.bySet(id),
      // Whose writes are direct asks for no approval.
      ...(ASKING_OF_SET.includes(type) && (await isReviewed(id)) && { asked_roles: ROLES_FOR_SETS }),
    };
  }

  const isReviewed = async (set: number): Promise<boolean> => ((await concerns.reviewOfSet(set))?.needed ?? 0) > 0;

  /** Whom it is for, and what was said, is personal data. */
  function ofGuest({ event: { type, data } }: Step): Pick<ReviewChange, 'summary'> {
    // As above; each fact of a link names what it opens.
    const sentence = sentences.guests[type as GuestLinkFact['type']] ?? sentenceForUnknown(sentences, type);
    const { kind, id } = (data as unknown as Pick<GuestLink, 'target'>).target;
    return { summary: sentence.replace('{what}', () => `${kind}:${id}`) };
  }

  async function ofSeries({ id, event: { revision } }: Step): Promise<Pick<ReviewChange, 'summary'>> {
    const step = (await historyOfSeries(id)).find(({ event }) => event.revision === revision);
    return { summary: step?.summary ?? '' };
  }

  async function ofStep(step: Step): Promise<Pick<ReviewChange, 'summary'> & ReviewDetails> {
    const { kind, event } = step;
    if (kind === 'guest') return ofGuest(step);
    if (kind === 'series') return ofSeries(step);
    if (kind === 'set') return ofSet(step);
    if (kind === 'proposal') return ofProposal(step);
    return { summary: plain[event.type] ?? sentenceForUnknown(sentences, event.type) };
  }

  return {
    /** Whether a caller who does not see all proposals sees this one. */
    maySeeProposal: concerns.maySeeProposal,
    async describe(step: Step): Promise<ReviewChange> {
      const { kind, event } = step;
      if (isSingle(kind)) return ofSingle(kind, event);
      const { summary, ...details } = await ofStep(step);
      const { type, metadata } = event;
      return {
        ...(await frameOf(event, display, actors)),
        reason: metadata.reason ?? null,
        type,
        summary,
        correlation_id: metadata.correlationId,
        ...details,
      };
    },
  };
}
