// The fields of a resource as they were written.
import Type from 'typebox';
import type { PostKind } from '../../domain/post.ts';
import type { TermKind } from '../../domain/term.ts';
import * as shown from './members.ts';
import { anyId } from './primitives.ts';

/** The handler looks the id up in the log. */
export const fieldsRead = (of: PostKind | TermKind) => Type.Object({ id: anyId(of) });

export const fields = shown.object('fields.answer', {
  fields: shown.mapOf(shown.anything('fields.value'), 'fields.fields'),
  revision: shown.integer('revision.revision'),
});
