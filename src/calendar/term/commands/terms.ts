// Creating, changing and deleting categories and tags.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { handleCommand, handleCommandOnce, recordDecision } from '../../../commands/handle-command.ts';
import {
  enterName,
  giveBackSlug,
  reserveSlug,
  streamOf,
  strikeName,
} from '../../../commands/reservations/reservations.ts';
import { isFreeSlug, ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { isAbove, planMove } from '../../../commands/reservations/tree.ts';
import type { UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, rejected } from '../../../domain/decider.ts';
import { invalidParameter, type Rejection } from '../../../domain/rejections.ts';
import { termDescription, termName } from '../../../kernel/text/plain-text.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import { mayManageTerms } from '../../../people/auth/policy.ts';
import { effectiveParent, loadTerm, survivorOf, termsNamed } from '../../resource/commands/references.ts';
import {
  changeTerm,
  createTerm,
  deleteTerm,
  evolveTerm,
  nounOf,
  type Term,
  type TermFact,
  type TermInput,
  type TermKind,
} from '../domain/term.ts';

export function createTermOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  kind: TermKind,
  input: TermInput,
) {
  return handleCommandOnce(dependencies, context, { kind, evolve: evolveTerm }, [], async (unit) => {
    if (!mayManageTerms(context.caller, kind)) return rejected('forbidden');
    const name = termName(input.name ?? '');
    if (name === '') return rejected(invalidParameter('name'));
    const parent = input.parent ?? 0;
    if (parent !== 0 && !(await loadTerm(unit.store, kind, parent))) return rejected(invalidParameter('parent'));
    const clash = await termOfSameName(unit, kind, name, parent, input.slug);
    if (clash) return rejected({ code: 'term_exists', details: { term_id: clash.id } });
    const term = await planTerm(unit, dependencies, kind, { ...input, name, parent });
    return { kind: 'planned', id: term.id, stream: streamOf(kind, term.id), evolve: evolveTerm, created: true };
  });
}

/** A term of the same name under the same parent, unless the new one has a slug of its own. */
async function termOfSameName(
  unit: UnitOfWork,
  kind: TermKind,
  name: string,
  parent: number,
  inputSlug: string | undefined,
): Promise<Term | null> {
  for (const term of await termsNamed(unit.store, kind, name)) {
    if ((await effectiveParent(unit.store, term)) !== parent) continue;
    if (inputSlug === undefined || slugFrom(inputSlug) === term.slug) return term;
  }
  return null;
}

/** Plans a top-level term of a new name. */
export async function planTermNamed(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  kind: TermKind,
  text: string,
): Promise<Term | null> {
  const name = termName(text);
  return name === '' ? null : planTerm(unit, dependencies, kind, { name, parent: 0 });
}

async function planTerm(
  unit: UnitOfWork,
  dependencies: CommandDependencies,
  kind: TermKind,
  input: TermInput & { readonly name: string; readonly parent: number },
): Promise<Term> {
  const id = input.id ?? (await unit.nextId(dependencies.termIds, kind));
  const preferred = await wantedTermSlug(unit, kind, input);
  const origin = input.slug === undefined ? 'derived' : 'given';
  const slug = await reserveSlug(unit, { kind, id, preferred, origin });
  const term = {
    id,
    name: input.name,
    slug,
    description: termDescription(input.description ?? ''),
    parent: input.parent,
  };
  await enterName(unit, kind, id, term.name);
  const how = input.id === undefined ? 'begun' : 'created';
  await recordDecision(unit, { kind, evolve: evolveTerm }, id, createTerm(nounOf(kind), term), how);
  return { ...term, deleted: false };
}

/** A child whose slug is taken appends its parent's before a number. */
async function wantedTermSlug(
  unit: UnitOfWork,
  kind: TermKind,
  { name, slug, parent }: TermInput & { readonly name: string; readonly parent: number },
): Promise<string> {
  if (slug !== undefined) return slugFrom(slug);
  const derived = slugFrom(name);
  if (parent === 0 || (await isFreeSlug(unit.store, kind, derived, unit.metadata.instant))) return derived;
  const above = await loadTerm(unit.store, kind, parent);
  return above ? slugFrom(`${derived}-${above.slug}`) : derived;
}

