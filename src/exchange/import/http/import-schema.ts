// Imports on the wire.
import Type from 'typebox';
import { POST_KINDS, POST_STATUSES, type PostStatus } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import { comparedField } from '../../../editorial/compare/http/compare-schema.ts';
import type { ListSettings } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, paging, text } from '../../../http/schemas/primitives.ts';

/** What an import makes of new events; `future` would need a date. */
export const IMPORTED_STATUSES: readonly PostStatus[] = POST_STATUSES.filter(
  (status) => status !== 'trash' && status !== 'future',
);

/** One of `file`, `url` and `from`; the handler says so. */
export const importBegin = Type.Object(
  optional({
    file: text('import.file', 'anything', { format: 'binary' }),
    name: text('import.name', 'nonEmptyString'),
    url: text('import.url', 'nonEmptyString'),
    from: integer('import.from', 'positiveInt'),
    dry_run: flag('import.dry_run', { default: false }),
    status: text<PostStatus>('import.status', ['oneOf', IMPORTED_STATUSES]),
    timezone: text('import.timezone', 'zoneOrEmpty'),
    map: text('import.map', 'nonEmptyString'),
  }),
);

export const importRead = Type.Object({ id: anyId('import') });

export const importList = ({ perPage }: ListSettings) => Type.Object(paging(perPage));

const WRITTEN = ['created', 'changed', 'unchanged'] as const;
const COUNTED = [...POST_KINDS, ...TERM_KINDS, 'record', 'source'] as const;

export const importRow = shown.object('import_row', {
  kind: shown.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS]),
  name: shown.text('import_row.name'),
  outcome: shown.oneOf('import_row.outcome', WRITTEN),
  line: shown.orNull(shown.integer('import_row.line')),
  start: shown.orNull(shown.text('import_row.start')),
  changes: shown.listOf(comparedField, 'import_row.changes'),
});

export const importFault = shown.object('import_fault', {
  kind: shown.oneOf('import_fault.kind', COUNTED),
  name: shown.text('import_row.name'),
  file: shown.text('import_fault.file'),
  line: shown.orNull(shown.integer('import_row.line')),
  reason: shown.text('import_fault.reason'),
});

export const importColumn = shown.object('import_column', {
  name: shown.text('import_column.name'),
  field: shown.orNull(shown.text('import_column.field')),
});

export const OUTCOMES = ['created', 'changed', 'unchanged', 'merged', 'refused'] as const;
const counts = shown.object('import_counts', shown.alike(OUTCOMES, shown.integer('import_counts.of')));

export const IMPORT_STATES = ['waiting', 'reading', 'writing', 'done', 'failed', 'interrupted'] as const;

export const importJob = shown.object('import_shown', {
  id: shown.integer('import.id'),
  correlation_id: shown.text('import_shown.correlation_id'),
  source: shown.text('import_shown.source'),
  dry_run: shown.flag('import_shown.dry_run'),
  user: shown.component('Actor', 'import_shown.user'),
  state: shown.oneOf('shown_proposal.state', IMPORT_STATES),
  begun: shown.instant('import_shown.begun'),
  ended: shown.orNull(shown.instant('import_shown.ended')),
  done: shown.integer('import_shown.done'),
  total: shown.orNull(shown.integer('import_shown.total')),
  counts: shown.mapOf(counts, 'import_shown.counts'),
  problem: shown.orNull(shown.text('import_shown.problem')),
  url: shown.address('import_shown.url'),
  ...optional({
    records: shown.integer('import_shown.records'),
    status: shown.orNull(shown.text('import.status')),
    timezone: shown.orNull(shown.text('import.timezone')),
    map: shown.orNull(shown.text('import.map')),
    rows: shown.listOf(Type.Ref('ImportRow'), 'import_shown.rows'),
    refused: shown.listOf(Type.Ref('ImportFault'), 'import_shown.refused'),
    notes: shown.listOf(Type.Ref('ImportFault'), 'import_shown.notes'),
    remarks: shown.listOf(Type.String(), 'import_shown.remarks'),
    columns: shown.listOf(Type.Ref('ImportColumn'), 'import_shown.columns'),
  }),
});
