// A named set of proposals that are carried out together: now or at an instant, all of them or none.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import { invalidParameter, type MemberProblem, type Rejection } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { Comment } from '../../proposals/domain/proposal.ts';

export const CHANGE_SET_STATES = ['open', 'scheduled', 'failed', 'applied', 'withdrawn'] as const;
type ChangeSetState = (typeof CHANGE_SET_STATES)[number];

export interface ChangeSet {
  readonly id: number;
  readonly name: string;
  /** What it is called in addresses: `set:spring`. */
  readonly key: string;
  readonly description: string;
  readonly author: number;
  readonly state: ChangeSetState;
  /** Ids of proposals, in the order in which they are carried out. */
  readonly proposals: readonly number[];
  readonly schedule: Schedule | null;
  /** Why it could not be carried out at its instant, or what was left out of a set that had begun. */
  readonly problems: readonly MemberProblem[];
  readonly opened: EpochSeconds;
  readonly modified: EpochSeconds;
  /** Who applied or withdrew it. */
  readonly decidedBy: number | null;
  /** The request that applied it: reverting that reverts the set. */
  readonly request: string | null;
  /** Since other proposals were collected or changes were requested; absent: none. */
  readonly approvals?: readonly Judgement[];
  /** Absent: no changes are asked for. */
  readonly changesRequested?: Judgement;
  /** Users other than its author who have judged it; absent: none. */
  readonly reviewers?: readonly number[];
  /** Absent: none. */
  readonly comments?: readonly Comment[];
}

/** What a reviewer has judged: its proposals as they were then. */
interface Judgement {
  readonly by: number;
  /** How often each of its proposals, in their order, had been revised. */
  readonly revisions: readonly number[];
}

/** When it is to be applied, and in whose name. */
interface Schedule {
  readonly at: EpochSeconds;
  readonly by: number;
  /** Its proposals as they were planned. Absent in schedules of earlier releases: they are applied as they are. */
  readonly seen?: readonly SeenMember[];
}

/** A proposal as it was when it was planned for the instant of its set, and by whom. */
export interface SeenMember {
  readonly proposal: number;
  /** How often it had been revised. */
  readonly revisions: number;
  readonly by: number;
}

interface Described {
  readonly name: string;
  readonly description: string;
}

interface By {
  readonly by: number;
}

/** A step of its review. The text is its writer's personal data. */
interface Step extends By {
  readonly text: string;
}

export type ChangeSetFact =
  | Fact<'ChangeSetOpened', Described & Pick<ChangeSet, 'id' | 'key' | 'author' | 'proposals'>>
  | Fact<'ChangeSetDescribed', Described & By>
  /** `seen`: what was added to a scheduled set. */
  | Fact<'ChangeSetCollected', Pick<ChangeSet, 'proposals'> & By & Pick<Schedule, 'seen'>>
  | Fact<'ChangeSetCommented', Step>
  | Fact<'ChangeSetChangesRequested', Step & Judgement>
  | Fact<'ChangeSetApproved', Step & Judgement>
  | Fact<'ChangeSetScheduled', Schedule>
  | Fact<'ChangeSetUnscheduled', By>
  /** It could not be applied at its instant: nothing was changed. */
  | Fact<'ChangeSetFailed', { readonly problems: readonly MemberProblem[] }>
  | Fact<'ChangeSetWithdrawn', By>
  /** Stands behind the facts of all its members. */
  | Fact<'ChangeSetApplied', By & { readonly request: string; readonly problems: readonly MemberProblem[] }>;

const PENDING: readonly ChangeSetState[] = ['open', 'scheduled', 'failed'];

/** Whether it can still be changed, scheduled and applied. */
export const isPending = ({ state }: Pick<ChangeSet, 'state'>): boolean => PENDING.includes(state);

const closed = ({ state }: ChangeSet): Decision<never> => rejected({ code: 'set_closed', details: { state } });

export const openChangeSet = (
  opened: Described & Pick<ChangeSet, 'id' | 'key' | 'author' | 'proposals'>,
): Decision<ChangeSetFact> => accepted([{ type: 'ChangeSetOpened', data: opened }]);

