// What will be in the log at an instant to come, written nowhere: scheduled posts are published, and proposals carried
// out, by the commands that will do it, on a store that discards what they append.
// decision 23

import { idOfStream } from '../calendar/resource/commands/references.ts';
import type { Rejection } from '../domain/rejections.ts';
import { applyChangeSet, applyDueChangeSet } from '../editorial/change-sets/commands/apply.ts';
import { loadAgenda, loadChangeSet } from '../editorial/change-sets/commands/load.ts';
import { unfitness } from '../editorial/proposals/commands/approve.ts';
import { decideWishWithIds } from '../editorial/proposals/commands/decide-wish.ts';
import {
  howOf,
  type ProposalDependencies,
  presentTarget,
  subjectOf,
} from '../editorial/proposals/commands/proposals.ts';
import { evolveProposal, isUndecided } from '../editorial/proposals/domain/proposal.ts';
import { type DuePost, type PublicationContext, publishDue } from '../editorial/schedule/commands/publish-due.ts';
import type { EpochSeconds } from '../kernel/time/zone.ts';
import { fold, type RecordedEvent } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import { mayAssignAuthors } from '../people/auth/policy.ts';
import { partsIn } from '../people/auth/proposal-rights.ts';
import type { CommandContext } from './context.ts';
import { onDryRun } from './dry-run.ts';
import { openDryRunStore } from './dry-run-store.ts';
import { streamOf } from './reservations/reservations.ts';
import { ownerOfSlug } from './reservations/slugs.ts';

/** What is to count as carried out: a proposal by its id, a set by its id or key. */
interface AheadMember {
  readonly kind: 'proposal' | 'set';
  readonly name: string;
}

export function openAheadRun(dependencies: ProposalDependencies) {
  const { store, streamsSince } = openNotingStore(dependencies.store);
  const onRun = onDryRun(dependencies, store);

  async function carryOutSet(context: CommandContext, name: string): Promise<Rejection | null> {
    const owner = /^\d+$/.test(name) ? streamOf('set', Number(name)) : await ownerOfSlug(store, 'set', name);
    const set = owner === null ? null : await loadChangeSet(store, idOfStream(owner));
    if (!set || !mayAssignAuthors(context.caller)) return { code: 'set_not_found' };
    const result = await applyChangeSet(onRun, context, set.state.id);
    if (result.kind === 'unfit') return { code: 'set_unfit' };
    return result.kind === 'rejected' ? result.rejection : null;
  }

  async function carryOutProposal(context: CommandContext, id: number): Promise<Rejection | null> {
    const proposal = fold(await store.readStream(streamOf('proposal', id)), evolveProposal);
    if (!proposal) return { code: 'proposal_not_found' };
    const present = await presentTarget(onRun, proposal.target);
    const parts = partsIn(context.caller, proposal, subjectOf(present.state));
    if (parts.length === 0) return { code: 'proposal_not_found' };
    if (!isUndecided(proposal)) return { code: 'proposal_closed', details: { state: proposal.state } };
    const problem = unfitness(onRun.fieldsOf, proposal, present);
    if (problem) return problem;
    const carryingOut = { ...context, proposal: { id, author: proposal.author } };
    const how = howOf(proposal, present.state);
    const decided = await decideWishWithIds(onRun, carryingOut, proposal.target, proposal.wish, how);
    if (decided.kind === 'rejected') return decided.rejection;
    const outcome = await store.append(decided.appends);
    return outcome.kind === 'appended' ? null : { code: 'busy' };
  }

  return {
    /** Carries out a proposal that the caller may see, or all of a set; null, or why it cannot be. */
    carryOut: (context: CommandContext, { kind, name }: AheadMember): Promise<Rejection | null> =>
      kind === 'set' ? carryOutSet(context, name) : carryOutProposal(context, Number(name)),
    /** The instants of the scheduled sets, by id. */
    scheduledSets: async (): Promise<ReadonlyMap<number, EpochSeconds>> => (await loadAgenda(store)).scheduled,
    /** Applies a scheduled set at its instant, if it fits. */
    async apply(context: PublicationContext, set: number) {
      await applyDueChangeSet(onRun, context, set);
    },
    /** Publishes a scheduled post as the publisher will. */
    async publish(context: PublicationContext, post: DuePost) {
      await publishDue(onRun, context, post);
    },
    /** What has been appended since the last call, stream by stream. */
    takeAppended: streamsSince,
  };
}

/** A dry run that notes what it appends. */
function openNotingStore(log: EventStore) {
  const dry = openDryRunStore(log);
  let appended: { readonly stream: string; readonly from: number; readonly to: number }[] = [];
  const store: EventStore = {
    ...dry,
    async append(appends) {
      const outcome = await dry.append(appends);
      if (outcome.kind !== 'appended') return outcome;
      for (const [index, { stream, events }] of appends.entries()) {
        const to = outcome.written[index]?.revision ?? -1;
        appended.push({ stream, from: to - events.length + 1, to });
      }
      return outcome;
    },
  };
  return {
    store,
    async streamsSince(): Promise<readonly RecordedEvent[]> {
      const spans = appended;
      appended = [];
      const events: RecordedEvent[] = [];
      for (const { stream, from, to } of spans)
        for (const event of await store.readStream(stream, { from })) if (event.revision <= to) events.push(event);
      return events;
    },
  };
}
