// Dates of a table whose day and month may be swapped (`04/01/2027`), where no other date shows their order.
// With dots the day is first everywhere.
import { oneLine } from '../../../../kernel/text/plain-text.ts';
import { isAmbiguousDate } from '../../../../kernel/time/date-input.ts';

export interface DateOfRow {
  /** As it was written; may have a time. */
  readonly text: string;
  /** `2027-04-01`, how it was read; null if its row is refused. */
  readonly day: string | null;
  /** From 1; in JSON the index of the row. */
  readonly line: number;
}

const NUMERIC_DATE = /(?<![\d./-])(\d{1,2})([/-])(\d{1,2})\2/;
const MONTHS = 12;
const MAX_SHOWN = 5;

/** A line for people about such dates of a file, with their lines and how they were read; null if there are none. */
export function ambiguityRemark(file: string, dates: readonly DateOfRow[]): string | null {
  const shown = separatorsOfOneOrder(dates);
  const ambiguous = dates.flatMap(({ text, day, line }) =>
    day !== null && separatorOf(text) !== '' && isAmbiguousDate({ text }) && !shown.has(separatorOf(text))
      ? [`${line} (${oneLine(text)} = ${day})`]
      : [],
  );
  if (ambiguous.length === 0) return null;
  const rest = ambiguous.length - MAX_SHOWN;
  const lines = [...ambiguous.slice(0, MAX_SHOWN), ...(rest > 0 ? [`… (+${rest})`] : [])].join(', ');
  return `${file}: day and month may be swapped, and no other date shows their order; lines ${lines}`;
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
