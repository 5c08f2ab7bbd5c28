// The parameters of histories and of reverts.
import Type from 'typebox';
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import type { ListSettings } from './lists.ts';
import { anyId, integer, paging } from './primitives.ts';

/** The id is looked up in the log by the handler: views may lag, or have forgotten what the log still has. */
export const historyList = (of: PostKind | TermKind, { perPage }: ListSettings) =>
  Type.Object({ id: anyId(of), ...paging(perPage) });

/** What is wrong with the revision is said in words of its own, by the handler; so is what the id names. */
export const revert = (of: PostKind | TermKind) =>
  Type.Object({ id: anyId(of), revision: integer('revert.revision', 'anything') });
