// Sentences that say what parameters may be: one for each sort of value.

import { type PhraseWithValues, phrase, type ValuesOf, type Wording } from '../../locales/phrases.ts';
import type { Caller } from '../../people/auth/caller.ts';

/** A sentence about the parameter of this name, for the caller who has sent this value. */
export type Allowed = (name: string, caller: Caller, value: unknown) => Wording;

type Sentence = Extract<PhraseWithValues, `allowed_${string}`>;

/** All of these sentences name the parameter. */
const about = phrase as (sentence: Sentence, values: { readonly name: string }) => Wording;

export const allowed =
  <Name extends Sentence>(sentence: Name, values: Omit<ValuesOf<Name>, 'name'>): Allowed =>
  (name) =>
    about(sentence, { ...values, name });
