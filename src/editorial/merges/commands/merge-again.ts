// A revert to a state in which a resource was merged merges it again.

import type { CommandContext } from '../../../commands/context.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import type { Rejected } from '../../../domain/decider.ts';
import type { EventStore } from '../../../log/event-store.ts';
import type { MergedKind } from '../domain/merge.ts';
import { eventsThatMentioned } from './mentioned.ts';
import { type Mergeable, planMerge } from './merge.ts';

/** Null: the state is not one of a merge, or it is merged into the same one now. */
export async function planMergeAgain(
  { readAll }: Pick<EventStore, 'readAll'>,
  unit: UnitOfWork,
  context: CommandContext,
  kind: MergedKind,
  { now, then }: { readonly now: Pick<Mergeable, 'id' | 'mergedInto'>; readonly then: Pick<Mergeable, 'mergedInto'> },
): Promise<Rejected | { readonly kind: 'planned' } | null> {
  if (then.mergedInto === undefined || then.mergedInto === now.mergedInto) return null;
  const mentioned = eventsThatMentioned({ readAll }, streamOf(kind, now.id));
  return planMerge(unit, context, { kind, id: now.id, into: { id: then.mergedInto } }, mentioned);
}
