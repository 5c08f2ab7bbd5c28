// What stands in the way of a revert, in words.
import type { RevertConflict } from '../domain/revert-conflicts.ts';
import { phrase, type Wording } from './language.ts';
import { ENGLISH_PHRASES, type PhraseName } from './phrases.ts';

/** A conflict as a clause: `the slug rehearsal belongs to event 14`. */
export function conflictClause({ field, thing, slug = '', why }: RevertConflict): Wording {
  if (thing === undefined && why === 'taken') return phrase('conflict_taken_by_unknown', { slug });
  const { kind, id } = thing ?? { kind: '?', id: 0 };
  const name = `thing_${kind}`;
  const named = phrase(isThing(name) ? name : 'thing_unknown', { kind, id });
  return phrase(`conflict_${why}`, { thing: named, field, slug });
}

const isThing = (name: string): name is Extract<PhraseName, `thing_${string}`> => Object.hasOwn(ENGLISH_PHRASES, name);
