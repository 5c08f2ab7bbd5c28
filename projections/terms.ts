// The projections of categories and tags.
import { evolveTerm, type Term, type TermFact, type TermKind } from '../src/calendar/term/domain/term.ts';
import { factOf, instantOf } from '../src/log/envelope.ts';
import { type AnyProjection, asJson, projectionOf } from './projection.ts';

export const termsProjection = (kind: TermKind): AnyProjection =>
  projectionOf<Term>({
    kind,
    prefix: `${kind}-`,
    fold: (state, event) => evolveTerm(state, factOf<TermFact>(event), instantOf(event)),
    document: (term, at) => ({
      kind,
      id: term.id,
      ...at,
      state: asJson(term),
      name: term.name,
      slug: term.slug,
      description: term.description,
      parent: term.parent,
      deleted: term.deleted,
      ...(term.formerSlugs && { formerSlugs: term.formerSlugs }),
      ...(term.mergedInto !== undefined && { mergedInto: term.mergedInto }),
    }),
  });
