// Splits the text of an iCalendar file into its components, and these into their lines, each of which is taken apart on its
// own: a broken one costs nothing but itself.
// decision 26
import { withoutControls } from '../../../../kernel/text/plain-text.ts';
import { decodeText } from '../../decode-text.ts';
import { Unreadable } from '../../fields.ts';

/** A property of a component. */
export interface ContentLine {
  /** The name is in capitals; `''` for a line that is no property. */
  readonly name: string;
  /** Their names are in capitals. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As it is written. */
  readonly value: string;
  /** Its place in the file, from 1. */
  readonly line: number;
}

/** The properties of a calendar, names in capitals and without parameters; the first of a name counts. */
type CalendarProperties = ReadonlyMap<string, string>;

/** Takes each component of a calendar as a block, from its BEGIN to its END, and then the properties of the calendar. */
interface ComponentReaders {
  VEVENT(block: string): void;
  VTIMEZONE(block: string): void;
  VCALENDAR(properties: CalendarProperties): void;
  /** Any other component of a calendar. */
  other(name: string): void;
}

/** Whether a text is an iCalendar file; its name does not count. Warnings of the program that wrote it may stand above. */
export const isCalendarText = (text: string): boolean => /^\s*BEGIN:VCALENDAR\s*[\r\n]/im.test(text.slice(0, 1_000));

const NESTED_AT_MOST = 8;

/** Throws `Unreadable` for a truncated file, or wrongly nested components, when those before have been taken. */
export function readComponents(text: string, readers: ComponentReaders): void {
  let properties = new Map<string, string>();
  const open: string[] = [];
  let block: string[] = [];
  for (const { line, content } of unfolded(text)) {
    const [, word = '', named = ''] = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(content) ?? [];
    const [mark, name] = [word.toUpperCase(), named.toUpperCase()];
    if (mark === 'BEGIN') {
      if (name === 'VEVENT' && open.includes(name))
        throw new Unreadable(`broken iCalendar: a VEVENT begins within another, in line ${line}`);
      open.push(name);
      if (open.length > NESTED_AT_MOST) throw new Unreadable('broken iCalendar: components are nested too deeply');
      if (open.length === 2) block = [];
    }
    if (open.length === 1 && mark === '') keep(properties, content);
    if (open.length > 1) block.push(`${line} ${content}`);
    if (mark !== 'END') continue;
    const component = open.pop();
    if (component?.startsWith(name) && component !== name)
      throw new Unreadable(`broken iCalendar: it breaks off in END:${component}`);
    if (component !== name)
      throw new Unreadable(`broken iCalendar: END:${name} where END:${component ?? 'nothing'} belongs`);
    if (open.length === 1 && (name === 'VEVENT' || name === 'VTIMEZONE')) readers[name](block.join('\n'));
    else if (open.length === 1) readers.other(name);
    if (open.length > 0) continue;
    readers.VCALENDAR(properties);
    properties = new Map();
  }
  if (open.length > 0) throw new Unreadable(`broken iCalendar: it breaks off without END:${open.at(-1)}`);
}

interface Unfolded {
  readonly line: number;
  readonly content: string;
}

/** Quoted-printable, of vCalendar: a line that ends with an equals sign goes on in the next one. */
const QUOTED = /^[^:]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;
/** No form looks at more characters. */
const HEAD = 250;

/** Lines that begin with a blank continue the line before, also behind an empty one. They are joined once, since each join reads all of them. */
function* unfolded(text: string): Generator<Unfolded> {
  let line = 0;
  let head = '';
  let pieces: string[] = [];
  for (const { line: at, content: piece } of linesOf(text)) {
    if (piece === '') continue;
    const last = pieces.at(-1) ?? '';
    const isQuoted = last.endsWith('=') && QUOTED.test(head);
    const isFolded = !isQuoted && /^[ \t]/.test(piece);
    if (isQuoted) pieces[pieces.length - 1] = last.slice(0, -1);
    else if (!isFolded) {
      if (pieces.length > 0) yield { line, content: pieces.join('') };
      [line, head, pieces] = [at, '', []];
    }
    pieces.push(isFolded ? piece.slice(1) : piece);
    if (head.length < HEAD) head += pieces.at(-1);
  }
  if (pieces.length > 0) yield { line, content: pieces.join('') };
}

