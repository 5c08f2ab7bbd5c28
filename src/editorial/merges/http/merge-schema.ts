// Merges and duplicates on the wire.
import Type from 'typebox';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, flag, optional, paging, text } from '../../../http/schemas/primitives.ts';
import { DUPLICATE_REASONS, MERGED_KINDS, type MergedKind } from '../domain/merge.ts';

/** The handler decides whether both exist: the log may have what the read model lacks. */
/** Id or slug of the one that stays. */
export const mergeInto = text<string>('merge.into', 'anything', { alsoTakes: ['number'] });

export const mergeBody = (kind: MergedKind) =>
  Type.Object({
    id: anyId(kind),
    into: mergeInto,
    ...optional({ dry_run: flag('merge.dry_run') }),
  });

export const duplicateList = ({ perPage }: ListSettings) => Type.Object(paging(perPage));

export const merge = shown.object('shown_merge', {
  dry_run: shown.flag('shown_merge.dry_run'),
  kind: shown.oneOf('resource.kind', [...MERGED_KINDS]),
  id: shown.integer('shown_merge.id'),
  merged_into: shown.integer('shown_merge.merged_into'),
  url: shown.address('shown_merge.url'),
  events: shown.object('shown_merge.events', {
    count: shown.integer('shown_merge.events_count'),
    ids: shown.listOf(shown.integer('resource.id'), 'shown_merge.events_ids'),
  }),
  differences: shown.listOf(
    shown.object('shown_merge.difference', {
      field: shown.text('field_change.field'),
      goes: shown.anything('shown_merge.goes'),
      stays: shown.anything('shown_merge.stays'),
    }),
    'shown_merge.differences',
  ),
});

const one = shown.object('shown_duplicate.one', {
  id: shown.integer('resource.id'),
  name: shown.text('shown.name'),
  url: shown.address('change_entry.url'),
});

export const duplicate = shown.object('shown_duplicate', {
  reasons: shown.listOf(shown.oneOf('shown_duplicate.reasons', [...DUPLICATE_REASONS]), 'shown_duplicate.reasons'),
  ...optional({ distance: shown.decimal('shown_duplicate.distance') }),
  resources: shown.listOf(one, 'shown_duplicate.both'),
});
