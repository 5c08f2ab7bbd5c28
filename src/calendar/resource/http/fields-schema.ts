// The fields of a resource as they were written.
import Type from 'typebox';
import * as shown from '../../../http/schemas/members.ts';
import { anyId } from '../../../http/schemas/primitives.ts';
import type { TermKind } from '../../term/domain/term.ts';
import type { PostKind } from '../domain/post.ts';

/** The handler looks the id up in the log. */
export const fieldsRead = (of: PostKind | TermKind) => Type.Object({ id: anyId(of) });

export const fields = shown.object('fields.answer', {
  fields: shown.mapOf(shown.anything('fields.value'), 'fields.fields'),
  revision: shown.integer('revision.revision'),
});