/** Each of several files that were joined may begin with a byte order mark. */
const withoutMark = (line: string): string => (line.startsWith('\ufeff') ? line.slice(1) : line);

function* linesOf(text: string): Generator<Unfolded> {
  let [line, from] = [1, 0];
  for (const { 0: end, index } of text.matchAll(/\r+\n?|\n/g)) {
    yield { line, content: withoutMark(text.slice(from, index)) };
    line += end.endsWith('\n') ? 1 : end.length;
    from = index + end.length;
  }
  yield { line, content: text.slice(from) };
}

function keep(properties: Map<string, string>, content: string): void {
  const { name, value } = contentLine(content, 0);
  if (name !== '' && !properties.has(name)) properties.set(name, value.trim());
}

/** A block as a text of its own. */
export const textOfBlock = (block: string): string => block.replace(/^\d+ /gm, '').replaceAll('\n', '\r\n');

/** The properties of a block itself; what is nested in it, such as an alarm, has properties of its own. */
export function* linesIn(block: string): Generator<ContentLine> {
  let depth = 0;
  for (const written of block.split('\n')) {
    const at = written.indexOf(' ');
    const content = written.slice(at + 1);
    if (/^BEGIN:/i.test(content)) depth += 1;
    else if (/^END:/i.test(content)) depth -= 1;
    else if (depth === 1) yield contentLine(content, Number(written.slice(0, at)));
  }
}

const NAME = /^[A-Z0-9_.-]+/i;
const PARAMETER = /;\s*([A-Z0-9_-]+)\s*(?:=((?:"[^"]*"|[^";:])*))?/iy;

function contentLine(content: string, line: number): ContentLine {
  const [name = ''] = NAME.exec(content) ?? [];
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = name.length;
  let end = name.length;
  for (let match = PARAMETER.exec(content); match; match = PARAMETER.exec(content)) {
    const [, parameter = '', value = ''] = match;
    end = PARAMETER.lastIndex;
    if (!parameters.has(parameter.toUpperCase())) parameters.set(parameter.toUpperCase(), parameterValue(value));
  }
  // Some writers do not quote a name of a zone that has a colon: what is behind it is no date yet.
  const rest = parameters.has('TZID') ? content.slice(end).search(/:\s*\d{4}-?\d\d-?\d\d/) : 0;
  if (rest > 0) {
    parameters.set('TZID', unescaped(`${parameters.get('TZID')}${content.slice(end, end + rest)}`));
    end += rest;
  }
  const isProperty = name !== '' && content.charAt(end) === ':';
  if (!isProperty) return { name: '', parameters, value: content, line };
  const value = content.slice(end + 1);
  const isQuoted = parameters.has('QUOTED-PRINTABLE') || /^quoted-printable$/i.test(parameters.get('ENCODING') ?? '');
  return { name: name.toUpperCase(), parameters, value: isQuoted ? unquoted(value, parameters) : value, line };
}

/** The text of quoted-printable; its line ends are those of other texts. */
function unquoted(value: string, parameters: ReadonlyMap<string, string>): string {
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  const text = /^[\0-\xff]*$/.test(bytes) ? decodeText(Buffer.from(bytes, 'latin1'), parameters.get('CHARSET')) : bytes;
  return text.replace(/\r?\n/g, '\\n');
}

const CARETS: Readonly<Record<string, string>> = { '^n': '\n', '^N': '\n', '^^': '^', "^'": '"' };

/** RFC 6868. */
const parameterValue = (value: string): string =>
  value.replaceAll('"', '').replace(/\^[nN^']/g, (sign) => CARETS[sign] ?? sign);

/** A text without its escapes. */
export const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));

/** The texts of a list, which semicolons separate in vCalendar. */
export const textsIn = (list: string): string[] => (list.match(/(?:\\[\s\S]|[^,;\\])+/g) ?? []).map(unescaped);

/** A text in one line, trimmed. */
export const lineOf = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim();
