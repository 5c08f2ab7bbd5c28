// Guesses which column of a table is which field: by the names of the columns, and by the cells where names leave it open.
import { readDate } from '../../../../kernel/time/date-input.ts';
import { type ForeignRecord, Unreadable } from '../../fields.ts';
import { publicationNamed } from '../../publication.ts';
import { cell } from './cells.ts';
import { columnNamed, FIELDS, type Field, fieldsNamed, isLast, sidesAmong } from './headings.ts';
import type { Mapping } from './mapping.ts';
import { clockOf, clocksOf, dateText, daysOf, isClearClock, isWeekday } from './written-dates.ts';

/** What most cells of a column are. */
type Content = 'clock' | 'day' | 'moment' | 'other' | 'empty';

/** Cells of a column that are looked at. */
const SAMPLE = 200;
/** One cell of so many that is a time of day makes its column one of times, although others say something else. */
const CLOCKS_ARE_TIMES = 5;

/** Each column is looked for in each row. */
const MAX_COLUMNS = 1_000;

export const columnsOf = (rows: readonly ForeignRecord[]): readonly string[] => [...new Set(rows.flatMap(Object.keys))];

/** The first cells that are not empty. */
function sampleOf(rows: readonly ForeignRecord[], column: string): readonly string[] {
  const texts: string[] = [];
  for (const values of rows) {
    const text = cell(values[column]);
    if (text !== '') texts.push(text);
    if (texts.length === SAMPLE) break;
  }
  return texts;
}

function contentOf(rows: readonly ForeignRecord[], column: string): Content {
  const texts = sampleOf(rows, column);
  if (texts.length === 0) return 'empty';
  const contents = texts.map(contentOfCell);
  const share = (...kinds: readonly Content[]): boolean =>
    contents.filter((content) => kinds.includes(content)).length * 2 >= texts.length;
  if (!share('day', 'moment')) return share('clock') ? 'clock' : 'other';
  return contents.includes('moment') ? 'moment' : 'day';
}

function contentOfCell(text: string): Content {
  if (clockOf(text) !== null || clocksOf(text) !== null) return 'clock';
  const [day = text] = daysOf(text, { isDayFirst: true }) ?? daysOf(text, { isDayFirst: false }) ?? [];
  const reading = readDate(dateText(day, { isDayFirst: true }) ?? '')?.reading ?? readDate(day)?.reading;
  if (reading === undefined) return 'other';
  if ('instant' in reading) return 'moment';
  const { date, time } = reading.draft;
  if (date === null) return 'other';
  // Programs write days as midnights.
  return time !== null && time.hour + time.minute + time.second > 0 ? 'moment' : 'day';
}

type Columns = { [Name in Field]?: readonly string[] };

/**
 * The mapping that names and cells suggest: of several columns for one field the first counts, except that each may keep
 * a row private. Throws `Unreadable` for a table of too many columns.
 */
export function guessMapping(rows: readonly ForeignRecord[]): Mapping {
  const candidates = new Map<Field, string[]>();
  const columns = columnsOf(rows);
  if (columns.length > MAX_COLUMNS) throw new Unreadable(`it has more than ${MAX_COLUMNS} columns`);
  const isAgain = (column: string): boolean =>
    column.endsWith(SECOND) && columns.includes(column.slice(0, -SECOND.length));
  for (const column of columns)
    for (const field of fieldsNamed(column).flatMap((one) => [one, ...(isAgain(column) ? secondOf(one) : [])]))
      candidates.set(field, [...(candidates.get(field) ?? []), column]);
  const times = timesAmong(candidates, rows);
  const sides = candidates.has('title') ? [] : sidesAmong(columns);
  const usedColumns = new Set([...Object.values(times), sides].flat());
  const fields: Columns = { ...times, ...(sides.length > 0 && { title: sides }) };
  for (const [field, named] of candidates) {
    if (field === 'start' || field === 'end' || field === 'start_time' || field === 'end_time') continue;
    const free = named.filter((column) => !usedColumns.has(column) && !isOfWeekdays(sampleOf(rows, column)));
    // A column that is not empty comes first, and a name that stands for nothing else.
    const rank = (column: string): number =>
      fieldsNamed(column).length + (sampleOf(rows, column).length === 0 || isLast(column) ? FIELDS.length : 0);
    const [first] = free.toSorted((one, other) => rank(one) - rank(other));
    if (first === undefined) continue;
    fields[field] = field === 'private' || field === 'public' ? free : [first];
    usedColumns.add(first);
  }
  const { title, description, ...others } = fields;
  // Lists of holidays have no other text.
  if (!title && description?.every((column) => sampleOf(rows, column).every(isShort)))
    return finished({ ...others, title: description });
  return finished(fields);

  function finished(named: Columns): Mapping {
    const privacyColumns = columns.filter(
      (column) => !usedColumns.has(column) && saysWhatIsPublic(sampleOf(rows, column)),
    );
    const all =
      privacyColumns.length > 0 ? { ...named, private: [...(named.private ?? []), ...privacyColumns] } : named;
    return { columns: withPlace(all, candidates) };
  }
}

