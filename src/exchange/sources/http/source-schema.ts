// Sources on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, text } from '../../../http/schemas/primitives.ts';
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

export const sourcePoll = shown.object('source_poll', {
  request: shown.text('source_poll.request'),
  begun: shown.instant('source_poll.begun'),
  ended: shown.orNull(shown.instant('import_shown.ended')),
  by: shown.eitherOf('source_poll.by', [Type.Ref('Actor'), Type.Null()]),
  outcome: shown.oneOf('source_poll.outcome', POLL_OUTCOMES),
  problem: shown.orNull(shown.oneOf('source_poll.problem', POLL_PROBLEMS)),
  detail: shown.text('source_poll.detail'),
  counts: shown.object('source_poll.counts', shown.alike(COUNTED, shown.integer('import_counts.of'))),
  notes: shown.listOf(Type.Ref('ImportFault'), 'source_poll.notes'),
});

export const source = shown.object('source', {
  id: shown.integer('source.id'),
  name: shown.text('source.name'),
  address: shown.text('source.address'),
  every: shown.integer('source.every'),
  mode: shown.oneOf('source.mode', SOURCE_MODES),
  on_missing: shown.oneOf('source.on_missing', ON_MISSING),
  status: shown.text('source.status'),
  user: shown.component('Actor', 'source.user'),
  paused: shown.flag('source.paused'),
  created: shown.instant('source.created'),
  next_poll: shown.orNull(shown.instant('source.next_poll')),
  failures: shown.integer('source.failures'),
  to_confirm: shown.orNull(shown.oneOf('source.to_confirm', ['empty', 'shrank', 'moved'])),
  last_poll: shown.eitherOf('source.last_poll', [Type.Ref('SourcePoll'), Type.Null()]),
  rest_url: shown.address('shown.url'),
});

export const sourceList = shown.object('source.list_answer', {
  sources: shown.listOf(Type.Ref('Source'), 'source.list_answer'),
});

export const sourcePolls = shown.object('source.polls', {
  polls: shown.listOf(Type.Ref('SourcePoll'), 'source.polls'),
});
