// What is read of one row, and how its cells are told apart: for its event, and for what the event refers to.
import { oneLine, withoutControls } from '../../../text/plain-text.ts';
import type { EpochSeconds, Zone } from '../../../time/zone.ts';
import { type Given, isObject } from '../../fields.ts';
import type { Origin, Place } from '../../import-plan.ts';
import type { Field, Mapping } from './mapping.ts';

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

export interface Table extends TableReading {
  readonly mapping: Mapping;
  readonly isDayFirst: boolean;
  /** Ids that several rows have: those rows are told apart by their starts. */
  readonly repeated: ReadonlySet<string>;
}

/** What `daybook export --format csv` wrote: texts are as they are stored, and `|` alone separates. */
export interface Exported {
  readonly origin: string;
  readonly id: number;
}

export interface Scope {
  readonly values: Given;
  readonly place: Place;
  readonly table: Table;
  readonly exported: Exported | null;
}

export const FALSE = /^(?:0|false|no|nein|non|n|off|-)?$/i;

/** The text of one cell; of an object its name or address. */
export function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join('|');
  if (isObject(value)) return cell(value.name ?? value.title ?? value.url ?? value.text);
  return value === null || value === undefined ? '' : withoutControls(String(value)).trim();
}

/** What the columns of a field say; several are joined as they are in an address. */
export function text(values: Given, { columns }: Mapping, field: Field): string {
  const texts = (columns[field] ?? []).map((column) => cell(values[column]));
  return texts.filter((one) => one !== '').join(field === 'start' || field === 'end' ? ' ' : ', ');
}

/** A cell as the export wrote it, without the apostrophe that keeps spreadsheets from calculating. */
const exactly = (values: Given, { columns }: Mapping, field: Field): string =>
  String(values[columns[field]?.[0] ?? ''] ?? '').replace(/^'(?=['=+\-@\t\r])/, '');

export const textOf = ({ values, table: { mapping }, exported }: Scope, field: Field): string =>
  exported ? exactly(values, mapping, field) : text(values, mapping, field);

/** Blanks stay as they are: they may be meant. */
export const inOneLine = (value: string): string => value.replace(/\s*[\r\n]+\s*/g, ' ');

export const folded = (value: string): string => value.trim().toLowerCase();

export const keyOf = ({ table: { mapping } }: Scope, kind: string, parts: readonly string[]): string =>
  `${mapping.keyPrefix ?? 'import:table'}:${kind}:${JSON.stringify(parts.map(folded))}`;

export const originOf = ({ table: { mapping, topic }, place, exported }: Scope, key: string, name: string): Origin => ({
  source: exported ? `a Daybook export (${exported.origin.slice(0, 8)})` : (mapping.source ?? `the table ${topic}`),
  key,
  name,
  place,
});

/** The values of a cell: between `|`, else between one of these separators. */
export function split(value: string, { table: { mapping }, exported }: Scope, separators: string): string[] {
  const escaped = value.match(/(?:\\[\s\S]|[^|\\]|\\$)+/g) ?? [];
  if (exported) return escaped.map((one) => one.replace(/\\([\\|])/g, '$1').trim());
  const by = value.includes('|') ? '|' : (mapping.separator ?? [...separators].find((one) => value.includes(one)));
  const values = by === undefined ? [value] : value.split(by);
  return [
    ...new Map(values.map((one) => oneLine(one)).flatMap((one) => (one === '' ? [] : [[folded(one), one]]))).values(),
  ];
}
