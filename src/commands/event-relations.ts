// What an event refers to when it is written: terms by id or name, venues and organizers by id or as a whole.
import type { Link } from '../domain/calendar-event.ts';
import type { Fact } from '../domain/decider.ts';
import { invalidParameter, type Rejection } from '../domain/rejections.ts';
import type { TermKind } from '../domain/term.ts';
import type { CommandContext, CommandDependencies } from './context.ts';
import { type LinkedPost, type LinkedPostInput, type LinkedPostKind, planCreation } from './linked-posts.ts';
import { findTerm, loadTerm } from './references.ts';
import { streamOf } from './reservations/reservations.ts';
import { planTermNamed } from './terms.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A term by id, or by slug or name. */
export type TermReference = { readonly id: number } | { readonly text: string };

/** A venue or organizer by id, or one to be created (or come upon). */
export type PostReference<Input> = { readonly id: number } | { readonly input: Input };

/** Ids of the terms meant, each once, in the order given. Unknown ids are passed over; unknown names become new terms. */
export async function assignedTerms(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  kind: TermKind,
  references: readonly TermReference[],
): Promise<number[]> {
  const ids = new Set<number>();
  for (const reference of references) {
    const term =
      'id' in reference
        ? await loadTerm(unit.store, kind, reference.id)
        : ((await findTerm(unit.store, kind, reference.text)) ??
          (await planTermNamed(unit, dependencies, kind, reference.text)));
    if (term) ids.add(term.id);
  }
  return [...ids];
}

/**
 * Links to the venues or organizers meant, each once, in the order given. One in the trash cannot be linked; one that is
 * linked already keeps the link it has.
 */
export async function linkedPosts<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  references: readonly PostReference<Input>[],
  present: readonly Link[],
): Promise<{ readonly links: readonly Link[] } | { readonly rejection: Rejection }> {
  const links = new Map<number, Link>();
  for (const reference of references) {
    const id = 'id' in reference ? reference.id : await planInline(unit, dependencies, context, of, reference.input);
    if (typeof id !== 'number') return id;
    const { state } = await unit.load(streamOf(of.kind, id), of.evolve);
    if (!state) return { rejection: invalidParameter(of.kind) };
    const linked = present.some((link) => link.id === id && link.life === state.life);
    if (state.status === 'trash' && !linked) return { rejection: invalidParameter(of.kind) };
    links.set(id, { id, life: state.life });
  }
  return { links: [...links.values()] };
}

async function planInline<State extends LinkedPost, F extends Fact, Input extends LinkedPostInput>(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  context: CommandContext,
  of: LinkedPostKind<State, F, Input>,
  input: Input,
): Promise<number | { readonly rejection: Rejection }> {
  const attempt = await planCreation(unit, dependencies, context, of, input);
  return attempt.kind === 'rejected' ? { rejection: attempt.rejection } : attempt.id;
}
