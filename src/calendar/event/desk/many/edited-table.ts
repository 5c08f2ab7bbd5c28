// The table of events (`/events.csv`) that was edited and comes back: what differs from the table of now, row by row. The
// revision of a row tells whether others have changed its event since.

import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { FieldChange } from '../../../../editorial/history/desk/reading.ts';
import { openTurns } from '../../../../kernel/event-loop/turns.ts';
import { type Problem, problemOf } from '../../../../pages/desk/api.ts';
import { differing, mergedValues } from '../../../../pages/desk/form-values.ts';
import { isMoment, notAMoment, typedMoment } from '../../../../pages/desk/moments.ts';
import type { DeskRequest } from '../../../../pages/desk/page.ts';
import { type DeskTerm, type EventSource, termsOf } from '../reading.ts';
import { type FieldName, FLAGS, valuesOf } from '../values.ts';
import { type EventChange, MAX_MANY, valuesThen, type Wish } from './planned.ts';
import { linkNamed } from './typed-change.ts';

/** Bytes of a table of some hundred rows. */
export const MAX_TABLE = 524_288;

type Row = { readonly [column: string]: string };

/** Columns that are fields of events; the others are of their venues, or are not written by hand. */
const COLUMNS: { readonly [column: string]: FieldName } = {
  ...{ title: 'title', start: 'start_date', end: 'end_date', timezone: 'timezone', status: 'status', slug: 'slug' },
  ...{ url: 'website', cost: 'cost', image: 'image', excerpt: 'excerpt', description: 'description' },
  ...{ accessibility: 'accessibility', age_range: 'age_range', languages: 'languages' },
  registration_url: 'registration_url',
  ...{ event_status: 'event_status', venue: 'venue', organizer: 'organizer', category: 'categories', tags: 'tags' },
  ...Object.fromEntries(FLAGS.map((name) => [name, name])),
};

/** The changes of a table, or why it is none from here. */
export async function tableWishes(request: DeskRequest): Promise<readonly Wish[] | Problem> {
  const { api, words, file } = request;
  const rows = file === null ? [] : await rowsOf(textOf(await file.arrayBuffer()));
  const edited = rows.flatMap((row) => {
    const [, id] = /^event-(\d+)@/.exec(row.uid ?? '') ?? [];
    return id === undefined || row.revision === undefined ? [] : [{ id, row }];
  });
  if (edited.length === 0) return wrongFile(words('no_table'));
  if (edited.length > MAX_MANY) return wrongFile(words('table_too_long', { rows: MAX_MANY }));
  const query = { include: edited.map(({ id }) => id).join(','), status: 'any' };
  const { stream, problem } = await api.download('/events.csv', query);
  if (problem) return problem;
  const rowsNow = await rowsOf(textOf(Buffer.concat(await stream.toArray())));
  const present = new Map(rowsNow.map((row) => [row.uid, row]));
  const categories = await termsOf(api, 'categories');
  return edited.flatMap(({ id, row }): Wish[] => {
    const now = present.get(row.uid);
    if (now === undefined) return [{ id, decide: async () => ({ change: {}, note: words('row_unknown') }) }];
    const changed = Object.keys(now).filter(
      (column) => column !== 'revision' && column in row && cellOf(row, column) !== cellOf(now, column),
    );
    if (changed.length === 0) return [];
    return [{ id, decide: (source) => decided(request, { id, row, changed, source, categories }) }];
  });
}

const wrongFile = (text: string): Problem => problemOf(text, { file: text });

/** Spreadsheets write UTF-8, or the code page of Windows. */
function textOf(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** As many as are read, and one more. None of a text that is no table. */
async function rowsOf(text: string): Promise<readonly Row[]> {
  const options = { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true } as const;
  const delimiter = /^\W*uid\W*?([,;\t])/.exec(text)?.[1] ?? ',';
  const parser = Readable.from(portionsOf(text)).pipe(parse({ ...options, delimiter, to: MAX_MANY + 1 }));
  try {
    return await parser.toArray();
  } catch {
    return [];
  }
}

const PORTION = 16_384;

/** 512 KiB at once took up to 60 ms of the event loop. */
async function* portionsOf(text: string): AsyncGenerator<string> {
  const turn = openTurns();
  for (let at = 0; at < text.length; at += PORTION) {
    yield text.slice(at, at + PORTION);
    await turn();
  }
}

/** What spreadsheets make of `true`. */
const TRUE = /^(?:true|wahr|vrai|verdadero|vero|waar|verdadeiro|1)$/i;

const isFlag = (column: string): boolean => FLAGS.some((name) => name === column);

/** A cell without the apostrophe that protects from formulas. */
function cellOf(row: Row, column: string): string {
  const text = (row[column] ?? '')
    .replace(/^'(?=['=+\-@\t\r])/, '')
    .replaceAll('\r\n', '\n')
    .trim();
  return isFlag(column) ? String(TRUE.test(text)) : text;
}

