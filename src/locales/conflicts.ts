// Conflicts of a revert, in words.
import type { RevertConflict } from '../domain/rejections.ts';
import { type PhraseWithValues, PLACEHOLDERS, phrase, type Wording } from './phrases.ts';

/** A conflict as a clause: `the slug rehearsal belongs to event 14`. */
export function conflictClause({ field, thing, slug = '', why }: RevertConflict): Wording {
  if (thing === undefined && why === 'taken') return phrase('conflict_taken_by_unknown', { slug });
  const { kind, id } = thing ?? { kind: '?', id: 0 };
  const name = `thing_${kind}`;
  const named = phrase(isResourceName(name) ? name : 'thing_unknown', { kind, id });
  return phrase(`conflict_${why}`, { thing: named, field, slug });
}

type ResourceName = Extract<PhraseWithValues, `thing_${string}`>;

const isResourceName = (name: string): name is ResourceName => PLACEHOLDERS.has(name);
