// Rows of a table as import plans, by a mapping.
import type { EventInput } from '../../../domain/calendar-event.ts';
import { isPostStatus } from '../../../domain/post.ts';
import { oneLine } from '../../../text/plain-text.ts';
import { eventStatusNamed } from '../../attendance.ts';
import { fieldsIn, type Given } from '../../fields.ts';
import { EMPTY_PLAN, type Origin, type Place, type PlannedEvent, type Reading } from '../../import-plan.ts';
import { ownerOf as ownName } from '../../read-source.ts';
import { assertForeign, exportedKey } from '../daybook/records.ts';
import { ambiguityRemark, type DateOfRow } from './ambiguous-dates.ts';
import {
  cell,
  type Exported,
  FALSE,
  inOneLine,
  keyOf,
  link,
  originOf,
  plainAsHtml,
  type Scope,
  split,
  type Table,
  type TableReading,
  text,
  textOf,
} from './cells.ts';
import {
  type ColumnUse,
  columnUses,
  FIELDS,
  type Field,
  FLAG_ROWS,
  guessMapping,
  isUsable,
  type Mapping,
  type Paragraph,
  placeholders,
  UnusableTable,
  unusedColumns,
} from './mapping.ts';
import { organizersOf, terms, venuesOf } from './relations.ts';
import type { Row } from './rows.ts';
import { hasDayFirst, timesOf } from './times.ts';

interface TableRead {
  readonly readings: readonly Reading[];
  readonly remarks: readonly string[];
  /** The first rows as they would arrive, a line each. */
  readonly samples: readonly string[];
  readonly columns: readonly ColumnUse[];
}

const MAX_SAMPLES = 10;
/** Throws `UnusableTable` if the columns do not give title and start. */
export function readTable(rows: readonly Row[], reading: TableReading): TableRead {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const mapping = reading.mapping ?? guessMapping(columns);
  if (!isUsable(mapping))
    throw new UnusableTable(
      `no column is known to be the title and the start; its columns are ${columns.map(oneLine).join(', ')}. Try --map title=COLUMN,start=COLUMN`,
      columnUses(columns, mapping),
    );
  const table: Table = {
    ...reading,
    mapping,
    isDayFirst: hasDayFirst(
      rows.flatMap(({ values }) => [text(values, mapping, 'start'), text(values, mapping, 'end')]),
    ),
    repeated: repeatedIn(rows.map(({ values }) => text(values, mapping, 'uid'))),
  };
  const readings = rows.map((row, index) => readRow(row, { file: reading.file, index, line: row.line }, table));
  const unused = unusedColumns(columns, mapping);
  const used = FIELDS.flatMap((field) => {
    const from = mapping.columns[field]?.filter((column) => columns.includes(column)) ?? [];
    return from.length === 0 ? [] : [`${field}=${from.join('+')}`];
  });
  const dates = readings.flatMap((read, index) => datesOf(rows[index], read, index, mapping));
  const ambiguity = ambiguityRemark(reading.file, dates);
  return {
    readings,
    remarks: [
      ...(reading.mapping ? [] : [`${reading.file}: columns were taken as ${used.map(oneLine).join(', ')}`]),
      ...(unused.length === 0 ? [] : [`${reading.file}: columns that are not used: ${unused.map(oneLine).join(', ')}`]),
      ...(ambiguity === null ? [] : [ambiguity]),
    ],
    samples: readings.flatMap(sampleOf).slice(0, MAX_SAMPLES),
    columns: columnUses(columns, mapping),
  };
}

/** The dates of a row as written, and the days that they were read as. */
function datesOf(row: Row | undefined, { plan: { events } }: Reading, index: number, mapping: Mapping): DateOfRow[] {
  const { values = {}, line = null } = row ?? {};
  const times = events[0]?.input.times;
  return (['start', 'end'] as const).map((field) => {
    const read = times?.[field];
    const day = typeof read === 'string' ? read.slice(0, 'YYYY-MM-DD'.length) : null;
    return { text: text(values, mapping, field), day, line: line ?? index };
  });
}

function repeatedIn(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(ids.filter((id) => id !== '' && (seen.has(id) || !seen.add(id))));
}

function exportedIn(uid: string): Exported | null {
  const [, id, origin] = /^event-([1-9]\d{0,14})@([\w-]+)$/.exec(uid) ?? [];
  return id === undefined || origin === undefined ? null : { origin, id: Number(id) };
}

function readRow({ values, problem }: Row, place: Place, table: Table): Reading {
  const { mapping } = table;
  const at = (field: Field): string => text(values, mapping, field);
  const title = inOneLine(at('title'));
  const fault = (reason: string): Reading => ({
    plan: EMPTY_PLAN,
    faults: [{ kind: 'event', name: title || '(no title)', place, reason }],
  });
  if (problem !== undefined) return fault(problem);
  if (title === '') return fault('no title');
  const allDay = mapping.allDay ?? (at('all_day') === '' ? undefined : !FALSE.test(at('all_day')));
  const when = timesOf(
    {
      ...{ start: at('start'), startTime: at('start_time'), end: at('end'), endTime: at('end_time') },
      ...{ timezone: at('timezone'), allDay },
    },
    table,
  );
  if ('invalid' in when) return fault(when.invalid);
  const exported = exportedIn(at('uid'));
  if (exported) assertForeign(exported.origin, table.ownOrigin);
  const scope: Scope = { values, place, table, exported };
  const [categories, tags] = [terms('category', scope), terms('tag', scope)];
  const [venues, organizers] = [venuesOf(scope), organizersOf(scope)];
  const event: PlannedEvent = {
    origin: { ...originOf(scope, eventKey(scope, title), title), ...ownerOf(scope) },
    id: exported?.id,
    input: { ...inputOf(scope), times: when.times },
    categories: keysOf(mapping.columns.category ?? mapping.terms?.category, categories),
    tags: keysOf(mapping.columns.tags ?? mapping.terms?.tags, tags),
    venues: keysOf(mapping.columns.venue, venues),
    organizers: keysOf(mapping.columns.organizer, organizers),
    merging: mapping.merge ?? 'newest',
    modified: '',
  };
  return { plan: { terms: [...categories, ...tags], venues, organizers, events: [event] }, faults: [] };
}

