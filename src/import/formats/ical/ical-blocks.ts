// Splits the text of an iCalendar file into its components, so that a broken one does not affect the others.
import { Unreadable } from '../../unreadable.ts';

export interface CalendarBlocks {
  /** Each VEVENT, from its BEGIN to its END, lines unfolded. */
  readonly events: readonly string[];
  readonly zones: readonly string[];
  /** Properties of the calendar itself, names in capitals and without parameters; the first of a name counts. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Whether a text is an iCalendar file, whatever its name. */
export const isCalendarText = (text: string): boolean => /^\s*BEGIN:VCALENDAR\s*[\r\n]/i.test(text.slice(0, 1_000));

const NESTED_AT_MOST = 8;

/** Throws `Unreadable` for a truncated file, or wrongly nested components. */
export function calendarBlocks(text: string): CalendarBlocks {
  const events: string[] = [];
  const zones: string[] = [];
  const properties = new Map<string, string>();
  const open: string[] = [];
  let block: string[] = [];
  for (const line of unfolded(text)) {
    const [, word = '', named = ''] = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line) ?? [];
    const [mark, name] = [word.toUpperCase(), named.toUpperCase()];
    if (mark === 'BEGIN') {
      open.push(name);
      if (open.length > NESTED_AT_MOST) throw new Unreadable('broken iCalendar: components are nested too deeply');
      if (open.length === 2) block = [];
    }
    if (open.length === 1 && mark === '') keep(properties, line);
    if (open.length > 1) block.push(line);
    if (mark !== 'END') continue;
    const begun = open.pop();
    if (begun?.startsWith(name) && begun !== name)
      throw new Unreadable(`broken iCalendar: it breaks off in END:${begun}`);
    if (begun !== name) throw new Unreadable(`broken iCalendar: END:${name} where END:${begun ?? 'nothing'} belongs`);
    if (open.length !== 1) continue;
    if (name === 'VEVENT') events.push(block.join('\r\n'));
    if (name === 'VTIMEZONE') zones.push(block.join('\r\n'));
  }
  if (open.length > 0) throw new Unreadable(`broken iCalendar: it breaks off without END:${open.at(-1)}`);
  return { events, zones, properties };
}

/** Lines that begin with a blank continue the line before. */
function* unfolded(text: string): Generator<string> {
  let line = '';
  for (const piece of text.split(/\r\n|\n|\r/)) {
    if (/^[ \t]/.test(piece)) {
      line += piece.slice(1);
      continue;
    }
    if (line.trim() !== '') yield line;
    line = piece;
  }
  if (line.trim() !== '') yield line;
}

function keep(properties: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([A-Z0-9-]+)[^:]*:(.*)$/i.exec(line) ?? [];
  const known = name.toUpperCase();
  if (known !== '' && !properties.has(known)) properties.set(known, value.trim());
}
