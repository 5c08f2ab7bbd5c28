// Who is concerned by a step of review, so that others can notify them: only users who may see what it is about.
import { LRUCache } from 'lru-cache';
import type { Evolve, Fact } from '../../../domain/decider.ts';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import { type Actor, fold } from '../../../log/envelope.ts';
import { EventStoreUnavailable } from '../../../log/event-store.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import { partsIn, type TargetSubject } from '../../../people/auth/proposal-rights.ts';
import type { Actors } from '../../../people/users/facts/actors.ts';
import { type ChangeSet, evolveChangeSet } from '../../change-sets/domain/change-set.ts';
import { evolveSetMember, reviewOf, type SetReview } from '../../change-sets/domain/set-review.ts';
import type { HistoryDependencies } from '../../history/queries/history.ts';
import { readResourceEvents, stepsOf } from '../../history/queries/resource.ts';
import type { Concern, Proposal, Target } from '../../proposals/domain/proposal.ts';
import { DEFAULT_POLICY, evolveReviewPolicy, REVIEW_POLICY_STREAM } from '../../review-rules/domain/review-policy.ts';

export interface Concerned extends Actor {
  readonly as: readonly Concern[];
}

/** By user. */
type Groups = ReadonlyMap<number, readonly Concern[]>;

export interface ConcernDependencies extends HistoryDependencies {
  readonly actors: Actors;
}

/** A long audit comes by many. */
const MAX_LOADED = 1_000;

/** Reads each proposal and set once: open it for one answer. */
export function openConcerns(dependencies: ConcernDependencies) {
  const { actors } = dependencies;
  const member = once((id: number) => loadState(dependencies, `proposal-${id}`, evolveSetMember));
  const proposal = async (id: number): Promise<Proposal | null> => (await member(id))?.proposal ?? null;
  const set = once((id: number) => loadState(dependencies, `set-${id}`, evolveChangeSet));
  const groupsOf = once(async (id: number): Promise<Groups> => {
    const state = await proposal(id);
    if (!state) return new Map();
    const subject = await loadSubject(dependencies, state.target);
    const groups = new Map<number, readonly Concern[]>();
    for (const [user, as] of concernsIn(state, subject)) {
      if (partsIn(await callerOf(user), state, subject).length > 0) groups.set(user, as);
    }
    return groups;
  });
  const callerOf = async (user: number): Promise<Caller> => {
    const role = await actors.presentRoleOf(user);
    return role && { id: user, login: '', name: '', role };
  };
  const named = (groups: Groups): Promise<readonly Concerned[]> =>
    Promise.all([...groups].map(async ([id, as]) => ({ ...(await actors.person(id)), as })));

  const bySet = once(async (id: number): Promise<readonly Concerned[]> => {
    const changeSet = await set(id);
    if (!changeSet) return [];
    const groups = new Map<number, readonly Concern[]>();
    const add = (user: number, as: readonly Concern[]): void => {
      groups.set(user, [...new Set([...(groups.get(user) ?? []), ...as])]);
    };
    for (const [user, as] of concernsInSet(changeSet, (await reviewOfSet(id))?.approvals ?? []))
      if (mayAssignAuthors(await callerOf(user))) add(user, as);
    for (const one of changeSet.proposals) {
      for (const [user, as] of await groupsOf(one)) add(user, as);
    }
    return named(groups);
  });

  const reviewOfSet = once(async (id: number): Promise<SetReview | null> => {
    const found = await set(id);
    if (!found) return null;
    const members = [];
    for (const one of found.proposals) {
      members.push(await member(one));
    }
    const rules = await loadState(dependencies, REVIEW_POLICY_STREAM, evolveReviewPolicy);
    return reviewOf(
      found,
      members.filter((one) => one !== null),
      rules ?? DEFAULT_POLICY,
    );
  });

  return {
    /** Null if there is none, or this version cannot read it. */
    proposal,
    set,
    /** Whether a caller who does not see all proposals sees this one. */
    async maySeeProposal(id: number, caller: Caller) {
      const state = await proposal(id);
      return state !== null && partsIn(caller, state, await loadSubject(dependencies, state.target)).length > 0;
    },
    byProposal: async (id: number): Promise<readonly Concerned[]> => named(await groupsOf(id)),
    /** The author of the set, those who have judged it, and those who are concerned by its proposals. */
    bySet,
    /** How far the review of a set is, by the rules of now; null as above. */
    reviewOfSet,
  };
}

const once = <Value>(load: (id: number) => Promise<Value>): ((id: number) => Promise<Value>) =>
  askedOnce(load, new LRUCache<number, Promise<Value>>({ max: MAX_LOADED }));

function concernsIn({ author, reviewers, approvals = [], state, decidedBy }: Proposal, subject: TargetSubject): Groups {
  const isApproved = state === 'approved' || state === 'applied';
  return groupsFrom([
    ['author', [author]],
    ['reviewer', reviewers],
    ['approver', isApproved && decidedBy !== null ? [...approvals, decidedBy] : approvals],
    ['owner', subject ? [subject.author] : []],
  ]);
}

const concernsInSet = ({ author, reviewers = [] }: ChangeSet, approvals: readonly number[]): Groups =>
  groupsFrom([
    ['set_author', [author]],
    ['reviewer', reviewers],
    ['approver', approvals],
  ]);

function groupsFrom(of: readonly (readonly [Concern, readonly number[]])[]): Groups {
  const users = new Set(of.flatMap(([, ids]) => ids));
  return new Map([...users].map((user) => [user, of.filter(([, ids]) => ids.includes(user)).map(([as]) => as)]));
}

/** The post that a proposal is about; null for a term, and while there is none. */
async function loadSubject(dependencies: HistoryDependencies, target: Target): Promise<TargetSubject> {
  const events = await readResourceEvents(dependencies, target);
  const state = stepsOf(dependencies, target.kind, events).at(-1)?.state ?? null;
  return state && 'author' in state ? { ...state, protected: state.passwordHash !== null } : null;
}

async function loadState<State, F extends Fact>(
  { store }: HistoryDependencies,
  stream: string,
  evolve: Evolve<State, F>,
): Promise<State | null> {
  try {
    return fold(await store.readStream(stream), evolve);
  } catch (error) {
    if (error instanceof EventStoreUnavailable) throw error;
    return null;
  }
}
