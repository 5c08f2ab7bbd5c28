// Merges and duplicates on the wire.
import * as member from '../../../http/schemas/members.ts';
import { anyId, flag, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { DUPLICATE_REASONS, MERGED_KINDS, type MergedKind } from '../domain/merge.ts';

/** Id or slug of the one that stays. The handler decides whether both exist: the log may have what the read model lacks. */
export const mergeInto = text('merge.into', 'anything', { alsoTakes: ['number'] });

export const mergeBody = (kind: MergedKind) =>
  Type.Object({
    id: anyId(kind),
    into: mergeInto,
    ...optional({ dry_run: flag('merge.dry_run') }),
  });

export const merge = member.object('shown_merge', {
  dry_run: member.flag('shown_merge.dry_run'),
  kind: member.oneOf('resource.kind', [...MERGED_KINDS]),
  id: member.integer('shown_merge.id'),
  merged_into: member.integer('shown_merge.merged_into'),
  url: member.address('shown_merge.url'),
  events: member.object('shown_merge.events', {
    count: member.integer('shown_merge.events_count'),
    ids: member.listOf(member.integer('resource.id'), 'shown_merge.events_ids'),
  }),
  differences: member.listOf(
    member.object('shown_merge.difference', {
      field: member.text('field_change.field'),
      goes: member.anything('shown_merge.goes'),
      stays: member.anything('shown_merge.stays'),
    }),
    'shown_merge.differences',
  ),
});

const one = member.object('shown_duplicate.one', {
  id: member.integer('resource.id'),
  name: member.text('shown.name'),
  url: member.address('change_entry.url'),
});

export const duplicate = member.object('shown_duplicate', {
  reasons: member.listOf(member.oneOf('shown_duplicate.reasons', [...DUPLICATE_REASONS]), 'shown_duplicate.reasons'),
  ...optional({ distance: member.decimal('shown_duplicate.distance') }),
  resources: member.listOf(one, 'shown_duplicate.both'),
});
