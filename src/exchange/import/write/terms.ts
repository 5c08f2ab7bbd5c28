// Writes categories and tags: parents before their children.
import { findTerm, loadTerm, termsNamed } from '../../../calendar/resource/commands/references.ts';
import { changeTermOf, createTermOf } from '../../../calendar/term/commands/terms.ts';
import { evolveTerm, type Term, type TermFact, type TermInput } from '../../../calendar/term/domain/term.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import { ownerOfSlug } from '../../../commands/reservations/slugs.ts';
import { termName } from '../../../kernel/text/plain-text.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { PlannedTerm } from '../import-plan.ts';
import { contextOf, isOfSource, type Present, presentOf, refuse, type Writing } from './writing.ts';

/** Terms by their depth in the tree, outermost first; a term in a circle counts as outermost. */
export function byDepth(terms: readonly PlannedTerm[]): PlannedTerm[][] {
  const parents = new Map(terms.map(({ origin, parent }) => [origin.key, parent]));
  const levels: PlannedTerm[][] = [];
  for (const term of terms) {
    const seen = new Set([term.origin.key]);
    let above = term.parent;
    while (above !== null && parents.has(above) && !seen.has(above)) {
      seen.add(above);
      above = parents.get(above) ?? null;
    }
    const depth = seen.size - 1;
    while (levels.length <= depth) levels.push([]);
    levels[depth]?.push(term);
  }
  return levels;
}

/** Creates a term, applies changes to it, or uses one that has its slug or name already. */
export async function writeTerm(writing: Writing, planned: PlannedTerm): Promise<void> {
  const present = await presentOf<Term, TermFact>(writing, planned.origin, evolveTerm, {
    origin: planned.origin,
    likeness: ({ name }) => (termName(name) === termName(planned.name) ? 'some' : 'none'),
  });
  if (present) return keepUp(writing, planned, present);
  const existing = await existingOf(writing, planned);
  if (!existing) return create(writing, planned);
  writing.ids.set(planned.origin.key, existing.id);
  writing.summary.count(planned.kind, planned.origin, 'unchanged');
}

/** One of the same slug, else of the same name, unless it is a different term of the same source. */
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
  const input: TermInput = {
    name,
    ...(slug === undefined ? {} : { slug }),
    ...(description === undefined ? {} : { description }),
    parent: parent ?? 0,
    ...idOf(writing, origin.key),
  };
  const result = await createTermOf(writing.commands, contextOf(writing, origin), kind, input);
  if (result.kind === 'rejected') return refuse(writing, kind, origin, result.rejection);
  writing.ids.set(origin.key, result.written.id);
  writing.summary.count(kind, origin, result.written.created ? 'created' : 'unchanged');
}

function idOf({ granted }: Writing, key: string): { id?: number } {
  const id = granted.get(key);
  return id === undefined ? {} : { id };
}

/** 0 for none, undefined if it does not exist. */
async function parentOf(writing: Writing, { parent, kind, origin }: PlannedTerm): Promise<number | undefined> {
  if (parent === null) return 0;
  const known = writing.ids.get(parent);
  if (known !== undefined) return known;
  const present = await presentOf<Term, TermFact>(writing, { ...origin, key: parent }, evolveTerm);
  return present ? (await loadTerm(writing.commands.store, kind, present.id))?.id : undefined;
}

async function keepUp(writing: Writing, planned: PlannedTerm, present: Present<Term>): Promise<void> {
  const { kind, origin, name, description } = planned;
  const { summary, ids, commands } = writing;
  if (present.state.mergedInto !== undefined) {
    const stays = await loadTerm(commands.store, kind, present.id);
    if (stays) ids.set(origin.key, stays.id);
    return summary.count(kind, origin, 'unchanged');
  }
  if (present.state.deleted) {
    summary.note(kind, origin, 'it was deleted here since; it stays deleted');
    return summary.count(kind, origin, 'unchanged');
  }
  ids.set(origin.key, present.id);
  if (planned.upkeep === 'leave') return summary.count(kind, origin, 'unchanged');
  const parent = await parentOf(writing, planned);
  const input: TermInput = {
    name,
    ...(await slugToSend(writing, planned, present.id)),
    ...(description === undefined ? {} : { description }),
    ...(parent === undefined ? {} : { parent }),
  };
  const result = await changeTermOf(commands, contextOf(writing, origin), kind, present.id, input);
  if (result.kind === 'rejected') return refuse(writing, kind, origin, result.rejection);
  summary.count(kind, origin, result.written.revision > present.revision ? 'changed' : 'unchanged', present.id);
}

/** A slug that another term has is not requested again: the term keeps the one that it got instead. */
async function slugToSend({ commands }: Writing, { kind, slug }: PlannedTerm, id: number): Promise<{ slug?: string }> {
  if (slug === undefined) return {};
  const owner = await ownerOfSlug(commands.store, kind, slugFrom(slug));
  return owner === null || owner === streamOf(kind, id) ? { slug } : {};
}
