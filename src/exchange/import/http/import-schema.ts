// Imports on the wire.
import { POST_KINDS, POST_STATUSES, type PostStatus } from '../../../calendar/resource/domain/post.ts';
import { TERM_KINDS } from '../../../calendar/term/domain/term.ts';
import { comparedField } from '../../../editorial/compare/http/compare-schema.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, flag, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';

/** These encodings can be chosen: what is UTF-8, or has a mark, needs no choice. */
export const ENCODINGS = [
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256'],
  ...['windows-1257', 'windows-1258', 'iso-8859-2', 'iso-8859-15', 'macintosh', 'koi8-r', 'koi8-u', 'ibm866'],
  ...['shift_jis', 'euc-jp', 'iso-2022-jp', 'gbk', 'gb18030', 'big5', 'euc-kr', 'windows-874', 'utf-16le', 'utf-16be'],
] as const;

type Encoding = (typeof ENCODINGS)[number];

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
    encoding: text<Encoding>('import.encoding', ['oneOf', ENCODINGS]),
    map: text('import.map', 'nonEmptyString'),
  }),
);

export const importRead = Type.Object({ id: anyId('import') });

const WRITTEN = ['created', 'changed', 'unchanged'] as const;
const COUNTED = [...POST_KINDS, ...TERM_KINDS, 'record', 'source'] as const;

export const importRow = member.object('import_row', {
  kind: member.oneOf('resource.kind', [...POST_KINDS, ...TERM_KINDS]),
  name: member.text('import_row.name'),
  outcome: member.oneOf('import_row.outcome', WRITTEN),
  line: member.orNull(member.integer('import_row.line')),
  start: member.orNull(member.text('import_row.start')),
  changes: member.listOf(comparedField, 'import_row.changes'),
});

export const importFault = member.object('import_fault', {
  kind: member.oneOf('import_fault.kind', COUNTED),
  name: member.text('import_row.name'),
  file: member.text('import_fault.file'),
  line: member.orNull(member.integer('import_row.line')),
  reason: member.text('import_fault.reason'),
});

export const importColumn = member.object('import_column', {
  name: member.text('import_column.name'),
  field: member.orNull(member.text('import_column.field')),
});

export const OUTCOMES = ['created', 'changed', 'unchanged', 'merged', 'refused'] as const;
const counts = member.object('import_counts', member.alike(OUTCOMES, member.integer('import_counts.of')));

const IMPORT_STATES = ['waiting', 'reading', 'writing', 'done', 'failed', 'interrupted'] as const;

export const importJob = member.object('import_shown', {
  id: member.integer('import.id'),
  correlation_id: member.text('import_shown.correlation_id'),
  source: member.text('import_shown.source'),
  dry_run: member.flag('import_shown.dry_run'),
  user: member.component('Actor', 'import_shown.user'),
  state: member.oneOf('shown_proposal.state', IMPORT_STATES),
  begun: member.instant('import_shown.begun'),
  ended: member.orNull(member.instant('import_shown.ended')),
  done: member.integer('import_shown.done'),
  total: member.orNull(member.integer('import_shown.total')),
  counts: member.mapOf(counts, 'import_shown.counts'),
  problem: member.orNull(member.text('import_shown.problem')),
  url: member.address('import_shown.url'),
  ...optional({
    records: member.integer('import_shown.records'),
    status: member.orNull(member.text('import.status')),
    timezone: member.orNull(member.text('import.timezone')),
    encoding: member.orNull(member.text('import.encoding')),
    map: member.orNull(member.text('import.map')),
    rows: member.listOf(Type.Ref('ImportRow'), 'import_shown.rows'),
    refused: member.listOf(Type.Ref('ImportFault'), 'import_shown.refused'),
    notes: member.listOf(Type.Ref('ImportFault'), 'import_shown.notes'),
    remarks: member.listOf(Type.String(), 'import_shown.remarks'),
    columns: member.listOf(Type.Ref('ImportColumn'), 'import_shown.columns'),
  }),
});
