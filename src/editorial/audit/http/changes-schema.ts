// The feed of changes on the wire.
import { restUrl } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anything, dateFilter, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

export const CHANGES_PER_PAGE = 50;
export const MAX_CHANGES_PER_PAGE = 100;
export const MAX_WAIT_SECONDS = 60;

/** The handler reports errors of position and types in its own words. */
export const changeFeed = Type.Object(
  optional({
    after: text('changes.after', 'anything'),
    types: anything('changes.types'),
    per_page: integer('changes.per_page', ['countUpTo', MAX_CHANGES_PER_PAGE], { default: CHANGES_PER_PAGE }),
    order: text('changes.order', 'anything', { default: 'asc' }),
    kind: anything('changes.kind'),
    actor: anything('changes.actor'),
    role: anything('changes.role'),
    field: anything('changes.field'),
    reason: text('changes.reason', 'searchedText'),
    request: text('changes.request', 'searchedText'),
    from: dateFilter('changes.from'),
    to: dateFilter('changes.to'),
    wait: integer('changes.wait', ['seconds', MAX_WAIT_SECONDS], { default: 0 }),
  }),
);

export const changesPage = member.object('changes.answer', {
  changes: member.listOf(Type.Ref('ChangeEntry'), 'changes.changes'),
  next: member.text('changes.next'),
  has_more: member.flag('changes.has_more'),
  ...optional({ partial: member.flag('changes.partial') }),
  rest_url: restUrl,
});
