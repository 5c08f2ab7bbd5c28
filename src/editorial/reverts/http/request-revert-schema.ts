// Reverting what a whole request or import did, on the wire.
import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import * as member from '../../../http/schemas/members.ts';
import { flag, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

/** One of `request` and `import`; the handler says so. */
export const requestRevert = Type.Object(
  optional({
    request: text('request_revert.request', 'nonEmptyString'),
    import: text('request_revert.import', 'nonEmptyString'),
    dry_run: flag('request_revert.dry_run', { default: false }),
  }),
);

const OUTCOMES = ['done', 'unchanged', 'changed_later', 'in_use', 'refused', 'left'] as const;

export const revertedResource = member.object('reverted_resource', {
  kind: member.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS, 'series']),
  id: member.integer('resource.id'),
  url: member.address('change_entry.url'),
  action: member.oneOf('reverted_resource.action', ['trash', 'delete', 'revert']),
  outcome: member.oneOf('reverted_resource.outcome', [...OUTCOMES]),
  ...optional({
    to_revision: member.integer('reverted_resource.to_revision'),
    why: member.text('reverted_resource.why'),
    conflicts: member.listOf(member.anything('reverted_resource.conflict'), 'reverted_resource.conflicts'),
  }),
});

export const requestReverted = member.object('request_reverted', {
  reverts: member.text('request_revert.request'),
  dry_run: member.flag('request_reverted.dry_run'),
  correlation_id: member.orNull(member.text('request_reverted.correlation_id')),
  complete: member.flag('request_reverted.complete'),
  done: member.integer('request_reverted.done'),
  unchanged: member.integer('request_reverted.unchanged'),
  conflicts: member.integer('request_reverted.conflicts'),
  left: member.integer('request_reverted.left'),
  resources: member.listOf(Type.Ref('RevertedResource'), 'request_reverted.resources'),
  ...optional({ users_not_reverted: member.integer('request_reverted.users_not_reverted') }),
});