/** Another name, description or collection; what is omitted stays. `seen`: what is added, if the set is scheduled. */
export function changeChangeSet(
  set: ChangeSet,
  { name = set.name, description = set.description, proposals = set.proposals }: Partial<ChangeSet>,
  by: number,
  seen: readonly SeenMember[] = [],
): Decision<ChangeSetFact> {
  if (!isPending(set)) return closed(set);
  const isDescribed = name !== set.name || description !== set.description;
  const isCollected = proposals.join() !== set.proposals.join();
  return accepted([
    ...(isDescribed ? [{ type: 'ChangeSetDescribed', data: { name, description, by } } as const] : []),
    ...(isCollected
      ? [{ type: 'ChangeSetCollected', data: { proposals, by, ...(seen.length > 0 && { seen }) } } as const]
      : []),
  ]);
}

/** Schedules it for an instant to come. */
export function scheduleChangeSet(set: ChangeSet, schedule: Schedule, now: EpochSeconds): Decision<ChangeSetFact> {
  if (!isPending(set)) return closed(set);
  if (set.proposals.length === 0) return rejected('set_empty');
  if (schedule.at <= now) return rejected({ code: 'invalid_parameter', parameter: 'at' });
  const planned = set.schedule?.seen ?? [];
  const isPlanned = (one: SeenMember): boolean =>
    planned.some(({ proposal, revisions }) => proposal === one.proposal && revisions === one.revisions);
  if (set.schedule?.at === schedule.at && (schedule.seen ?? []).every(isPlanned)) return accepted([]);
  return accepted([{ type: 'ChangeSetScheduled', data: schedule }]);
}

export function unscheduleChangeSet(set: ChangeSet, by: number): Decision<ChangeSetFact> {
  if (!isPending(set)) return closed(set);
  return accepted(set.schedule ? [{ type: 'ChangeSetUnscheduled', data: { by } }] : []);
}

export const withdrawChangeSet = (set: ChangeSet, by: number): Decision<ChangeSetFact> =>
  isPending(set) ? accepted([{ type: 'ChangeSetWithdrawn', data: { by } }]) : closed(set);

export const commentOnChangeSet = (_set: ChangeSet, { by, text }: Step): Decision<ChangeSetFact> =>
  text === '' ? rejected(invalidParameter('text')) : accepted([{ type: 'ChangeSetCommented', data: { by, text } }]);

/** Approves it as it is. Authors do not approve their own sets, nor sets with nothing but their own proposals. */
export function approveChangeSet(
  set: ChangeSet,
  step: Step & Judgement,
  authors: readonly number[],
): Decision<ChangeSetFact> {
  const refusal = refusalToJudge(set, step);
  if (refusal) return rejected(refusal);
  if (authors.every((author) => author === step.by)) return rejected('own_proposal');
  const isApproved = approvalsOf(set, step.revisions).includes(step.by);
  if (isApproved) return rejected('set_already_approved');
  return accepted([{ type: 'ChangeSetApproved', data: step }]);
}

/** Asks for changes, which takes back the approvals that it has. */
export function requestChangesOfSet(set: ChangeSet, step: Step & Judgement): Decision<ChangeSetFact> {
  const refusal = refusalToJudge(set, step);
  return refusal ? rejected(refusal) : accepted([{ type: 'ChangeSetChangesRequested', data: step }]);
}

function refusalToJudge(set: ChangeSet, { by }: By): Rejection | null {
  return by === set.author ? { code: 'own_set' } : refusalToApply(set);
}

/** Whether its proposals are still what was judged. Another collection removes every judgement. */
const isAsJudged = (judged: Judgement, revisions: readonly number[]): boolean =>
  judged.revisions.join() === revisions.join();

/** Who has approved it as it is: approvals are void once one of its proposals has been revised. */
export const approvalsOf = (
  { approvals = [] }: Pick<ChangeSet, 'approvals'>,
  revisions: readonly number[],
): readonly number[] => approvals.filter((one) => isAsJudged(one, revisions)).map(({ by }) => by);

/** Who has asked for changes of it as it is; null: there is none. */
export const requesterOf = (
  { changesRequested }: Pick<ChangeSet, 'changesRequested'>,
  revisions: readonly number[],
): number | null => (changesRequested && isAsJudged(changesRequested, revisions) ? changesRequested.by : null);

/** Whether its members may be carried out now; null: they may. */
export function refusalToApply(set: ChangeSet): Rejection | null {
  if (!isPending(set)) return { code: 'set_closed', details: { state: set.state } };
  return set.proposals.length === 0 ? { code: 'set_empty' } : null;
}

