// The parameters of the category and tag routes.
import type { TermKind } from '../../domain/term.ts';
import { nonEmptyString, termId, termName } from '../parameters/validators.ts';
import type { Parameter, ParameterTable } from '../route.ts';
import { oldState } from './as-of.ts';
import { type ListSettings, termList } from './lists.ts';
import { anyId, existingId, integer, refused, required, text } from './primitives.ts';

const name: Parameter = text('term.name', termName);

const fields = {
  description: text('term.description', nonEmptyString),
  slug: text('term.slug', nonEmptyString),
} as const;

const parent: Parameter = integer('term.parent', termId('category'));

/** Tags stand in no tree; the handler says so when a parent is sent. */
const refusedParent: ParameterTable = { parent: refused() };

const parentOf = (kind: TermKind): ParameterTable => (kind === 'category' ? { parent } : refusedParent);

export interface TermTables {
  readonly list: (settings: ListSettings) => ParameterTable;
  readonly create: ParameterTable;
  readonly read: ParameterTable;
  readonly update: ParameterTable;
  readonly delete: ParameterTable;
}

function termTables(kind: TermKind): TermTables {
  const id = existingId(kind, termId(kind));
  return {
    list: (settings) => termList(kind, settings),
    create: { name: required(name), ...fields, ...parentOf(kind) },
    // Whether there is one is for the handler to say: the log still has what is deleted.
    read: { id: anyId(kind), ...oldState },
    update: { id, name, ...fields, ...parentOf(kind) },
    delete: { id },
  };
}

export const categoryTables = termTables('category');
export const tagTables = termTables('tag');
