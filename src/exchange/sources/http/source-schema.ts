// Sources on the wire: what their routes take, and what they answer.
import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { IMPORTED_STATUSES } from '../../import/http/import-schema.ts';
import {
  EVERY,
  ON_MISSING,
  type OnMissing,
  POLL_OUTCOMES,
  POLL_PROBLEMS,
  SOURCE_MODES,
  type SourceMode,
} from '../domain/source.ts';

const settings = {
  name: text('source.name', 'stringOrEmpty'),
  every: integer('source.every', 'positiveInt', { default: EVERY.usual }),
  mode: text<SourceMode>('source.mode', ['oneOf', SOURCE_MODES], { default: 'apply' }),
  on_missing: text<OnMissing>('source.on_missing', ['oneOf', ON_MISSING], { default: 'leave' }),
  status: text<PostStatus | ''>('source.status', ['oneOf', ['', ...IMPORTED_STATUSES]]),
  user: integer('source.user', 'userId'),
};

const address = text('source.address', 'nonEmptyString');
const id = anyId('source');

export const sourceTables = {
  list: Type.Object({}),
  read: Type.Object({ id }),
  create: Type.Object({ address, ...optional(settings) }),
  update: Type.Object({ id, ...optional({ address, ...settings }) }),
  /** What takes nothing but the id. */
  step: Type.Object({ id }),
  poll: Type.Object({
    id,
    ...optional({
      dry_run: flag('import.dry_run', { default: false }),
      accept: flag('source.accept', { default: false }),
    }),
  }),
};

export const COUNTED = ['created', 'changed', 'unchanged', 'refused', 'missing', 'proposed'] as const;

export const sourcePoll = member.object('source_poll', {
  request: member.text('source_poll.request'),
  begun: member.instant('source_poll.begun'),
  ended: member.orNull(member.instant('import_shown.ended')),
  by: member.eitherOf('source_poll.by', [Type.Ref('Actor'), Type.Null()]),
  outcome: member.oneOf('source_poll.outcome', POLL_OUTCOMES),
  problem: member.orNull(member.oneOf('source_poll.problem', POLL_PROBLEMS)),
  detail: member.text('source_poll.detail'),
  counts: member.object('source_poll.counts', member.alike(COUNTED, member.integer('import_counts.of'))),
  notes: member.listOf(Type.Ref('ImportFault'), 'source_poll.notes'),
});

export const source = member.object('source', {
  id: member.integer('source.id'),
  name: member.text('source.name'),
  address: member.text('source.address'),
  every: member.integer('source.every'),
  mode: member.oneOf('source.mode', SOURCE_MODES),
  on_missing: member.oneOf('source.on_missing', ON_MISSING),
  status: member.text('source.status'),
  user: member.component('Actor', 'source.user'),
  paused: member.flag('source.paused'),
  created: member.instant('source.created'),
  next_poll: member.orNull(member.instant('source.next_poll')),
  failures: member.integer('source.failures'),
  to_confirm: member.orNull(member.oneOf('source.to_confirm', ['empty', 'shrank', 'moved'])),
  last_poll: member.eitherOf('source.last_poll', [Type.Ref('SourcePoll'), Type.Null()]),
  rest_url: member.address('shown.url'),
});

export const sourceList = member.object('source.list_answer', {
  sources: member.listOf(Type.Ref('Source'), 'source.list_answer'),
});

export const sourcePolls = member.object('source.polls', {
  polls: member.listOf(Type.Ref('SourcePoll'), 'source.polls'),
});
