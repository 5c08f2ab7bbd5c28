// Reverting what a whole request or import did, on the wire.
import Type from 'typebox';
import { POST_KINDS } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import * as shown from '../../../http/schemas/members.ts';
import { flag, optional, text } from '../../../http/schemas/primitives.ts';

/** One of `request` and `import`; the handler says so. */
export const requestRevert = Type.Object(
  optional({
    request: text('request_revert.request', 'nonEmptyString'),
    import: text('request_revert.import', 'nonEmptyString'),
    dry_run: flag('request_revert.dry_run', { default: false }),
  }),
);

export const OUTCOMES = ['done', 'unchanged', 'changed_later', 'in_use', 'refused', 'left'] as const;

export const revertedResource = shown.object('reverted_resource', {
  kind: shown.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS, 'series']),
  id: shown.integer('resource.id'),
  url: shown.address('change_entry.url'),
  action: shown.oneOf('reverted_resource.action', ['trash', 'delete', 'revert']),
  outcome: shown.oneOf('reverted_resource.outcome', [...OUTCOMES]),
  ...optional({
    to_revision: shown.integer('reverted_resource.to_revision'),
    why: shown.text('reverted_resource.why'),
    conflicts: shown.listOf(shown.anything('reverted_resource.conflict'), 'reverted_resource.conflicts'),
  }),
});

export const requestReverted = shown.object('request_reverted', {
  reverts: shown.text('request_revert.request'),
  dry_run: shown.flag('request_reverted.dry_run'),
  correlation_id: shown.orNull(shown.text('request_reverted.correlation_id')),
  complete: shown.flag('request_reverted.complete'),
  done: shown.integer('request_reverted.done'),
  unchanged: shown.integer('request_reverted.unchanged'),
  conflicts: shown.integer('request_reverted.conflicts'),
  left: shown.integer('request_reverted.left'),
  resources: shown.listOf(Type.Ref('RevertedResource'), 'request_reverted.resources'),
  ...optional({ users_not_reverted: shown.integer('request_reverted.users_not_reverted') }),
});