/** The values of a cell of several. */
const namesIn = (cell: string): readonly string[] =>
  (cell.match(/(?:\\[\s\S]|[^|\\]|\\$)+/g) ?? []).map((one) => one.replace(/\\([\\|])/g, '$1').trim());

interface EditedRow {
  readonly id: string;
  readonly row: Row;
  /** Its columns that differ from the table of now. */
  readonly changed: readonly string[];
  readonly source: EventSource;
  readonly categories: readonly DeskTerm[];
}

async function decided(request: DeskRequest, edited: EditedRow): ReturnType<Wish['decide']> {
  const { words } = request;
  const [values, notes]: [{ [Name in FieldName]?: string }, string[]] = [{}, []];
  for (const column of edited.changed) {
    const name = COLUMNS[column];
    const value = name ? await valueIn(request, edited, name, cellOf(edited.row, column)) : words('column_not_here');
    if (name && typeof value === 'object') values[name] = value.is;
    else notes.push(`${column}: ${value}`);
  }
  const { change, both } = await sinceTable(request, edited, values);
  if (both.length > 0)
    notes.push(words('changed_since_table', { fields: both.map((name) => words(`field_${name}`)).join(', ') }));
  return { change, note: notes.length === 0 ? null : notes.join(' ') };
}

/** A cell as the form of an event has its field, or what is wrong with it. */
type Value = { readonly is: string } | string;

async function valueIn(request: DeskRequest, { categories }: EditedRow, name: FieldName, cell: string): Promise<Value> {
  if (name === 'start_date' || name === 'end_date')
    return momentIn(request, cell, name === 'start_date' ? '00:00' : '23:59');
  if (name === 'venue' || name === 'organizer')
    return listOf(await Promise.all(namesIn(cell).map((one) => linkNamed(request, name, one))));
  if (name === 'categories')
    return listOf(
      namesIn(cell).map((one) => {
        const category = categories.find((term) => term.name === one);
        return category ? { is: String(category.id) } : request.words('none_named', { name: one });
      }),
    );
  if (name === 'tags') return { is: namesIn(cell).join('\n') };
  if (name === 'cost') return { is: namesIn(cell).join(', ') };
  return { is: isFlag(name) ? (cell === 'true' ? '1' : '') : cell };
}

/** A day without a time is meant from its beginning, or to its end. */
function momentIn(request: DeskRequest, cell: string, time: string): Value {
  const date = typedMoment({ ...request, form: { cell } }, 'cell');
  const moment = [date, `${date}T${time}`].find(isMoment);
  return moment === undefined ? notAMoment(request) : { is: moment };
}

function listOf(values: readonly Value[]): Value {
  const wrong = values.find((one) => typeof one === 'string');
  return wrong ?? { is: values.map((one) => (typeof one === 'object' ? one.is : '')).join('\n') };
}

/** What was changed in the table over what others have changed since. `both` were changed here and there. */
async function sinceTable({ api }: DeskRequest, { id, row, source }: EditedRow, change: EventChange) {
  if (source.etag === `"${row.revision}"`) return { change, both: [] };
  const names = Object.keys(change) as FieldName[]; // Its keys.
  const path = `/events/${id}/compare`;
  const { body, problem } = await api.ask<{ readonly changes: readonly FieldChange[] }>(path, { from: row.revision });
  if (problem) return { change, both: names };
  const then = Object.fromEntries(body.changes.map(({ field, before }) => [field, before]));
  const before = valuesOf(then, () => undefined);
  const theirs = Object.fromEntries(names.flatMap((name) => (name in then ? [[name, before[name]]] : [])));
  const base = { ...source.values, ...theirs };
  const { values, both } = mergedValues(base, valuesThen({ ...source, change }), source.values);
  const mine = differing(source.values, values);
  return { change: Object.fromEntries(mine.map((name) => [name, values[name]])), both };
}
