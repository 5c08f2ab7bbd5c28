// Rows of a table as import plans, by a mapping.
import { EVENT_ROWS, type EventInput } from '../../../../calendar/event/domain/calendar-event.ts';
import { priceIn } from '../../../../calendar/event/domain/price.ts';
import type { PostStatus } from '../../../../calendar/resource/domain/post.ts';
import { oneLine } from '../../../../kernel/text/plain-text.ts';
import { isAmbiguousDate } from '../../../../kernel/time/date-input.ts';
import { ruleProblem } from '../../../../kernel/time/recurrence.ts';
import { attendanceIn, eventStatusNamed } from '../../attendance.ts';
import { extensionsOf, type ForeignRecord, fieldsIn, isObject } from '../../fields.ts';
import { EMPTY_PLAN, type Origin, type Place, type PlannedEvent, type Reading } from '../../import-plan.ts';
import { keepsFromPublic, publicationIn, publicationNamed, UNDATED, unknownStatus } from '../../publication.ts';
import { ownerOf as ownName } from '../../read-source.ts';
import { ALONE, assertForeign, exportedKey, UNPROTECTED } from '../daybook/records.ts';
import { cannotBeRead } from '../ical/ical-moments.ts';
import { placeIn } from '../places.ts';
import {
  cell,
  type Exported,
  FALSE,
  foreignAsHtml,
  htmlOf,
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
import { columnsOf, guessMapping, unreadTimes } from './guess.ts';
import { areForeign, FIELDS, type Field, isCommaList } from './headings.ts';
import {
  type ColumnUse,
  columnUses,
  currencyPositionColumn,
  flagColumns,
  isUsable,
  type Mapping,
  type Paragraph,
  placeholders,
  UnusableTable,
  unusedColumns,
} from './mapping.ts';
import { readPosts } from './posts.ts';
import { organizersOf, terms, venuesOf } from './relations.ts';
import { objectIn, type Row } from './rows.ts';
import { orderShownBy, timesOf } from './times.ts';

interface TableRead {
  readonly readings: readonly Reading[];
  readonly remarks: readonly string[];
  /** The first rows as they would arrive, a line each. */
  readonly samples: readonly string[];
  readonly columns: readonly ColumnUse[];
}

const MAX_SAMPLES = 10;
/** Throws `UnusableTable` if the columns do not give title and start. */
export function readTable(sourceRows: readonly Row[], reading: TableReading): TableRead {
  const columns = columnsOf(sourceRows.map(({ values }) => values));
  const mapping = reading.mapping ?? guessMapping(sourceRows.map(({ values }) => values));
  const posts = isUsable(mapping) || reading.mapping ? null : readPosts(sourceRows, columns, reading);
  if (posts) return { ...posts, samples: [], columns: [] };
  if (!isUsable(mapping))
    throw new UnusableTable(
      `no column is known to be the title and the start; its columns are ${columns.map(oneLine).join(', ')}. Try --map title=COLUMN,start=COLUMN`,
      columnUses(columns, mapping),
    );
  const { rows, below, heads } = daysBelow(sourceRows, mapping);
  const cells = rows.map(({ values }) => values);
  const table: Table = {
    ...reading,
    mapping,
    flags: flagColumns(columns),
    currencyPosition: currencyPositionColumn(columns) ?? '',
    isDayFirst: isDayFirst(
      columns,
      rows.flatMap(({ values }) => [text(values, mapping, 'start'), text(values, mapping, 'end')]),
    ),
    repeated: repeatedIn(rows.map(({ values }) => text(values, mapping, 'uid'))),
  };
  const readings = rows.map((row, index) =>
    heads.has(row)
      ? { plan: EMPTY_PLAN, faults: [] }
      : readRow(row, { file: reading.file, index, line: row.line }, table),
  );
  const isUnsettled = (values: ForeignRecord, index: number): boolean =>
    readings[index]?.plan.events.length === 1 &&
    FALSE.test(text(values, mapping, 'all_day')) &&
    text(values, mapping, 'start_time') === '';
  const timeColumns = reading.mapping || readings.some(saysWhen) ? [] : unreadTimes(cells.filter(isUnsettled), mapping);
  if (timeColumns.length > 0)
    throw new UnusableTable(
      `its days have no time of start, and times may be in ${timeColumns.map(oneLine).join(', ')}. Try --map title=COLUMN,start=COLUMN,start_time=COLUMN, or without start_time for whole days`,
      columnUses(columns, mapping),
    );
  const otherColumns = unusedColumns(columns, mapping);
  const uses = FIELDS.flatMap((field) => {
    const from = mapping.columns[field]?.filter((column) => columns.includes(column)) ?? [];
    return from.length === 0 ? [] : [`${field}=${from.join('+')}`];
  });
  const dates = readings.flatMap((rowReading, index) => datesOf(rows[index], rowReading, index, mapping));
  const whole = cells.findIndex((values) => mayBeSeveral(text(values, mapping, 'category'), mapping));
  return {
    readings,
    remarks: [
      ...(reading.mapping ? [] : [`${reading.file}: columns were taken as ${uses.map(oneLine).join(', ')}`]),
      ...(cells.some((values) => exportedIn(values, mapping))
        ? [
            `${reading.file}: a table of a Daybook has no parents of events and categories, and neither pictures nor descriptions of venues, organizers and terms. An export without --format has them`,
          ]
        : []),
      ...(otherColumns.length === 0
        ? []
        : [`${reading.file}: columns that are not used: ${otherColumns.map(oneLine).join(', ')}`]),
      ...dateRemarks(reading.file, dates),
      ...linesOf(
        dates.filter(({ line }) => below.has(line)),
        (day) => day !== '',
      ).map((lines) => `${reading.file}: rows without a day were put on that of the row above; lines ${lines}`),
      ...(whole < 0
        ? []
        : [
            `${reading.file}: commas do not separate categories; line ${rows[whole]?.line ?? whole} has some. Try | between them`,
          ]),
    ],
    samples: readings.flatMap(sampleOf).slice(0, MAX_SAMPLES),
    columns: columnUses(columns, mapping),
  };
}

/**
 * Where the cells of days are merged, a row with a time of day is on the day of a row above it: `below` has the lines of such
 * rows. A row that has nothing but a day is one of the `heads` of those below.
 */
function daysBelow(sourceRows: readonly Row[], { columns }: Mapping) {
  const [day = '', ...others] = columns.start ?? [];
  const [time] = columns.start_time ?? [];
  const [heads, below] = [new Set<Row>(), new Set<number>()];
  let above: Row | undefined;
  const rows = sourceRows.map((row) => {
    const { values, line } = row;
    const isBelow = line !== null && values[day] === '' && cell(values[time ?? '']) !== '';
    if (!isBelow) {
      // Behind a row of neither it is not known what follows.
      above = time === undefined || others.length > 0 || cell(values[day]) === '' ? undefined : row;
      return row;
    }
    if (above === undefined) return row;
    if (Object.entries(above.values).every(([name, value]) => name === day || cell(value) === '')) heads.add(above);
    below.add(line);
    return { ...row, values: { ...values, [day]: above.values[day] } };
  });
  return { rows, below, heads };
}

/** The dates themselves say so; else headings in English may stand for months first. */
function isDayFirst(columns: readonly string[], dates: readonly string[]): boolean {
  const order = orderShownBy(dates);
  return order === null ? areForeign(columns) : order === 'day first';
}

/** Whether a name of a category looks like several. */
const mayBeSeveral = (name: string, { separator, columns }: Mapping): boolean =>
  /,\s/.test(name) && !name.includes('|') && separator === undefined && !columns.category?.some(isCommaList);

/** Whether a row says at what time of day its event starts. */
const saysWhen = ({ plan: { events } }: Reading): boolean =>
  events.some(({ input: { times } }) => times?.allDay === false && !String(times.start).endsWith(' 00:00:00'));

/** The dates of a row as written, and the days that they were read as. */
function datesOf(
  row: Row | undefined,
  { plan: { events }, remarks = [] }: Reading,
  index: number,
  mapping: Mapping,
): DateOfRow[] {
  const { values = {}, line = null } = row ?? {};
  const times = events[0]?.input.times;
  return (['start', 'end'] as const).map((field) => {
    const moment = times?.[field];
    const isRead = field === 'start' || !remarks.some(({ text }) => text.startsWith(NO_END));
    const day = isRead && typeof moment === 'string' ? moment.slice(0, 'YYYY-MM-DD'.length) : null;
    return { text: text(values, mapping, field), day, line: line ?? index };
  });
}

function repeatedIn(ids: readonly string[]): ReadonlySet<string> {
  const former = new Set<string>();
  return new Set(ids.filter((id) => id !== '' && (former.has(id) || !former.add(id))));
}

function exportedIn(values: ForeignRecord, mapping: Mapping): Exported | null {
  const [, id, origin] = /^event-([1-9]\d{0,14})@([\w-]+)$/.exec(text(values, mapping, 'uid')) ?? [];
  return id === undefined || origin === undefined ? null : { origin, id: Number(id) };
}

function readRow({ values, problem, rest: said = {}, notes: lacking = [] }: Row, place: Place, table: Table): Reading {
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
  const exported = exportedIn(values, mapping);
  if (exported) assertForeign(exported.origin, table.ownOrigin);
  const record = exported ? objectIn(cell(values.daybook_event) || '{}') : said;
  const rest = record ?? {};
  const scope: Scope = { values, place, table, exported, rest };
  const [categories, tags] = [terms('category', scope), terms('tag', scope)];
  const [venues, organizers] = [venuesOf(scope), organizersOf(scope)];
  const origin = originOf(scope, eventKey(scope, title), title);
  const { status, unknown } = statusOf(scope);
  const publication = status === undefined ? {} : publicationIn(rest, status);
  const event: PlannedEvent = {
    origin: { ...origin, ...ownerOf(scope) },
    id: exported?.id,
    input: { ...inputOf(scope), ...publication, times: when.times },
    categories: keysOf(mapping.columns.category ?? mapping.terms?.category, categories),
    tags: keysOf(mapping.columns.tags ?? mapping.terms?.tags, tags),
    venues: keysOf(mapping.columns.venue, venues),
    organizers: keysOf(mapping.columns.organizer, organizers),
    merging: mapping.merge ?? 'newest',
    modified: '',
  };
  const repetition = at('recurrence')
    .replace(/^RRULE:/i, '')
    .toUpperCase();
  const isOnce = FALSE.test(repetition) || ONCE.test(repetition);
  const isRule = !isOnce && ruleProblem(repetition.replace(/;?UNTIL=[\dTZ]+/, '')) === null;
  const repeating = { rules: [repetition], added: [], skipped: [] };
  const whole = `${origin.key} repeats`;
  const single = mapping.columns.recurrence ? { ...event, instead: [whole] } : event;
  const series = { ...event, origin: { ...event.origin, key: whole }, instead: [origin.key] };
  const planned = isRule ? { ...series, series: { repeating, overrides: [], singles: [single] } } : single;
  const notes = [
    ...lacking,
    ...(when.unreadText === '' ? [] : [`${NO_END}${cannotBeRead(when.unreadText).message}`]),
    ...(record === null ? ['taken without its daybook_event, which is no JSON object'] : []),
    ...(rest.password_protected === true ? [UNPROTECTED] : []),
    ...(rest.series === undefined ? [] : [ALONE]),
    ...(unknown === undefined ? [] : [unknownStatus(unknown)]),
    ...(status === 'future' && publication.status === 'draft' ? [UNDATED] : []),
    ...(isOnce || isRule ? [] : [`taken once: it repeats by "${oneLine(at('recurrence'))}", which is no rule`]),
  ];
  const plan = { terms: [...categories, ...tags], venues, organizers, events: [planned] };
  return { plan, faults: [], remarks: notes.map((text) => ({ kind: 'event', origin, text: text }) as const) };
}

const NO_END = 'taken without its end: ';

/** What says that an event does not repeat, besides no. */
const ONCE = /^(?:never|none|once|nie|keine?|einmalig|jamais|aucune|nunca|ninguna|mai|nooit|なし)$/i;

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

/** What the heading of a column says of the rows that are marked in it: `Canceled`. */
const statusOfMarked = ({ table: { mapping } }: Scope): EventInput['eventStatus'] =>
  eventStatusNamed((mapping.columns.event_status?.[0] ?? '').replace(/^is[\W_]?/i, ''));

/** Fields that are columns as they are. */
const TEXTS = ['accessibility', 'age_range', 'languages', 'registration_url'] as const;

function inputOf(scope: Scope): EventInput {
  const { values, table, exported, rest } = scope;
  const { mapping } = table;
  const at = (field: Field): string => textOf(scope, field);
  const { isOnline, meeting, page } = placeIn(exported ? '' : at('venue'));
  const [url, cost, image] = [at('url') || page, costOf(scope), at('image')];
  const columnStatus = FALSE.test(at('event_status')) ? undefined : statusOfMarked(scope);
  const eventStatus = columnStatus ?? eventStatusNamed(at('event_status')) ?? eventStatusNamed(at('status'));
  const description = mapping.description
    ? paragraphs(mapping.description, values)
    : htmlOf(at('description'), exported);
  const flags = Object.fromEntries(
    table.flags.flatMap(([wire, column]) =>
      cell(values[column]) === '' ? [] : [[wire, !FALSE.test(cell(values[column]))]],
    ),
  );
  const texts = Object.fromEntries(TEXTS.flatMap((field) => (at(field) === '' ? [] : [[field, at(field)]])));
  return {
    title: exported ? at('title') : foreignAsHtml(inOneLine(at('title'))),
    ...(description !== '' && { description }),
    ...(at('excerpt') !== '' && { excerpt: htmlOf(at('excerpt'), exported) }),
    ...attendanceIn(rest),
    ...(isObject(rest.extensions) && { extensions: extensionsOf(rest.extensions) }),
    ...(eventStatus && { eventStatus }),
    ...(at('slug') !== '' && { slug: at('slug') }),
    ...(url !== '' && { website: url }),
    ...(cost !== '' && { cost: exported ? split(cost, scope, '') : cost }),
    ...(image !== '' && { image }),
    ...(isOnline && { online: { isVirtual: true, ...(meeting !== '' && { virtualUrl: meeting }) } }),
    ...fieldsIn({ ...flags, ...texts }, EVENT_ROWS),
  };
}

/** The cost with the mark of its currency, where a column of its own has that. */
function costOf(scope: Scope): string {
  const [cost, currency] = [textOf(scope, 'cost'), textOf(scope, 'currency')];
  if (currency === '') return cost;
  const { kind, amounts } = priceIn(cost);
  if (kind !== 'price' || amounts.some(({ symbol }) => symbol !== '')) return cost;
  const position = cell(scope.values[scope.table.currencyPosition]);
  return /^(?:postfix|suffix|after)$/i.test(position) ? `${cost} ${currency}` : `${currency} ${cost}`;
}

/** What stands in a column that says whether an event is public, and no status: a day, a number, or a mark. */
const SAYS_YES =
  /\d|^(?:x|y|yes|ja|j|oui|si|sí|sim|true|wahr|vrai|verdadero|vero|on|tak|はい|○|✓|✔|.*\bpubli[ck]\w*)$/i;

/** What a row says of its publication. A status that is not known publishes nothing. */
function statusOf(scope: Scope): { readonly status?: PostStatus; readonly unknown?: string } {
  const { values, table } = scope;
  const wordsIn = (field: Field): readonly string[] =>
    table.mapping.columns[field]?.map((column) => cell(values[column])) ?? [];
  if (wordsIn('private').some(keepsFromPublic) || wordsIn('public').some((text) => text !== '' && FALSE.test(text)))
    return { status: 'private' };
  const texts = [
    ...wordsIn('public').filter((text) => !SAYS_YES.test(text)),
    ...[textOf(scope, 'status'), statusOfMarked(scope) ? '' : textOf(scope, 'event_status')],
  ];
  const statements = texts.map((text) => ({ text, publication: publicationNamed(text) }));
  const unknown = statements.find(({ publication }) => publication === null);
  if (unknown) return { status: 'draft', unknown: oneLine(unknown.text) };
  return statements.find(({ publication }) => publication?.status !== undefined)?.publication ?? {};
}

function paragraphs(all: readonly Paragraph[], values: ForeignRecord): string {
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
  const list = (label: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `; ${label} ${names.map(oneLine).join(', ')}`;
  const named = (all: readonly { readonly origin: Origin }[]): string[] => all.map(({ origin }) => origin.name);
  const terms = all.map(({ name }) => name);
  const links = list('venue', named(venues)) + list('organizer', named(organizers)) + list('terms', terms);
  const lines = events.map(({ input: { title = '', times }, origin: { place } }) => {
    const zone = times?.timezone ? ` ${times.timezone}` : '';
    return `line ${place.line ?? place.index}: ${oneLine(title)}; ${times?.start} to ${times?.end}${zone}${links}`;
  });
  return [...lines, ...refused];
}

// Dates of a table whose day and month may be swapped (`04/01/2027`), where no other date shows their order.
// With dots the day is first everywhere.

interface DateOfRow {
  /** The date as it was written, perhaps with a time. */
  readonly text: string;
  /** `2027-04-01`, how it was read; null if its row is refused. */
  readonly day: string | null;
  /** The line from 1, or in JSON the index of the row. */
  readonly line: number;
}

const NUMERIC_DATE = /(?<![\d./-])(\d{1,2})([/-])(\d{1,2})\2/;
const MONTHS = 12;
const MAX_SHOWN = 5;

/** A line for people about such dates of a file, with their lines and how they were read; null if there are none. */
function dateRemarks(file: string, dates: readonly DateOfRow[]): string[] {
  const separators = separatorsOfOneOrder(dates);
  const isAmbiguous = (text: string): boolean =>
    separatorOf(text) !== '' && isAmbiguousDate({ text }) && !separators.has(separatorOf(text));
  return [
    ...linesOf(dates, isAmbiguous).map(
      (lines) => `${file}: day and month may be swapped, and no other date shows their order; lines ${lines}`,
    ),
    ...linesOf(dates, isYearless).map(
      (lines) => `${file}: dates without a year were taken in that of now; lines ${lines}`,
    ),
  ];
}

const isYearless = (text: string): boolean =>
  /\p{L}|[./-]/u.test(text) && !/\d{4}|\d[./-]\d\d?[./-]\d|-\d\d\b|年/.test(text);

/** Where such dates stand and how they were read, in one text; none if there are none. */
function linesOf(dates: readonly DateOfRow[], isMeant: (text: string) => boolean): string[] {
  const meant = dates.flatMap(({ text, day, line }) =>
    day !== null && isMeant(text) ? [`${line} (${oneLine(text)} = ${day})`] : [],
  );
  if (meant.length === 0) return [];
  const rest = meant.length - MAX_SHOWN;
  return [[...meant.slice(0, MAX_SHOWN), ...(rest > 0 ? [`… (+${rest})`] : [])].join(', ')];
}

const separatorOf = (text: string): string => NUMERIC_DATE.exec(text)?.[2] ?? '';

/** Separators of dates that can be read in one order only: `31/03/2030` shows it for all dates with slashes. */
function separatorsOfOneOrder(dates: readonly DateOfRow[]): ReadonlySet<string> {
  const [dayFirst, monthFirst] = [new Set<string>(), new Set<string>()];
  for (const { text } of dates) {
    const [, one, separator = '', other] = NUMERIC_DATE.exec(text) ?? [];
    if (Number(one) > MONTHS) dayFirst.add(separator);
    if (Number(other) > MONTHS) monthFirst.add(separator);
  }
  return new Set(
    [...dayFirst, ...monthFirst].filter((separator) => dayFirst.has(separator) !== monthFirst.has(separator)),
  );
}
