// The rows of a table: CSV with any of the usual delimiters, a JSON list, or JSON lines.
import { parse } from 'csv-parse';
import { type ForeignRecord, isObject, Unreadable } from '../../fields.ts';
import { parseJson } from '../../parse-json.ts';

/** `line` is where the row begins in its file; null in JSON. */
export interface Row {
  readonly values: ForeignRecord;
  readonly line: number | null;
  readonly problem?: string;
  /** What has no column of its own, in the words of the API. */
  readonly rest?: ForeignRecord;
  /** What it lacks. */
  readonly notes?: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The delimiter that is most frequent in the first line, outside of quotes; null if there is none. */
export function delimiterOf(text: string): string | null {
  const bare = (text.match(/^(?:"(?:[^"]|"")*"|[^"\r\n])*/)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counts = DELIMITERS.map((delimiter) => [delimiter, bare.split(delimiter).length - 1] as const);
  const [best] = counts.sort(([, one], [, other]) => other - one);
  return best && best[1] > 0 ? best[0] : null;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The name of a table in lines of its own, and empty lines. */
const ABOVE = /^(?:[^,;\t|"\r\n]*(?:\r\n|\r(?!\n)|\n))+(?=[^\r\n]*[,;\t|])/;

/** Spreadsheets may say the delimiter in a line of its own, which is no part of the table. */
const DELIMITER_LINE = /^\ufeff?"?sep=(.)"?[ ,;\t]*\r?\n/i;

/** The rows below the header. Throws `Unreadable`. */
export async function readCsv(file: string): Promise<Row[]> {
  const [first = '', named] = DELIMITER_LINE.exec(file) ?? ABOVE.exec(file) ?? [];
  const text = file.slice(first.length);
  const delimiter = named ?? delimiterOf(text) ?? ',';
  const rows: Row[] = [];
  const parser = parse(text, {
    ...{ delimiter, bom: true, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  let columns: readonly string[] | null = null;
  const skipped = first.split(/\r\n|[\r\n]/).length - 1;
  let line = 1 + skipped;
  try {
    for await (const parsed of parser) {
      const { record, info } = parsed as Parsed; // With `info` it gives both.
      const begins = line;
      line = info.lines + 1 + skipped;
      const filled = record.filter((cell) => cell.trim() !== '').length;
      // What names one column of several is a name of the whole.
      if (columns === null && (filled > 1 || record.length === 1))
        columns = distinct(record.map((name) => name.trim()));
      else if (columns !== null && filled > 0) rows.push(rowOf(columns, record, begins));
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new Unreadable(`broken CSV: ${error.message}`) : error;
  }
  return rows;
}

/** Outlook may name the day and the time of a start alike. */
function distinct(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return name === '' || count === 1 ? name : `${name} (${count})`;
  });
}

function rowOf(columns: readonly string[], record: readonly string[], line: number): Row {
  const values = Object.fromEntries(
    columns.map((name, index) => [name, record[index] ?? '']).filter(([name]) => name !== ''),
  );
  const extra = record.slice(columns.length).filter((cell) => cell.trim() !== '').length;
  if (extra === 0) return { values, line };
  return { values, line, problem: `it has ${record.length} cells, and there are ${columns.length} columns` };
}

/** One JSON object per line; null if the first line is none. */
export function readJsonLines(text: string): Row[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const first = lines.find((line) => line !== '');
  if (first === undefined || objectIn(first) === null) return null;
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    const values = objectIn(line);
    return [
      values ? { values, line: index + 1 } : { values: {}, line: index + 1, problem: 'its line is not a JSON object' },
    ];
  });
}

export function objectIn(line: string): ForeignRecord | null {
  try {
    const value = parseJson(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
