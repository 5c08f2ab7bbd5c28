// Rows of a table as plans: which column is which field is said by a mapping.
import type { EventInput } from '../../../commands/events.ts';
import type { OrganizerInput, VenueInput } from '../../../commands/linked-posts.ts';
import { isPostStatus } from '../../../domain/post-status.ts';
import { oneLine, withoutControls } from '../../../text/plain-text.ts';
import type { EpochSeconds, Zone } from '../../../time/zone.ts';
import { fieldsIn, type Given, isObject } from '../../fields.ts';
import {
  EMPTY_PLAN,
  type Origin,
  type Place,
  type PlannedEvent,
  type PlannedPost,
  type PlannedTerm,
  type Reading,
} from '../../import-plan.ts';
import { Unreadable } from '../../unreadable.ts';
import { assertForeign, exportedKey } from '../daybook/records.ts';
import { link, plainAsHtml } from './html.ts';
import {
  FIELDS,
  type Field,
  FLAG_ROWS,
  guessMapping,
  isUsable,
  type Mapping,
  type Paragraph,
  placeholders,
  type Source,
  unusedColumns,
} from './mapping.ts';
import type { Row } from './rows.ts';
import { hasDayFirst, timesOf } from './times.ts';

export interface TableReading {
  readonly file: string;
  /** The name of the file without its ending, in lower case. */
  readonly topic: string;
  /** Guessed from the columns when absent. */
  readonly mapping: Mapping | undefined;
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  /** Names the log that is imported into; null for an empty one. */
  readonly ownOrigin: string | null;
}

export interface TableRead {
  readonly readings: readonly Reading[];
  readonly remarks: readonly string[];
  /** The first rows as they would arrive, a line each. */
  readonly samples: readonly string[];
}

const MAX_SAMPLES = 10;
const FALSE = /^(?:0|false|no|nein|non|n|off|-)?$/i;

/** Throws `Unreadable` when the columns do not tell title and start. */
export function readTable(rows: readonly Row[], reading: TableReading): TableRead {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const mapping = reading.mapping ?? guessMapping(columns);
  if (!isUsable(mapping))
    throw new Unreadable(
      `no column is known to be the title and the start; its columns are ${columns.map(oneLine).join(', ')}. Try --map title=COLUMN,start=COLUMN`,
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
  return {
    readings,
    remarks: [
      ...(reading.mapping ? [] : [`${reading.file}: columns were taken as ${used.map(oneLine).join(', ')}`]),
      ...(unused.length === 0 ? [] : [`${reading.file}: columns that are not used: ${unused.map(oneLine).join(', ')}`]),
    ],
    samples: readings.flatMap(sampleOf).slice(0, MAX_SAMPLES),
  };
}

interface Table extends TableReading {
  readonly mapping: Mapping;
  readonly isDayFirst: boolean;
  /** Ids that several rows have: those rows are told apart by their starts. */
  readonly repeated: ReadonlySet<string>;
}

function repeatedIn(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(ids.filter((id) => id !== '' && (seen.has(id) || !seen.add(id))));
}

/** What `daybook export --format csv` wrote: texts are as they are stored, and `|` alone separates. */
interface Exported {
  readonly origin: string;
  readonly id: number;
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
    origin: originOf(scope, eventKey(scope, title), title),
    id: exported?.id,
    input: { ...inputOf(scope), times: when.times },
    categories: keysOf(mapping.columns.category ?? mapping.terms?.category, categories),
    tags: keysOf(mapping.columns.tags ?? mapping.terms?.tags, tags),
    venues: keysOf(mapping.columns.venue, venues),
    organizers: keysOf(mapping.columns.organizer, organizers),
    merging: mapping.merge ?? 'newest',
    modified: '',
    ...(/^cancell?ed$/i.test(at('status')) && { disposition: 'cancelled' }),
  };
  return { plan: { terms: [...categories, ...tags], venues, organizers, events: [event] }, faults: [] };
}

