// Writes categories and tags: parents before their children.
import { findTerm, loadTerm, termsNamed } from '../../../calendar/resource/commands/references.ts';
import { changeTermOf, createTermOf } from '../../../calendar/term/commands/terms.ts';
import { evolveTerm, type Term, type TermFact, type TermInput } from '../../../calendar/term/domain/term.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { present } from '../../../domain/present.ts';
import { termName } from '../../../kernel/text/plain-text.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { PlannedTerm } from '../import-plan.ts';
import { contextOf, isOfSource, presentOf, refuse, type Target, type Writing } from './writing.ts';

/** Terms by their depth in the tree, outermost first; a term in a circle counts as outermost. */
export function byDepth(terms: readonly PlannedTerm[]): PlannedTerm[][] {
  const parents = new Map(terms.map(({ origin, parent }) => [origin.key, parent]));
  const levels: PlannedTerm[][] = [];
  for (const term of terms) {
    const keys = new Set([term.origin.key]);
    let above = term.parent;
    while (above !== null && parents.has(above) && !keys.has(above)) {
      keys.add(above);
      above = parents.get(above) ?? null;
    }
    const depth = keys.size - 1;
    while (levels.length <= depth) levels.push([]);
    levels[depth]?.push(term);
  }
  return levels;
}

/** Creates a term, applies changes to it, or uses one that has its slug or name already. */
export async function writeTerm(writing: Writing, planned: PlannedTerm): Promise<void> {
  const target = await presentOf<Term, TermFact>(writing, planned.origin, evolveTerm, {
    origin: planned.origin,
    likeness: ({ name }) => (termName(name) === termName(planned.name) ? 'some' : 'none'),
  });
  if (target) return keepUp(writing, planned, target);
  const match = await existingOf(writing, planned);
  if (!match) return create(writing, planned);
  writing.ids.set(planned.origin.key, match.id);
  writing.summary.count(planned.kind, planned.origin, 'unchanged');
}

/** The term of the same slug, else of the same name, unless it is a different one of the same source. */
async function existingOf(writing: Writing, { kind, name, slug, origin, id }: PlannedTerm): Promise<Term | null> {
  const { store } = writing.commands;
  const owner = await ownerOfSlug(store, kind, slugFrom(slug ?? name));
  const bySlug = owner === null ? null : await findTerm(store, kind, slug ?? name);
  const candidates = [...(bySlug ? [bySlug] : []), ...(await termsNamed(store, kind, termName(name)))];
  for (const term of candidates) {
    if (id === undefined || !(await isOfSource(writing, streamOf(kind, term.id), origin))) return term;
  }
  return null;
}

async function create(writing: Writing, planned: PlannedTerm): Promise<void> {
  const { kind, origin, name, slug, description } = planned;
  const parent = await parentOf(writing, planned);
  if (parent === undefined)
    writing.summary.note(kind, origin, 'its parent is not among what was imported; it stands at the top for now');
  const id = writing.grantedIds.get(origin.key);
  const input: TermInput = present({ name, slug, description, parent: parent ?? 0, id });
  const result = await createTermOf(writing.commands, contextOf(writing, origin), kind, input);
  if (result.kind === 'rejected') return refuse(writing, kind, origin, result.rejection);
  writing.ids.set(origin.key, result.written.id);
  writing.summary.count(kind, origin, result.written.created ? 'created' : 'unchanged');
}

/** 0 for none, undefined if it does not exist. */
async function parentOf(writing: Writing, { parent, kind, origin }: PlannedTerm): Promise<number | undefined> {
  if (parent === null) return 0;
  const id = writing.ids.get(parent);
  if (id !== undefined) return id;
  const above = await presentOf(writing, { ...origin, key: parent }, evolveTerm);
  return above ? (await loadTerm(writing.commands.store, kind, above.id))?.id : undefined;
}

async function keepUp(writing: Writing, planned: PlannedTerm, target: Target<Term>): Promise<void> {
  const { kind, origin, name, description } = planned;
  const { summary, ids, commands } = writing;
  if (target.state.mergedInto !== undefined) {
    const stays = await loadTerm(commands.store, kind, target.id);
    if (stays) ids.set(origin.key, stays.id);
    return summary.count(kind, origin, 'unchanged');
  }
  if (target.state.deleted) {
    summary.note(kind, origin, 'it was deleted here since; it stays deleted');
    return summary.count(kind, origin, 'unchanged');
  }
  ids.set(origin.key, target.id);
  if (planned.upkeep === 'leave') return summary.count(kind, origin, 'unchanged');
  const parent = await parentOf(writing, planned);
  const slug = await slugToSend(writing, planned, target.id);
  const input: TermInput = present({ name, slug, description, parent });
  const result = await changeTermOf(commands, contextOf(writing, origin), kind, target.id, input);
  if (result.kind === 'rejected') return refuse(writing, kind, origin, result.rejection);
  summary.count(kind, origin, result.written.revision > target.revision ? 'changed' : 'unchanged', target.id);
}

/** A slug that another term has is not requested again: the term keeps the one that it got instead. */
async function slugToSend({ commands }: Writing, { kind, slug }: PlannedTerm, id: number): Promise<string | undefined> {
  const owner = slug === undefined ? null : await ownerOfSlug(commands.store, kind, slugFrom(slug));
  return owner === null || owner === streamOf(kind, id) ? slug : undefined;
}
