// The envelopes of lists.

import Type, { type TObject, type TSchema } from 'typebox';
import type { DescriptionKey } from '../../../locales/language.ts';
import { address, eitherOf, flag, integer, listOf, object, optional, text } from './members.ts';

const totals = { total: integer('list.total'), total_pages: integer('list.total_pages') };
const restUrl = address('list.rest_url');
const neighbours = optional({
  next_rest_url: address('list.next_rest_url'),
  previous_rest_url: address('list.previous_rest_url'),
});

/** A page of `name`, each of them one of `items`. */
export const page = (name: string, description: DescriptionKey, ...items: readonly TSchema[]): TObject => {
  const [item = Type.Unknown()] = items;
  const shown = items.length === 1 ? item : Type.Union([...items]);
  return object(description, {
    [name]: listOf(shown, 'list.items'),
    rest_url: restUrl,
    ...neighbours,
    ...totals,
  });
};

export const changesPage = object('changes.answer', {
  changes: listOf(Type.Ref('ChangeEntry'), 'changes.changes'),
  next: text('changes.next'),
  has_more: flag('changes.has_more'),
  rest_url: restUrl,
});

/** A term, whole or cut down by `context=embed`. */
export const termOrEmbedded = eitherOf('answer.term', [Type.Ref('Term'), Type.Ref('EmbeddedTerm')]);