interface Scope {
  readonly values: Given;
  readonly place: Place;
  readonly table: Table;
  readonly exported: Exported | null;
}

const keysOf = (mapped: unknown, planned: readonly { readonly origin: Origin }[]): readonly string[] | undefined =>
  mapped === undefined ? undefined : planned.map(({ origin }) => origin.key);

/** The text of one cell; of an object its name or address. */
function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join('|');
  if (isObject(value)) return cell(value.name ?? value.title ?? value.url ?? value.text);
  return value === null || value === undefined ? '' : withoutControls(String(value)).trim();
}

/** What the columns of a field say; several are joined as they are in an address. */
function text(values: Given, { columns }: Mapping, field: Field): string {
  const texts = (columns[field] ?? []).map((column) => cell(values[column]));
  return texts.filter((one) => one !== '').join(field === 'start' || field === 'end' ? ' ' : ', ');
}

/** A cell as the export wrote it, without the apostrophe that keeps spreadsheets from calculating. */
const exactly = (values: Given, { columns }: Mapping, field: Field): string =>
  String(values[columns[field]?.[0] ?? ''] ?? '').replace(/^'(?=['=+\-@\t\r])/, '');

const textOf = ({ values, table: { mapping }, exported }: Scope, field: Field): string =>
  exported ? exactly(values, mapping, field) : text(values, mapping, field);

/** Blanks stay as they are: they may be meant. */
const inOneLine = (value: string): string => value.replace(/\s*[\r\n]+\s*/g, ' ');

const folded = (value: string): string => value.trim().toLowerCase();

const keyOf = ({ table: { mapping } }: Scope, kind: string, parts: readonly string[]): string =>
  `${mapping.keyPrefix ?? 'import:table'}:${kind}:${JSON.stringify(parts.map(folded))}`;

const originOf = ({ table: { mapping, topic }, place, exported }: Scope, key: string, name: string): Origin => ({
  source: exported ? `a Daybook export (${exported.origin.slice(0, 8)})` : (mapping.source ?? `the table ${topic}`),
  key,
  name,
  place,
});

const GLOBAL_ID = /@|:\/\/|^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** The same event in every run: by its id, else by title, start and place. Ids of small numbers count within their file. */
function eventKey(scope: Scope, title: string): string {
  const { values, table, exported } = scope;
  if (exported) return exportedKey(exported.origin, 'event', exported.id);
  const { mapping, topic, repeated } = table;
  const uid = text(values, mapping, 'uid');
  const start = `${text(values, mapping, 'start')} ${text(values, mapping, 'start_time')}`;
  if (uid !== '') {
    const within = GLOBAL_ID.test(uid) ? '' : (mapping.source ?? topic);
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
    ...(at('slug') !== '' && { slug: at('slug') }),
    ...(url !== '' && { website: url }),
    ...(cost !== '' && { cost: exported ? split(cost, scope, '') : cost }),
    ...(image !== '' && { image }),
    ...fieldsIn(flags, FLAG_ROWS),
  };
}

/** HTML stays what it is, to be cleaned like that of any other source. */
const htmlOf = (value: string, exported: Exported | null): string =>
  exported || /<\/?[a-z][^<>]*>/i.test(value) ? value : plainAsHtml(value);

/** The values of a cell: between `|`, else between one of these separators. */
function split(value: string, { table: { mapping }, exported }: Scope, separators: string): string[] {
  const escaped = value.match(/(?:\\[\s\S]|[^|\\]|\\$)+/g) ?? [];
  if (exported) return escaped.map((one) => one.replace(/\\([\\|])/g, '$1').trim());
  const by = value.includes('|') ? '|' : (mapping.separator ?? [...separators].find((one) => value.includes(one)));
  const values = by === undefined ? [value] : value.split(by);
  return [
    ...new Map(values.map((one) => oneLine(one)).flatMap((one) => (one === '' ? [] : [[folded(one), one]]))).values(),
  ];
}

