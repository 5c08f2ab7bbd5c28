// The cells of a row, split into those of its event and those of its references.

import { cleanRichText } from '../../../../kernel/text/clean-html.ts';
import { escapeHtml } from '../../../../kernel/text/escape-html.ts';
import { textOfHtml } from '../../../../kernel/text/html-text.ts';
import { decodeEntities, oneLine, withoutControls } from '../../../../kernel/text/plain-text.ts';
import type { EpochSeconds, Zone } from '../../../../kernel/time/zone.ts';
import { type ForeignRecord, isObject } from '../../fields.ts';
import type { Origin, Place } from '../../import-plan.ts';
import { SEMICOLON } from '../places.ts';
import { type Field, sidesAmong } from './headings.ts';
import type { Mapping } from './mapping.ts';

export interface TableReading {
  readonly file: string;
  /** The name of the file without its extension, in lower case. */
  readonly topic: string;
  /** Whose rows these are, if that was said. */
  readonly source?: string | undefined;
  /** Guessed from the columns if absent. */
  readonly mapping: Mapping | undefined;
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  /** Identifies the target log; null for an empty one. */
  readonly ownOrigin: string | null;
}

export interface Table extends TableReading {
  readonly mapping: Mapping;
  /** Which column is which flag. */
  readonly flags: readonly (readonly [wire: string, column: string])[];
  /** The column that says whether the mark of a currency precedes the amount or follows it; `''` for none. */
  readonly currencyPosition: string;
  readonly isDayFirst: boolean;
  /** Ids of several rows: those rows are identified by id and start. */
  readonly repeated: ReadonlySet<string>;
}

/** The output of `daybook export --format csv`: texts are as stored, and only `|` separates. */
export interface Exported {
  readonly origin: string;
  readonly id: number;
}

export interface Scope {
  readonly values: ForeignRecord;
  readonly place: Place;
  readonly table: Table;
  readonly exported: Exported | null;
  /** What has no column of its own, in the words of the API. */
  readonly rest: ForeignRecord;
}

export const FALSE =
  /^(?:0|false|no|nein|non|nee|não|n|off|aus|uit|falsch|faux|falso|onwaar|nie|ne|fałsz|nej|nei|falskt?|ei|epätosi|nepravda|nem|hamis|hayır|yanlış|av|いいえ|オフ|-)?$/i;

/** What holds the text of an object. */
const TEXTS = [
  'name',
  'title',
  'url',
  'text',
  'rendered',
  'plain_text',
  'displayName',
  'label',
  'value',
  'raw',
  'html',
].concat('stringValue', 'timestampValue');

/** The text of one cell; for an object its name or address. */
export function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join('|');
  if (isObject(value))
    return cell(TEXTS.map((name) => value[name]).find((text) => text !== undefined && text !== null));
  return value === null || value === undefined ? '' : cleaned(String(value));
}

/** Texts of nodes that many events refer to are looked at once. */
const recent = new Map<string, string>();
const [LONG, LONGEST, MAX_RECENT] = [1_000, 2 ** 18, 8];

function cleaned(text: string): string {
  const clean = recent.get(text) ?? withoutControls(text).trim();
  if (text.length < LONG || text.length > LONGEST || recent.has(text)) return clean;
  if (recent.size === MAX_RECENT) recent.clear();
  recent.set(text, clean);
  return clean;
}

/** The text of a field's columns; several are joined like parts of an address, and two sides of a match like those. */
export function text(values: ForeignRecord, { columns }: Mapping, field: Field): string {
  const names = columns[field] ?? [];
  const texts = names.map((column) => cell(values[column])).filter(Boolean);
  if (texts.length < 2) return texts.join('');
  return texts.join(/^(?:start|end)/.test(field) ? ' ' : sidesAmong(names).length > 0 ? ' – ' : ', ');
}

/** An exported cell, without the apostrophe that protects from formulas. */
const exactly = (values: ForeignRecord, { columns }: Mapping, field: Field): string =>
  String(values[columns[field]?.[0] ?? ''] ?? '').replace(/^'(?=['=+\-@\t\r])/, '');

export const textOf = ({ values, table: { mapping }, exported }: Scope, field: Field): string =>
  exported ? exactly(values, mapping, field) : text(values, mapping, field);

/** Blanks within a line are kept: they may be intended. */
export const inOneLine = (value: string): string => {
  const lines = value.split(/[\r\n]+/);
  return lines.length === 1
    ? value
    : lines
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' ');
};

export const folded = (value: string): string => value.trim().toLowerCase();

export const keyOf = ({ table: { mapping } }: Scope, kind: string, parts: readonly string[]): string =>
  `${mapping.keyPrefix ?? 'import:table'}:${kind}:${JSON.stringify(parts.map(folded))}`;

export const originOf = ({ table: { mapping, topic }, place, exported }: Scope, key: string, name: string): Origin => ({
  source: exported ? `a Daybook export (${exported.origin.slice(0, 8)})` : (mapping.source ?? `the table ${topic}`),
  key,
  name,
  place,
});

/** The values of a cell: separated by `|`, else by one of these separators. */
export function split(value: string, { table: { mapping }, exported }: Scope, separators: string): string[] {
  if (exported)
    return (value.match(/(?:\\[\s\S]|[^|\\]|\\$)+/g) ?? []).map((one) => one.replace(/\\([\\|])/g, '$1').trim());
  const by = value.includes('|') ? '|' : (mapping.separator ?? [...separators].find((one) => value.includes(one)));
  const values = by === undefined ? [value] : value.split(by === ';' ? SEMICOLON : by);
  return [
    ...new Map(values.map((one) => oneLine(one)).flatMap((one) => (one === '' ? [] : [[folded(one), one]]))).values(),
  ];
}

// Plain text of tables and calendars as HTML, the form of event texts.

/** A plain text as HTML: what looks like a tag or an entity in it is escaped. */
export const plainAsHtml = (text: string): string =>
  text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The same, of what others wrote: they have entities of HTML in plain texts. */
export const foreignAsHtml = (text: string): string => plainAsHtml(decodeEntities(text));

/** A link; anything but a web address stays text. */
export function link(address: string, text: string): string {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return `${text}: ${plainAsHtml(address)}`;
  return `<a href="${escapeHtml(address)}">${text}</a>`;
}

/** Signs such as `<` are text unless an element of a text ends, or a line. */
const MARKUP =
  /<\/(?:a|article|b|blockquote|body|center|code|dd|del|div|dl|dt|em|figure|font|footer|h[1-6]|header|html|html-blob|i|iframe|ins|li|ol|p|pre|s|section|small|span|strong|sub|sup|table|td|tr|u|ul)\s*>|<(?:br|hr|img|li|p)(?:\s[^<>]*)?\/?>/i;
/** Where there are these, line ends are layout. */
const LINES = /<(?:br|div|li|p|td)\b/i;

/** The clean HTML of a text that has some, also escaped; null for a plain one. */
export function richTextIn(text: string): string | null {
  const html = [text, decodeEntities(text)].find((one) => MARKUP.test(one));
  if (html === undefined) return null;
  const clean = cleanRichText(LINES.test(html) ? html.replace(/\s+/g, ' ') : html).trim();
  return textOfHtml(clean) === '' ? null : clean;
}

/** HTML is kept, and cleaned like that of any other source. */
export const htmlOf = (value: string, exported: Exported | null): string =>
  exported || MARKUP.test(value) ? value : foreignAsHtml(value);
