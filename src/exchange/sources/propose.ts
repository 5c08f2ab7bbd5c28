// What a source says, as proposals: one for each event that is new, has changed or has disappeared.

import type { EventInput } from '../../calendar/event/domain/calendar-event.ts';
import { storable } from '../../calendar/resource/commands/post-input.ts';
import { loadEvent, postsNamed } from '../../calendar/resource/commands/references.ts';
import type { CommandContext } from '../../commands/context.ts';
import { earlierAnswer } from '../../commands/handle-command.ts';
import { streamOf } from '../../commands/reservations/reservations.ts';
import {
  type ProposalDependencies,
  type ProposalResult,
  type Proposed,
  proposeChange,
  proposeCreation,
  reviseProposalOf,
  stepProposal,
} from '../../editorial/proposals/commands/proposals.ts';
import { evolveProposal, isUndecided, type Proposal, type Wish } from '../../editorial/proposals/domain/proposal.ts';
import { fold } from '../../log/envelope.ts';
import type { User } from '../../people/auth/caller.ts';
import { changedOf, type ImportPlan, type PlannedEvent } from '../import/import-plan.ts';
import { IMPORTER, type Writing } from '../import/write/writing.ts';
import type { ChangedEvent } from './compare.ts';
import type { SourceItem } from './domain/items.ts';
import type { OnMissing } from './domain/source.ts';
import { eventOfItem } from './missing.ts';

export interface Proposing {
  readonly proposals: ProposalDependencies;
  readonly writing: Writing;
  /** In whose name, and by whose rights. */
  readonly user: User;
  /** The host of the source, which people read in the note of a proposal. */
  readonly host: string;
  readonly plan: ImportPlan;
}

/** An item after it was proposed; `outcome` says whether there is a proposal now. */
export interface ProposedItem {
  readonly item: SourceItem;
  readonly outcome: 'proposed' | 'unchanged' | 'refused';
}

const SCHEDULED = { eventStatus: 'scheduled' } as const;

const contextIn = ({ user, writing: { now, correlationId } }: Proposing): CommandContext => ({
  caller: user,
  now,
  correlationId,
});

/**
 * Proposes what an event says now. A proposal that still waits for the same event is revised instead of doubled; one to take
 * it away is withdrawn.
 */
export async function proposeEvent(
  proposing: Proposing,
  { planned, item, known }: ChangedEvent,
): Promise<ProposedItem> {
  const { proposals, writing, host } = proposing;
  if (planned.disposition !== undefined && planned.disposition !== 'stay') return { item, outcome: 'unchanged' };
  const id = await eventOfItem(writing, item);
  const event = id === null ? null : await loadEvent(proposals.store, id);
  if (event?.status === 'trash') return { item, outcome: 'unchanged' };
  const isBack = known?.missing !== undefined;
  if (isBack) await withdraw(proposing, item, `again at ${host}`);
  const waiting = isBack ? null : await waitingFor(proposing, item);
  const again = known?.missing === 'canceled' && event?.eventStatus === 'canceled' ? SCHEDULED : {};
  const whole = { ...planned.input, ...(await relationsOf(proposing, planned)) };
  const input = event ? { ...again, ...changedOf(whole, planned.unchanged) } : whole;
  const wish = storable({ ...(waiting && event ? waiting.wish : {}), ...input }) as Wish;
  const proposed: Proposed = { wish, note: `from ${host}` };
  const context = contextIn(proposing);
  const result = waiting
    ? await reviseProposalOf(proposals, context, waiting.id, proposed)
    : event
      ? await proposeChange(proposals, context, { kind: 'event', id: event.id }, proposed)
      : await proposeCreation(proposals, context, 'event', proposed);
  return noted(item, result);
}

/** Proposes to bin or to cancel what the source has no more. */
export async function proposeMissing(
  proposing: Proposing,
  item: SourceItem,
  onMissing: Exclude<OnMissing, 'leave'>,
): Promise<ProposedItem> {
  const { proposals, writing, host } = proposing;
  const id = await eventOfItem(writing, item);
  const event = id === null ? null : await loadEvent(proposals.store, id);
  await withdraw(proposing, item, `no longer at ${host}`);
  if (!event || event.status === 'trash') return { item: { ...item, missing: 'binned' }, outcome: 'unchanged' };
  const isBinned = onMissing === 'bin';
  const missing = { ...item, missing: isBinned ? 'binned' : 'canceled' } as const;
  const proposed: Proposed = {
    wish: isBinned ? {} : { eventStatus: 'canceled' },
    note: `no longer at ${host}`,
  };
  const target = { kind: 'event', id: event.id } as const;
  const how = isBinned ? 'delete' : 'change';
  return noted(missing, await proposeChange(proposals, contextIn(proposing), target, proposed, how));
}

function noted(item: SourceItem, result: ProposalResult): ProposedItem {
  if (result.kind === 'rejected')
    return { item, outcome: result.rejection.code === 'nothing_proposed' ? 'unchanged' : 'refused' };
  const { id, target } = result.written.state;
  return { item: { ...item, event: target.id, proposal: id }, outcome: 'proposed' };
}

/** The proposal about it that has not been decided; null if there is none. */
async function waitingFor({ proposals }: Proposing, { proposal }: SourceItem): Promise<Proposal | null> {
  if (proposal === undefined) return null;
  const state = fold(await proposals.store.readStream(streamOf('proposal', proposal)), evolveProposal);
  return state && isUndecided(state) ? state : null;
}

/** What it proposes still has no sense any more. */
async function withdraw(proposing: Proposing, item: SourceItem, text: string): Promise<void> {
  const waiting = await waitingFor(proposing, item);
  if (waiting) await stepProposal(proposing.proposals, contextIn(proposing), waiting.id, 'withdraw', text);
}

/** Terms by their names, venues as they are described; organizers only if there are such, because none can be proposed. */
async function relationsOf(
  { plan, proposals: { store } }: Proposing,
  { categories, tags, venues, organizers }: PlannedEvent,
): Promise<EventInput> {
  const names = new Map(plan.terms.map(({ origin, name }) => [origin.key, name]));
  const named = (keys: readonly string[]) => keys.flatMap((key) => ({ text: names.get(key) ?? '' })).filter(hasText);
  const referenceTo = async (kind: 'venue' | 'organizer', key: string): Promise<{ readonly id: number } | null> => {
    const earlier = await earlierAnswer(store, IMPORTER, key);
    if (earlier) return { id: earlier.id };
    const posts = kind === 'venue' ? plan.venues : plan.organizers;
    const name = posts.find(({ origin }) => origin.key === key)?.input.name ?? '';
    const [id] = name === '' ? [] : await postsNamed(store, kind, name);
    return id === undefined ? null : { id };
  };
  const places = await Promise.all(
    (venues ?? []).map(async (key) => {
      const input = plan.venues.find(({ origin }) => origin.key === key)?.input;
      return (await referenceTo('venue', key)) ?? (input ? { input } : null);
    }),
  );
  const people = await Promise.all((organizers ?? []).map((key) => referenceTo('organizer', key)));
  return {
    ...(categories && { categories: named(categories) }),
    ...(tags && { tags: named(tags) }),
    ...(venues && { venues: places.filter((one) => one !== null) }),
    ...(organizers && { organizers: people.filter((one) => one !== null) }),
  };
}

const hasText = ({ text }: { readonly text: string }): boolean => text !== '';
