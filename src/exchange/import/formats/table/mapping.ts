// Which column of a table is which field: given by `--map`, or guessed from the column names.
import { readFileSync } from 'node:fs';
import { EVENT_ROWS } from '../../../../calendar/event/domain/calendar-event.ts';
import { isObject, Unreadable } from '../../fields.ts';
import { columnNamed, compared, FIELDS, type Field, fieldsNamed } from './headings.ts';

/** Flags of events are columns with their wire names, or with the headings of The Events Calendar. */
export const FLAG_ROWS = EVENT_ROWS.filter(({ kind }) => kind === 'flag');

const FLAG_HEADINGS: { readonly [wire: string]: readonly string[] } = {
  show_map: ['eventshowmap'],
  show_map_link: ['eventshowmaplink'],
  hide_from_listings: ['hideeventfromeventlistings', 'hidefromeventlistings', 'eventhidefromupcoming'],
  sticky: ['eventstickyinmonthview', 'stickyinmonthview'],
  featured: ['featureevent', 'featuredevent'],
};

/** Which column is which flag. */
export const flagColumns = (columns: readonly string[]): readonly (readonly [wire: string, column: string])[] =>
  FLAG_ROWS.flatMap(({ wire }) => {
    const column = columnNamed(columns, [compared(wire), ...(FLAG_HEADINGS[wire] ?? [])]);
    return column === undefined ? [] : [[wire, column] as const];
  });

/** Whether the mark of a currency precedes the amount or follows it. */
export const currencyPositionColumn = (columns: readonly string[]): string | undefined =>
  columnNamed(columns, ['eventcurrencyposition', 'currencyposition']);

/** What is used from a column, or from the file name if `file` is set, for a list of terms. */
export interface Source {
  readonly column?: string;
  readonly file?: true;
  /** Used if this column is true; `text` is the value. */
  readonly when?: string;
  readonly text?: string;
  readonly separator?: string;
  /** Display names of values. */
  readonly names?: { readonly [value: string]: string } | 'languages';
}

/** A paragraph of the description; left out if one of its columns is empty. */
export interface Paragraph {
  /** `{column}` stands for the value of a column. */
  readonly text: string;
  readonly link?: string;
  readonly when?: string;
  /** Follows the link if its columns are not empty. */
  readonly suffix?: string;
}

export interface Mapping {
  /** The name of the collection in histories; rows of one collection are identified by their keys. */
  readonly source?: string;
  readonly keyPrefix?: string;
  /** Columns that identify a row without `uid`. */
  readonly key?: readonly string[];
  /** Columns of each field; several are joined. */
  readonly columns: { readonly [Name in Field]?: readonly string[] };
  readonly terms?: { readonly category?: readonly Source[]; readonly tags?: readonly Source[] };
  readonly description?: readonly Paragraph[];
  /** The days of a table without times are not searched for a time. */
  readonly allDay?: boolean;
  /** `union`: the same event in several files gets the terms of all of them. */
  readonly merge?: 'union';
  /** Separates several values of one cell. */
  readonly separator?: string;
}

export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** `title=Name,start="Start date"`, or the name of a JSON file. Throws `MappingError`. */
export const readMapping = (text: string): Mapping =>
  /^\s*\w+\s*=/.test(text) ? inlineMapping(text) : checked(fromFile(text));

/** `title=Name,start="Start date"`; never a file. Throws `MappingError`. */
export const inlineMapping = (text: string): Mapping => checked({ columns: inline(text) });

/** Throws `MappingError` for what is no field. */
function checked(value: Partial<Mapping>): Mapping {
  const columns: { [Name in Field]?: readonly string[] } = {};
  for (const [name, given] of Object.entries(isObject(value.columns) ? value.columns : {})) {
    const field = FIELDS.find((one) => one === name) ?? fieldsNamed(name)[0];
    if (!field) throw new MappingError(`${name} is not a field; the fields are ${FIELDS.join(', ')}`);
    columns[field] = (Array.isArray(given) ? given : [given]).map(String);
  }
  return { ...value, columns };
}

function fromFile(file: string): Partial<Mapping> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(value)) return value; // Members that are not as they should be are not used.
  } catch (error) {
    throw new MappingError(`${file} is not a mapping as JSON (${error instanceof Error ? error.message : error})`);
  }
  throw new MappingError(`${file} is not a JSON object`);
}

function inline(text: string): Mapping['columns'] {
  const columns: { [name: string]: readonly string[] } = {};
  const pair = /\s*(\w+)\s*=\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(?:,|$)/y;
  while (pair.lastIndex < text.length) {
    const at = pair.lastIndex;
    const [, name, quoted, bare = ''] = pair.exec(text) ?? [];
    if (name === undefined) throw new MappingError(`"${text.slice(at)}" is not FIELD=COLUMN`);
    columns[name] = [quoted?.replaceAll('""', '"') ?? bare];
  }
  return columns;
}

/** Without these two a row cannot become an event. */
export const isUsable = ({ columns }: Mapping): boolean => columns.title !== undefined && columns.start !== undefined;

/** The columns of a table, each with the field that it gives; null: it is not used as one. */
export type ColumnUse = { readonly name: string; readonly field: Field | null };

export const columnUses = (columns: readonly string[], mapping: Mapping): readonly ColumnUse[] =>
  columns.map((name) => ({
    name,
    field: FIELDS.find((field) => mapping.columns[field]?.includes(name)) ?? null,
  }));

/** A table whose columns do not give title and start. */
export class UnusableTable extends Unreadable {
  readonly columns: readonly ColumnUse[];

  constructor(message: string, columns: readonly ColumnUse[]) {
    super(message);
    this.columns = columns;
  }
}

/** Columns that a mapping does not use. */
export function unusedColumns(columns: readonly string[], mapping: Mapping): string[] {
  const terms = [...(mapping.terms?.category ?? []), ...(mapping.terms?.tags ?? [])];
  const templates = (mapping.description ?? []).flatMap(({ text, link, when, suffix = '' }) => [
    ...placeholders(`${text}${suffix}`),
    ...(link === undefined ? [] : [link]),
    ...(when === undefined ? [] : [when]),
  ]);
  const usedColumns = new Set([
    ...Object.values(mapping.columns).flat(),
    ...(mapping.key ?? []),
    ...terms.flatMap(({ column = '', when = '' }) => [column, when]),
    ...templates,
    ...flagColumns(columns).map(([, column]) => column),
    currencyPositionColumn(columns),
    'daybook_event',
  ]);
  return columns.filter((column) => !usedColumns.has(column));
}

export const placeholders = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
