// The envelopes of lists.
import Type, { type TObject, type TSchema } from 'typebox';
import { address, eitherOf, flag, integer, listOf, object, optional, text } from './members.ts';

const totals = { total: integer('Number of items on all pages.'), total_pages: integer('Number of pages.') };
const restUrl = address('Address of this list with its effective arguments.');
const neighbours = optional({
  next_rest_url: address('Address of the next page, when there is one.'),
  previous_rest_url: address('Address of the page before, when there is one.'),
});

/** A page of `name`, each of them one of `items`. */
export const page = (name: string, description: string, ...items: readonly TSchema[]): TObject => {
  const [item = Type.Unknown()] = items;
  const shown = items.length === 1 ? item : Type.Union([...items]);
  return object(description, {
    [name]: listOf(shown, 'The items of this page.'),
    rest_url: restUrl,
    ...neighbours,
    ...totals,
  });
};

export const changesPage = object('Changes, oldest first.', {
  changes: listOf(Type.Ref('ChangeEntry'), 'The changes.'),
  next: text('Everything up to here has been looked at; send it as after to go on.'),
  has_more: flag('Whether the log goes on behind next.'),
  rest_url: restUrl,
});

/** A term, whole or cut down by `context=embed`. */
export const termOrEmbedded = eitherOf('The term; less of it with context=embed.', [
  Type.Ref('Term'),
  Type.Ref('EmbeddedTerm'),
]);
