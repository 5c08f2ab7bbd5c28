// What a wish would do to the log as it is, decided by the command of its kind and written nowhere.

import type { Caller } from '../../auth/caller.ts';
import { mayAssignAuthors } from '../../auth/policy.ts';
import type { ProposedFacts, Target, Wish } from '../../domain/proposal.ts';
import { type CommandContext, type CommandDependencies, openCoordination, type Written } from '../context.ts';
import { openDryRunStore } from '../dry-run-store.ts';
import type { Refused } from '../handle-command.ts';
import { streamOf } from '../reservations/reservations.ts';
import { TARGETS, type TargetState } from './targets.ts';

export interface DecidedWish {
  readonly kind: 'decided';
  /** Of the target's last event when it was decided; -1 for a creation. */
  readonly base: number;
  readonly facts: ProposedFacts;
  /** What would be once the wish is carried out. */
  readonly written: Written<TargetState>;
}

/** Ids of what a wish would create beside its target are below zero, where none is. */
function openNoIds() {
  let last = 0;
  return {
    next: async () => {
      last -= 1;
      return last;
    },
  };
}

/** The command that a wish is for. */
export type How = 'create' | 'change';

export async function decideWish(
  dependencies: CommandDependencies,
  context: CommandContext,
  { kind, id }: Target,
  wish: Wish,
  how: How,
): Promise<DecidedWish | Refused> {
  const store = openDryRunStore(dependencies.store);
  const stream = streamOf(kind, id);
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  const base = last?.revision ?? -1;
  const commands = TARGETS[kind];
  const result = await commands[how](
    { ...dependencies, ...openCoordination(), store, postIds: openNoIds(), termIds: openNoIds() },
    { ...context, idempotencyKey: undefined, ifRevision: undefined, caller: asEditor(context.caller) },
    id,
    wish,
  );
  if (result.kind === 'rejected') return result;
  const facts = await store.readStream(stream, { from: base + 1 });
  return {
    kind: 'decided',
    base,
    facts: Object.fromEntries(facts.map(({ type, data }) => [type, data])),
    written: result.written,
  };
}

/** What is proposed need not be among the caller's rights; who approves must have them. */
const asEditor = (caller: Caller): Caller =>
  caller && !mayAssignAuthors(caller) ? { ...caller, role: 'editor' } : caller;
