// Reverts categories and tags to a revision. A deleted one is restored with its events and its children: both still
// point to it.

import { effectiveParent } from '../../../calendar/resource/commands/references.ts';
import { possibleParent } from '../../../calendar/term/commands/terms.ts';
import { evolveTerm, nounOf, type Term, type TermFact, type TermKind } from '../../../calendar/term/domain/term.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommandOnce } from '../../../commands/handle-command.ts';
import {
  enterName,
  giveBackSlug,
  reserveSlug,
  streamOf,
  strikeName,
} from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { planMove } from '../../../commands/reservations/tree.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { rejected } from '../../../domain/decider.ts';
import { invalidParameter, type RevertConflict } from '../../../domain/rejections.ts';
import { fold, type Revision } from '../../../log/envelope.ts';
import { mayManageTerms } from '../../../people/auth/policy.ts';
import { planMergeAgain } from '../../merges/commands/merge-again.ts';
import { planUnmerge } from '../../merges/commands/unmerge.ts';
import { revertTerm } from '../domain/revert.ts';
import { conflicting, keyedTo, slugConflict, type ThenAndNow, thenAndNow } from './revert.ts';
import { pastStreams, type Settled } from './revert-references.ts';

export function revertTermOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  kind: TermKind,
  id: number,
  revision: Revision,
) {
  const stream = streamOf(kind, id);
  const of = { kind, evolve: evolveTerm };
  return handleCommandOnce(dependencies, keyedTo(context, stream), of, [stream], async (unit) => {
    const { caller, ifRevision } = context;
    if (!mayManageTerms(caller, kind)) return rejected('forbidden');
    const events = await unit.store.readStream(stream);
    const now = fold(events, evolveTerm);
    if (!now) return rejected(invalidParameter('id'));
    if (ifRevision !== undefined && ifRevision !== events.at(-1)?.revision) return rejected('precondition_failed');
    const states = thenAndNow(events, evolveTerm, now, revision);
    if (!('then' in states)) return states;
    const planned: Attempt<Term, TermFact> = { kind: 'planned', id, stream, evolve: evolveTerm, created: false };
    if (states.isNow) return planned;
    const again = await planMergeAgain(dependencies.store, unit, context, kind, states);
    if (again) return again.kind === 'rejected' ? again : planned;
    const target = await termOfToday(unit, kind, states);
    if (target.conflicts.length > 0) return conflicting(target.conflicts);
    const decision = revertTerm(nounOf(kind), now, target.value, revision);
    if (decision.kind === 'rejected') return decision;
    if (now.mergedInto !== undefined) await planUnmerge(unit, kind, states.events);
    const conflict = await followRegisters(unit, kind, now, target.value);
    if (conflict) return conflicting([conflict]);
    if (!target.value.deleted && target.value.parent !== now.parent)
      await planMove(unit, 'category', id, target.value.parent);
    await unit.record(stream, decision.facts);
    return planned;
  });
}

/** An earlier state of a term with the parent that it showed, if slug and parent are available. */
async function termOfToday(
  unit: UnitOfWork,
  kind: TermKind,
  { now, then, at }: ThenAndNow<Term>,
): Promise<Settled<Term>> {
  if (then.deleted) return { value: then, conflicts: [] };
  const conflicts: RevertConflict[] = [];
  if (now.deleted || then.slug !== now.slug) {
    const owner = await ownerOfSlug(unit.store, kind, then.slug);
    if (owner !== null && owner !== streamOf(kind, now.id)) conflicts.push(slugConflict(then.slug, owner));
  }
  const pastParent = await effectiveParent(pastStreams(unit.store, at.position), then);
  if (pastParent === (await effectiveParent(unit.store, now)))
    return { value: { ...then, parent: now.parent }, conflicts };
  const parent = await possibleParent(unit, kind, now.id, pastParent);
  if (parent === pastParent) return { value: { ...then, parent }, conflicts };
  const why = parent === null ? 'deleted' : 'circle';
  return { value: then, conflicts: [...conflicts, { field: 'parent', thing: { kind, id: pastParent }, why }] };
}

/** Slug and name are reserved only while the term exists. A conflict: another one is about to take the slug. */
async function followRegisters(
  unit: UnitOfWork,
  kind: TermKind,
  now: Term,
  then: Term,
): Promise<RevertConflict | null> {
  const [was, willBe] = [now.deleted ? null : now, then.deleted ? null : then];
  if (willBe && willBe.slug !== was?.slug) {
    const slug = await reserveSlug(unit, { kind, id: now.id, preferred: willBe.slug, origin: 'given' });
    if (slug !== willBe.slug) return slugConflict(willBe.slug, null);
  }
  const leaving = willBe ? 'leads on' : 'free at once';
  if (was && was.slug !== willBe?.slug) await giveBackSlug(unit, kind, now.id, { slug: was.slug, leaving });
  if (was?.name.toLowerCase() === willBe?.name.toLowerCase()) return null;
  if (was) await strikeName(unit, kind, now.id, was.name);
  if (willBe) await enterName(unit, kind, now.id, willBe.name);
  return null;
}
