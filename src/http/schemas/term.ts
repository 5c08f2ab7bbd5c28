// The parameters of the category and tag routes.
import Type from 'typebox';
import type { TermKind } from '../../domain/term.ts';
import { oldState } from './as-of.ts';
import { type ListSettings, termList } from './lists.ts';
import { anyId, existingId, integer, optional, refused, text } from './primitives.ts';

const name = text('term.name', 'termName');

/** Tags stand in no tree; the handler says so when a parent is sent. */
const fields = (kind: TermKind) =>
  optional({
    description: text('term.description', 'nonEmptyString'),
    slug: text('term.slug', 'nonEmptyString'),
    parent: kind === 'category' ? integer('term.parent', ['termId', 'category']) : refused<number>(),
  });

export type TermTables = ReturnType<typeof termTables>;

function termTables(kind: TermKind) {
  const id = existingId(kind, ['termId', kind]);
  return {
    list: (settings: ListSettings) => termList(kind, settings),
    create: Type.Object({ name, ...fields(kind) }),
    // Whether there is one is for the handler to say: the log still has what is deleted.
    read: Type.Object({ id: anyId(kind), ...oldState }),
    update: Type.Object({ id, ...optional({ name }), ...fields(kind) }),
    delete: Type.Object({ id }),
  };
}

export const categoryTables = termTables('category');
export const tagTables = termTables('tag');