function terms(kind: PlannedTerm['kind'], scope: Scope): PlannedTerm[] {
  const { mapping } = scope.table;
  const column = kind === 'category' ? 'category' : 'tags';
  const sources = mapping.terms?.[column] ?? [];
  const plain = split(textOf(scope, column), scope, ';,').map((name) => term(kind, scope, name, name));
  return [
    ...plain,
    ...sources.flatMap((source) => valuesOf(source, scope).map((value) => named(kind, scope, source, value))),
  ];
}

function valuesOf({ column, file, when, text: fixed = '', separator }: Source, scope: Scope): string[] {
  const { values, table } = scope;
  if (file) return table.topic === '' ? [] : [table.topic];
  if (when !== undefined) return FALSE.test(cell(values[when])) ? [] : [fixed];
  const all = cell(values[column ?? '']);
  const each = (separator === undefined ? split(all, scope, ';,') : all.split(separator)).map(folded);
  return [...new Set(each)].filter((one) => one !== '');
}

function named(kind: PlannedTerm['kind'], scope: Scope, { names }: Source, value: string): PlannedTerm {
  if (names === undefined) return term(kind, scope, value, value);
  const shown = names === 'languages' ? languageName(value) : (names[value] ?? capitalized(value));
  return { ...term(kind, scope, value, shown), slug: value };
}

const term = (kind: PlannedTerm['kind'], scope: Scope, value: string, name: string): PlannedTerm => ({
  kind,
  origin: originOf(scope, keyOf(scope, kind, [value]), name),
  upkeep: 'leave',
  id: undefined,
  name,
  slug: undefined,
  description: undefined,
  parent: null,
});

const capitalized = (value: string): string =>
  value
    .split(/[-_ ]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** `de` is German; what is no language is its own name in capitals. */
function languageName(code: string): string {
  try {
    const name = languages.of(code);
    return name === undefined || name === code ? code.toUpperCase() : name;
  } catch {
    return code.toUpperCase();
  }
}

/** A place that is an address of the web is none that anybody could go to. */
function venuesOf(scope: Scope): PlannedPost<VenueInput>[] {
  const { values, table, exported } = scope;
  const { columns } = table.mapping;
  const at = (field: Field): string => textOf(scope, field);
  const parts = (columns.venue ?? []).map((column) => cell(values[column]));
  const names = parts.length > 1 ? [at('venue')].filter((name) => name !== '') : split(at('venue'), scope, ';');
  const [lat, lng] = [at('lat'), at('lng')].map((one) => (one === '' ? Number.NaN : Number(one.replace(',', '.'))));
  const details = {
    ...Object.fromEntries(
      (['address', 'city', 'province', 'zip', 'country'] as const).flatMap((field) =>
        at(field) === '' ? [] : [[field, at(field)]],
      ),
    ),
    ...(Number.isFinite(lat) && Number.isFinite(lng) && { coordinates: { lat: Number(lat), lng: Number(lng) } }),
  };
  return names
    .filter((name) => !/^https?:\/\/\S+$/i.test(name))
    .map((name) => {
      const key = keyOf(scope, 'venue', parts.length > 1 ? parts : [name, at('city')]);
      const input = { name: exported ? name : plainAsHtml(name), ...(names.length === 1 && details) };
      return { origin: originOf(scope, key, name), upkeep: 'leave', id: undefined, input, modified: '' };
    });
}

function organizersOf(scope: Scope): PlannedPost<OrganizerInput>[] {
  const names = split(textOf(scope, 'organizer'), scope, ';');
  return names.map((name) => ({
    origin: originOf(scope, keyOf(scope, 'organizer', [name]), name),
    upkeep: 'leave',
    id: undefined,
    input: { name: scope.exported ? name : plainAsHtml(name) },
    modified: '',
  }));
}

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
