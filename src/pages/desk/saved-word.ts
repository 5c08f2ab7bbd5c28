// What is said after something was saved.

import { slugFrom } from '../../kernel/text/slug.ts';
import type { DeskWord } from '../../locales/language.ts';
import { openedWith } from './form-values.ts';
import { type DeskRequest, textOf } from './page.ts';

/** That the slug is not the one that was typed is said: it belongs to something else, which keeps it. */
export function savedWord({ form }: DeskRequest, saved: { readonly slug?: string }, word: DeskWord): DeskWord {
  const slug = textOf(form, 'slug').trim();
  const { slug: before } = openedWith(form, { slug: '' });
  const isAsked = slug !== '' && slug !== before;
  return isAsked && saved.slug !== undefined && saved.slug !== slugFrom(slug) ? 'said_other_slug' : word;
}
