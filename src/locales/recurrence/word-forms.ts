// Words beside numbers.
import type { Forms } from './recurrence-texts.ts';

/** Replaces `{n}` and the like. */
export const filled = (text: string, values: { readonly [name: string]: string | number }): string =>
  text.replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot));

/** Making one takes longer than using it. */
const rulesOf = new Map<string, Intl.PluralRules>();

/** The form for the ordinal number `n` in a language: `{n}st` for 21 in English. */
export function ordinalForm(forms: Forms, n: number, language: string): string {
  const rules = rulesOf.get(language) ?? new Intl.PluralRules(language, { type: 'ordinal' });
  rulesOf.set(language, rules);
  const category = rules.select(n);
  return (category === 'zero' ? undefined : forms[category]) ?? forms.other;
}
