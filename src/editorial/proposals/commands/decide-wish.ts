// What a wish would do to the log as it is, decided by the command of its kind and written nowhere.

import {
  type CommandContext,
  type CommandDependencies,
  openCoordination,
  type Written,
} from '../../../commands/context.ts';
import { openUndrawnSequences } from '../../../commands/reservations/ids.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import type { StreamAppend } from '../../../log/event-store.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';
import type { ProposedAction, ProposedFacts, Target, Wish } from '../domain/proposal.ts';
import { TARGETS, type TargetState } from './targets.ts';

export interface DecidedWish {
  readonly kind: 'decided';
  /** The revision of the target's last event when it was decided; -1 for a creation. */
  readonly base: number;
  readonly facts: ProposedFacts;
  /** What would be once the wish is carried out. */
  readonly written: Written<TargetState>;
  /** Everything that would be written, the target's facts among it. */
  readonly appends: readonly StreamAppend[];
}

/** The command that a wish is for. */
export type How = 'create' | 'change' | ProposedAction;

/** In the place of the command's append. */
const NOT_WRITTEN = rejected('busy');

export const decideWish = (
  dependencies: CommandDependencies,
  context: CommandContext,
  target: Target,
  wish: Wish,
  how: How,
): Promise<DecidedWish | Rejected> =>
  decideWishWithIds({ ...dependencies, ...openUndrawnSequences().sequences }, context, target, wish, how);

/** The same where what it creates gets ids that the dependencies draw: they must not be those of the log itself. */
export async function decideWishWithIds(
  dependencies: CommandDependencies,
  context: CommandContext,
  { kind, id }: Target,
  wish: Wish,
  how: How,
): Promise<DecidedWish | Rejected> {
  const stream = streamOf(kind, id);
  const commands = TARGETS[kind];
  let decided = null as DecidedWish | null;
  const within: NonNullable<CommandContext['within']> = async (unit, attempt) => {
    const result = await attempt();
    if (result.kind === 'rejected') return result;
    const appends = unit.planned();
    const facts = appends.find((append) => append.stream === stream)?.events ?? [];
    const { state, revision, position } = await unit.load(stream, commands.evolve);
    if (!state) throw new Error(`${stream} was decided and has no state`);
    decided = {
      kind: 'decided',
      base: revision - facts.length,
      facts: Object.fromEntries(facts.map(({ type, data }) => [type, data])),
      written: { id, state, revision, position, created: result.created },
      appends,
    };
    return NOT_WRITTEN;
  };
  const result = await commands[how](
    { ...dependencies, ...openCoordination() },
    { ...context, within, idempotencyKey: undefined, ifRevision: undefined, caller: asEditor(context.caller) },
    id,
    wish,
  );
  if (decided !== null) return decided;
  if (result.kind === 'written') throw new Error(`the wish about ${stream} was written instead of decided`);
  return result;
}

/** What is proposed need not be among the caller's rights; who approves must have them. */
const asEditor = (caller: Caller): Caller =>
  caller && !mayAssignAuthors(caller) ? { ...caller, role: 'editor' } : caller;