const isShort = (text: string): boolean => text.length <= 100;

/** Whether there are words such as `draft` among words such as `published`, and nothing else: under any heading they keep. */
function saysWhatIsPublic(texts: readonly string[]): boolean {
  const publications = texts.map((text) => publicationNamed(text));
  return (
    publications.every((one) => one !== null) &&
    publications.some((one) => one.status !== undefined && one.status !== 'publish')
  );
}

const SECOND = ' (2)';

/** Under a heading that a table has twice, what has begun may end. */
const secondOf = (field: Field): readonly Field[] =>
  field === 'start' || field === 'start_time' ? [field.replace('start', 'end') as Field] : []; // Both have an end.

/** Which columns say when: a column with days is no time of day under any heading, and the other way round. */
function timesAmong(candidates: ReadonlyMap<Field, readonly string[]>, rows: readonly ForeignRecord[]): Columns {
  const named = (field: Field): readonly string[] => candidates.get(field) ?? [];
  const contents = new Map<string, Content>();
  const is = (column: string, ...kinds: readonly Content[]): boolean => {
    const content = contents.get(column) ?? contentOf(rows, column);
    contents.set(column, content);
    return kinds.includes(content);
  };
  const pair = (dates: readonly string[], clocks: readonly string[], free: (column: string) => boolean) => {
    const all = [...dates, ...clocks].filter(free);
    const date =
      all.find((column) => is(column, 'moment')) ??
      all.find((column) => is(column, 'day')) ??
      dates.find((column) => free(column) && !is(column, 'clock'));
    const clock =
      [...clocks, ...dates].find((column) => free(column) && column !== date && is(column, 'clock')) ??
      clocks.find((column) => free(column) && column !== date);
    return { date, clock };
  };
  const start = pair(
    named('start'),
    named('start_time'),
    (column) => !isOnlyTag(column, is) && !isOnlyNumber(column, is),
  );
  const startColumns = new Set([start.date, start.clock]);
  const end = pair(named('end'), named('end_time'), (column) => !startColumns.has(column));
  const [half, lastHalf = half] = columnsOf(rows).filter((column) => isOfHalves(sampleOf(rows, column)));
  const column = (field: Field, name: string | undefined, ...beside: readonly (string | undefined)[]): Columns =>
    name === undefined ? {} : { [field]: [name, ...beside.filter((one) => one !== undefined)] };
  return {
    ...column('start', start.date),
    ...column('start_time', start.clock, half),
    ...column('end', end.date),
    ...column('end_time', end.clock, lastHalf),
  };
}

const isOfHalves = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text) => /^[ap]\.?\s?m\.?$/i.test(text));

const isOfWeekdays = (texts: readonly string[]): boolean => texts.length > 0 && texts.every(isWeekday);

/** A `Tag` is a day in German, and a keyword in English. */
const isOnlyTag = (column: string, is: (column: string, ...kinds: readonly Content[]) => boolean): boolean =>
  fieldsNamed(column).includes('tags') && !is(column, 'day', 'moment');

/** Under `Period` stand days, or else the number of a lesson, or how many days it takes: no time of day. */
const isOnlyNumber = (column: string, is: (column: string, ...kinds: readonly Content[]) => boolean): boolean =>
  columnNamed([column], PERIODS) !== undefined && !is(column, 'day', 'moment');

const PERIODS = ['dates', 'daterange', 'period', 'termine', 'zeitraum', 'periode', 'periodo', 'fechas', '日程', '期間'];

function withPlace(fields: Columns, candidates: ReadonlyMap<Field, readonly string[]>): Columns {
  const venues = candidates.get('venue') ?? [];
  // Beside a column for the venue, `Ort` is the town.
  const town = columnNamed(venues, ['ort']);
  const venue = venues.find((column) => column !== town);
  if (town !== undefined && venue !== undefined && !fields.city) return { ...fields, venue: [venue], city: [town] };
  const place = [...(fields.city ?? []), ...(fields.country ?? [])];
  return fields.venue || place.length === 0 ? fields : { ...fields, venue: place };
}

/** When rows were made or changed. */
const OF_RECORD =
  /creat|modif|updat|chang|edit|submi|timestamp|erstellt|geändert|zeitstempel|horodat|créé|marca temporal|actualiz|aggiorn|gewijzigd|作成|更新/i;

/**
 * Columns that seem to say when events begin and are not used for it: unused ones that hold times of day, or are named like
 * a start.
 */
export function unreadTimes(rows: readonly ForeignRecord[], { columns: used }: Mapping): readonly string[] {
  const usedColumns = new Set(Object.values(used).flat());
  return columnsOf(rows).filter((column) => {
    if (usedColumns.has(column) || OF_RECORD.test(column)) return false;
    const texts = sampleOf(rows, column);
    const clear = texts.filter(isClearClock).length;
    const isStart = fieldsNamed(column).some((field) => field === 'start' || field === 'start_time');
    return (
      texts.length > 0 && (clear * CLOCKS_ARE_TIMES >= texts.length || (isStart && contentOf(rows, column) === 'other'))
    );
  });
}