const keysOf = (mapped: unknown, planned: readonly { readonly origin: Origin }[]): readonly string[] | undefined =>
  mapped === undefined ? undefined : planned.map(({ origin }) => origin.key);

const GLOBAL_ID = /@|:\/\/|^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Ids that look unique are those of their source, too. */
function ownerOf({ values, table: { mapping, source, file }, exported }: Scope): Pick<Origin, 'owner'> {
  if (exported || !GLOBAL_ID.test(text(values, mapping, 'uid'))) return {};
  return { owner: mapping.source ?? source ?? ownName(file) };
}

/**
 * Identifies the event in every run: by its id, else by title, start and place. Numeric ids count within their file.
 */
function eventKey(scope: Scope, title: string): string {
  const { values, table, exported } = scope;
  if (exported) return exportedKey(exported.origin, 'event', exported.id);
  const { mapping, topic, source, repeated } = table;
  const uid = text(values, mapping, 'uid');
  const start = `${text(values, mapping, 'start')} ${text(values, mapping, 'start_time')}`;
  if (uid !== '') {
    const within = GLOBAL_ID.test(uid) ? '' : (mapping.source ?? source ?? topic);
    return keyOf(scope, 'id', [within, uid, ...(repeated.has(uid) ? [start] : [])]);
  }
  const parts = mapping.key?.map((column) => cell(values[column]));
  return keyOf(scope, 'event', parts ?? [title, start, text(values, mapping, 'venue')]);
}

function inputOf(scope: Scope): EventInput {
  const { values, table, exported } = scope;
  const { mapping } = table;
  const at = (field: Field): string => textOf(scope, field);
  const [status, url, cost, image] = [at('status').toLowerCase(), at('url'), at('cost'), at('image')];
  const eventStatus = eventStatusNamed(at('event_status')) ?? eventStatusNamed(status);
  const description = mapping.description
    ? paragraphs(mapping.description, values)
    : htmlOf(at('description'), exported);
  const flags = Object.fromEntries(
    FLAG_ROWS.flatMap(({ wire }) => (cell(values[wire]) === '' ? [] : [[wire, !FALSE.test(cell(values[wire]))]])),
  );
  return {
    title: exported ? at('title') : plainAsHtml(inOneLine(at('title'))),
    ...(description !== '' && { description }),
    ...(at('excerpt') !== '' && { excerpt: htmlOf(at('excerpt'), exported) }),
    ...(isPostStatus(status) && status !== 'trash' && { status }),
    ...(eventStatus && { eventStatus }),
    ...(at('slug') !== '' && { slug: at('slug') }),
    ...(url !== '' && { website: url }),
    ...(cost !== '' && { cost: exported ? split(cost, scope, '') : cost }),
    ...(image !== '' && { image }),
    ...fieldsIn(flags, FLAG_ROWS),
  };
}

/** HTML is kept, and cleaned like that of any other source. */
const htmlOf = (value: string, exported: Exported | null): string =>
  exported || /<\/?[a-z][^<>]*>/i.test(value) ? value : plainAsHtml(value);

function paragraphs(all: readonly Paragraph[], values: Given): string {
  const filled = (template: string): string | null => {
    if (placeholders(template).some((column) => cell(values[column]) === '')) return null;
    return template.replace(/\{(\w+)\}/g, (_, column: string) => plainAsHtml(cell(values[column])));
  };
  return all
    .flatMap(({ text: template, link: column, when, suffix = '' }) => {
      const body = filled(template);
      if (body === null || (when !== undefined && FALSE.test(cell(values[when])))) return [];
      if (column === undefined) return [`<p>${body}</p>`];
      const address = cell(values[column]);
      return address === '' ? [] : [`<p>${link(address, body)}${filled(suffix) ?? ''}</p>`];
    })
    .join('\n');
}

function sampleOf({ plan: { events, terms: all, venues, organizers }, faults }: Reading): string[] {
  const refused = faults.map(
    ({ name, place, reason }) => `line ${place.line ?? place.index}: refused: ${oneLine(name)}: ${oneLine(reason)}`,
  );
  const shown = events.map(({ input: { title = '', times }, origin }) => {
    const list = (label: string, names: readonly string[]): string =>
      names.length === 0 ? '' : `; ${label} ${names.map(oneLine).join(', ')}`;
    const zone = times?.timezone ? ` ${times.timezone}` : '';
    const terms = list(
      'terms',
      all.map(({ name }) => name),
    );
    const links =
      list(
        'venue',
        venues.map((one) => one.origin.name),
      ) +
      list(
        'organizer',
        organizers.map((one) => one.origin.name),
      );
    return `line ${origin.place.line ?? origin.place.index}: ${oneLine(title)}; ${times?.start} to ${times?.end}${zone}${links}${terms}`;
  });
  return [...shown, ...refused];
}