export const evolveChangeSet: Evolve<ChangeSet, ChangeSetFact> = (set, fact, at) => {
  if (fact.type === 'ChangeSetOpened') {
    const blank = { schedule: null, problems: [], decidedBy: null, request: null };
    return { ...fact.data, ...blank, state: 'open', opened: at, modified: at };
  }
  if (!set) throw new UnexpectedFact(fact);
  const modified = at;
  switch (fact.type) {
    case 'ChangeSetDescribed':
      return { ...set, modified, name: fact.data.name, description: fact.data.description };
    case 'ChangeSetCollected':
      return { ...unjudged(set), modified, proposals: fact.data.proposals, schedule: scheduleWith(set, fact.data) };
    case 'ChangeSetCommented':
      return { ...commented(set, fact.data, at), modified };
    case 'ChangeSetChangesRequested': {
      const { by, revisions } = fact.data;
      return { ...unjudged(reviewed(set, fact.data, at)), modified, changesRequested: { by, revisions } };
    }
    case 'ChangeSetApproved': {
      const { by, revisions } = fact.data;
      const others = (set.approvals ?? []).filter((one) => one.by !== by);
      return { ...unjudged(reviewed(set, fact.data, at)), modified, approvals: [...others, { by, revisions }] };
    }
    case 'ChangeSetScheduled':
      return { ...set, modified, state: 'scheduled', schedule: fact.data, problems: [] };
    case 'ChangeSetUnscheduled':
      return { ...set, modified, state: 'open', schedule: null };
    case 'ChangeSetFailed':
      return { ...set, modified, state: 'failed', schedule: null, problems: fact.data.problems };
    case 'ChangeSetWithdrawn':
      return { ...set, modified, state: 'withdrawn', schedule: null, decidedBy: fact.data.by };
    case 'ChangeSetApplied': {
      const { by, request, problems } = fact.data;
      return { ...set, modified, state: 'applied', schedule: null, decidedBy: by, request, problems };
    }
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};

function scheduleWith({ schedule }: ChangeSet, { seen = [] }: Pick<Schedule, 'seen'>): Schedule | null {
  return schedule?.seen === undefined ? schedule : { ...schedule, seen: [...schedule.seen, ...seen] };
}

/** Judgements are about what it was. */
function unjudged({ approvals: _, changesRequested: __, ...set }: ChangeSet): ChangeSet {
  return set;
}

function reviewed(set: ChangeSet, step: Step, at: EpochSeconds): ChangeSet {
  const { reviewers = [] } = set;
  const all = reviewers.includes(step.by) ? reviewers : [...reviewers, step.by];
  return { ...commented(set, step, at), reviewers: all };
}

function commented(set: ChangeSet, { by, text }: Step, at: EpochSeconds): ChangeSet {
  return text === '' ? set : { ...set, comments: [...(set.comments ?? []), { by, at, text }] };
}

/** What is under way and what is to come, of all sets: the stream `change-sets`. */
export interface Agenda {
  readonly scheduled: ReadonlyMap<number, EpochSeconds>;
  /** The one set whose facts are being written; null: none is. */
  readonly underWay: Beginning | null;
}

/** Everything that its completion needs: it is completed as it was begun. */
export interface Beginning {
  readonly set: number;
  readonly at: EpochSeconds;
  readonly by: number;
  readonly request: string;
  /** How often each of its proposals had been revised: nothing else is carried out. Sets of earlier releases lack it. */
  readonly revisions?: readonly number[];
}

export type AgendaFact =
  /** Scheduled for an instant; null: not any more. */
  | Fact<'ChangeSetAnnounced', { readonly set: number; readonly at: EpochSeconds | null }>
  /** Stands before the first fact of its members: a set that has begun is completed. */
  | Fact<'ChangeSetBegun', Beginning>
  /** Stands behind the last fact of its members. */
  | Fact<'ChangeSetEnded', { readonly set: number }>;

export const NO_AGENDA: Agenda = { scheduled: new Map(), underWay: null };

export const evolveAgenda: Evolve<Agenda, AgendaFact> = (agenda, fact) => {
  const { scheduled, underWay } = agenda ?? NO_AGENDA;
  switch (fact.type) {
    case 'ChangeSetAnnounced': {
      const { set, at } = fact.data;
      const others = [...scheduled].filter(([other]) => other !== set);
      return { underWay, scheduled: new Map(at === null ? others : [...others, [set, at]]) };
    }
    case 'ChangeSetBegun':
      return { scheduled, underWay: fact.data };
    case 'ChangeSetEnded':
      return { scheduled: new Map([...scheduled].filter(([set]) => set !== fact.data.set)), underWay: null };
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};