export function changeTermOf(
  dependencies: CommandDependencies,
  context: CommandContext,
  kind: TermKind,
  id: number,
  input: TermInput,
) {
  return decideOn(dependencies, context, kind, id, async (unit, term) => {
    const name = input.name === undefined ? term.name : termName(input.name);
    if (name === '') return rejected(invalidParameter('name'));
    const slug = input.slug === undefined ? term.slug : slugFrom(input.slug) || String(id);
    const description = input.description === undefined ? term.description : termDescription(input.description);
    const present = await effectiveParent(unit.store, term);
    const parent = input.parent === undefined ? present : await possibleParent(unit, kind, id, input.parent);
    if (parent === null) return rejected(invalidParameter('parent'));
    if (slug !== term.slug) {
      const owner = await ownerOfSlug(unit.store, kind, slug);
      const isTaken = owner !== null && owner !== streamOf(kind, id);
      // Another one may be about to take it.
      if (isTaken || (await reserveSlug(unit, { kind, id, preferred: slug, origin: 'given' })) !== slug)
        return rejected({ code: 'term_slug_taken', parameter: 'slug' });
      await giveBackSlug(unit, kind, id, { slug: term.slug, leaving: 'leads on' });
    }
    if (name.toLowerCase() !== term.name.toLowerCase()) {
      await strikeName(unit, kind, id, term.name);
      await enterName(unit, kind, id, name);
    }
    // A deleted parent stays recorded until another is sent: it still leads to the effective one.
    const written = parent === present ? term.parent : parent;
    if (written !== term.parent) await planMove(unit, 'category', id, written);
    return changeTerm(nounOf(kind), term, { name, slug, description, parent: written });
  });
}

/**
 * The parent that is recorded for a requested one: 0 if the term would become its own ancestor, null if there is no
 * such term.
 */
export async function possibleParent(
  unit: UnitOfWork,
  kind: TermKind,
  id: number,
  requested: number,
): Promise<number | null> {
  if (requested === 0) return 0;
  if (!(await loadTerm(unit.store, kind, requested))) return null;
  return (await isAbove(unit, 'category', id, requested)) ? 0 : requested;
}

/** Deletes a term for good. Events lose it and children move up: both follow from the redirect that it leaves. */
export function deleteTermOf(dependencies: CommandDependencies, context: CommandContext, kind: TermKind, id: number) {
  return decideOn(dependencies, context, kind, id, async (unit, term) => {
    await giveBackSlug(unit, kind, id, { slug: term.slug, leaving: 'free at once' });
    await strikeName(unit, kind, id, term.name);
    return deleteTerm(nounOf(kind), term);
  });
}

/** Decides about a term that is there, and that the caller may change. */
const decideOn = (
  dependencies: CommandDependencies,
  context: CommandContext,
  kind: TermKind,
  id: number,
  decide: (unit: UnitOfWork, term: Term) => Promise<Decision<TermFact>>,
) =>
  handleCommand(dependencies, context, [streamOf(kind, id)], async (unit) => {
    const { state: term, revision } = await unit.load(streamOf(kind, id), evolveTerm);
    const rejection = await refusal(unit, context, kind, term, revision);
    if (!term || rejection) return rejected(rejection ?? invalidParameter('id'));
    return recordDecision(unit, { kind, evolve: evolveTerm }, id, await decide(unit, term));
  });

async function refusal(
  unit: UnitOfWork,
  { caller, ifRevision }: CommandContext,
  kind: TermKind,
  term: Term | null,
  revision: number,
): Promise<Rejection | null> {
  if (!mayManageTerms(caller, kind)) return { code: 'forbidden' };
  if (term?.mergedInto !== undefined)
    return { code: 'merged', details: { merged_into: await survivorOf(unit.store, kind, term) } };
  if (!term || term.deleted) return invalidParameter('id');
  if (ifRevision !== undefined && ifRevision !== revision) return { code: 'precondition_failed' };
  return null;
}
