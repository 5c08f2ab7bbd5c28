// Sources of records: files, folders with everything below them, and addresses with all their pages.
import { open, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeEntities } from '../../kernel/text/plain-text.ts';
import { LOG_FORMAT } from '../export/log-lines.ts';
import { readLines } from '../export/read-lines.ts';
import { RESOURCE_FORMAT } from '../export/resource-lines.ts';
import { Unusable } from '../export/unusable.ts';
import { decodeWithGuess, type EncodingGuess } from './decode-text.ts';
import { type Fetched, type FetchLimits, type FetchValidators, fetchText } from './fetch-text.ts';
import { type ForeignRecord, hostOf, isObject, Unreadable } from './fields.ts';
import { isCalendarText } from './formats/ical/ical-lines.ts';
import { seriesOfRecord } from './formats/rest-v1/series.ts';
import { eventsIn } from './formats/table/linked-data.ts';
import { delimiterOf, type Row, readCsv, readJsonLines } from './formats/table/rows.ts';
import type { Fault } from './import-plan.ts';
import { parseJson } from './parse-json.ts';
import { type Contents, contentsOf, WHOLE } from './recognise.ts';

interface OfText {
  /** Null: its encoding is known. */
  readonly guess: EncodingGuess | null;
}

/** One file, or one page of an address. */
export interface Page extends Contents, OfText {
  readonly kind: 'page';
  /** Path or address. */
  readonly file: string;
  /** The file's name without its extension, in lower case. */
  readonly topic: string;
  /** The host of an address; null for files. */
  readonly site: string | null;
  /** Which parts of it cannot be read; null: all can. */
  readonly problem: string | null;
}

/** An iCalendar file. */
interface Calendar extends OfText {
  readonly kind: 'calendar';
  readonly file: string;
  /** Whose records it has, unless that is said: the name of the file, or the final address. */
  readonly owner: string;
  readonly site: string | null;
  /** Its text, once: nothing else holds on to it. */
  takeText(): string;
}

function calendarOf(file: string, of: Pick<Calendar, 'site' | 'owner' | 'guess'>, text: string): Calendar {
  let rest = text;
  return {
    ...{ kind: 'calendar', file, ...of },
    takeText() {
      const whole = rest;
      rest = '';
      return whole;
    },
  };
}

/** Written by `daybook export`. */
interface Resources {
  readonly kind: 'resources';
  readonly file: string;
  readonly lines: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** The reason, in one line, why it could not be read. */
interface SourceFault {
  readonly kind: 'fault';
  readonly fault: Fault;
}

/** CSV or JSON lines. */
interface TablePart extends OfText {
  readonly kind: 'table';
  readonly file: string;
  readonly topic: string;
  readonly rows: readonly Row[];
}

/** A series that another Daybook tells, with all its dates that are shown. */
interface SeriesPart {
  readonly kind: 'series';
  /** Its address. */
  readonly file: string;
  readonly site: string | null;
  readonly series: ForeignRecord;
  readonly dates: readonly ForeignRecord[];
}

export type Part = Page | Calendar | Resources | TablePart | SeriesPart | SourceFault;

export interface ReadLimits extends FetchLimits {
  readonly pages: number;
  /** The first page of an address, if it has been fetched already. */
  readonly first?: Fetched;
  /** Takes every answer of an address. */
  readonly onAnswer?: (text: string, validators: FetchValidators) => void;
}

export const DEFAULT_LIMITS: ReadLimits = {
  ...{ timeoutMs: 30_000, bytes: 64 * 1024 * 1024, pages: 5000 },
  network: 'any',
};

const ADDRESS = /^(?:https?|webcals?):\/\//i;

/** Whether a source is read from the network: then nothing of it is imported unless all of it can be read. */
export const isAddress = (source: string): boolean => ADDRESS.test(source);

/** Downloaded once more, a file gets a number. */
const NUMBER = /\s?\(\d+\)(?=\.\w+$|$)/;

/** Who owns the records of a calendar: the name of its file, without folders, or its address. */
export function ownerOf(file: string): string {
  if (!isAddress(file)) return path.basename(file).replace(NUMBER, '').normalize();
  const address = new URL(fetchedFrom(file));
  address.hash = '';
  return address.href;
}

/** Where a source is fetched from. */
export const fetchedFrom = (address: string): string => address.replace(/^webcals?:/i, 'https:');

/** The whole content of a source, in order. Errors are reported in their place instead of thrown. */
export async function* readSource(source: string, limits: ReadLimits): AsyncGenerator<Part> {
  try {
    if (isAddress(source)) yield* pagesAt(fetchedFrom(source), limits);
    else yield* readFiles(await filesAt(source), limits);
  } catch (error) {
    yield faultOf(source, error);
  }
}

/** Rethrows errors that are not the source's. */
export function faultOf(file: string, error: unknown): SourceFault {
  const isOurs = error instanceof Unreadable || error instanceof Unusable;
  if (!isOurs) throw error;
  const place = { file: (error instanceof Unreadable ? error.file : null) ?? file, index: null };
  return { kind: 'fault', fault: { kind: 'source', name: '', place, reason: error.message } };
}

const ENDINGS = /\.(?:csv|tsv|json|jsonl|ndjson|ics|ical|ifb|icalendar)$/i;

/** A file itself; of a folder all files with a known extension, by path. */
async function filesAt(source: string): Promise<string[]> {
  const stats = await stat(source).catch((error: unknown) => {
    throw new Unreadable(fileProblem(error));
  });
  if (!stats.isDirectory()) return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && ENDINGS.test(entry.name));
  if (files.length === 0) throw new Unreadable('no .csv, .json or .ics file is in this folder');
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

/** Files open at a time. */
const READ_AHEAD = 16;

async function* readFiles(files: readonly string[], limits: ReadLimits): AsyncGenerator<Part> {
  for (let start = 0; start < files.length; start += READ_AHEAD)
    yield* await Promise.all(files.slice(start, start + READ_AHEAD).map((file) => readOne(file, limits)));
}

async function readOne(file: string, { encoding }: ReadLimits): Promise<Part> {
  try {
    const beginning = await beginningOf(file).catch((error: unknown) => {
      throw error instanceof Unusable ? error : new Unreadable(fileProblem(error));
    });
    if (isOurs(beginning)) return { kind: 'resources', file, lines: readLines(file) };
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new Unreadable(fileProblem(error));
    });
    return await partOf(file, decodeWithGuess(bytes, encoding), { site: null, owner: ownerOf(file) });
  } catch (error) {
    return faultOf(file, error);
  }
}

/** The beginning of a file, uncompressed. Large files are not read whole to detect their format. */
async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0);
    const bytes = buffer.subarray(0, bytesRead);
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8');
  } finally {
    await handle.close();
  }
  for await (const line of readLines(file)) return line.toString('utf8', 0, 200);
  return '';
}

/** Whether a text begins as an export of resources does. Throws `Unreadable` for a log. */
function isOurs(beginning: string): boolean {
  const begins = (format: string): boolean => beginning.startsWith(`{"format":${JSON.stringify(format)},`);
  if (begins(LOG_FORMAT)) throw new Unreadable('it is a log: `daybook restore` brings it into an empty event store');
  return begins(RESOURCE_FORMAT);
}

/** What a text holds, whatever its file is called. Throws `Unreadable`. */
async function partOf(
  file: string,
  { text, guess }: Pick<Fetched, 'text' | 'guess'>,
  of: Pick<Calendar, 'site' | 'owner'>,
): Promise<Calendar | TablePart | Page> {
  if (isCalendarText(text)) return calendarOf(file, { ...of, guess }, text);
  if (text.startsWith('PK\x03\x04'))
    throw new Unreadable('it is a workbook or another packed file. Save its table as CSV', file);
  const topic = topicOf(isAddress(file) ? new URL(file).pathname : file);
  const begin = text.trimStart().charAt(0);
  const isCsv = /\.[ct]sv$/i.test(file) || (!/^[[{<]?$/.test(begin) && delimiterOf(text) !== null);
  if (isCsv && begin !== '') return { kind: 'table', file, guess, topic, rows: await readCsv(text) };
  const page = { kind: 'page', file, topic, site: of.site, guess, problem: null } as const;
  if (begin === '<') return { ...page, ...linkedDataIn(text, file) };
  const value = parsed(text);
  if (value instanceof Error) {
    const rows = begin === '{' ? readJsonLines(text) : null;
    if (rows) return { kind: 'table', file, guess, topic, rows };
    throw new Unreadable(
      begin === '{' || begin === '['
        ? `broken JSON: ${value.message}`
        : 'it is neither JSON, CSV nor an iCalendar file',
      file,
    );
  }
  // ical.js comes with it, which a start does not need.
  const { calendarTextIn } = await import('./formats/ical/json-calendar.ts');
  const calendar = calendarTextIn(value);
  if (calendar !== null) return calendarOf(file, { ...of, guess }, calendar);
  return { ...page, ...contentsOf(value) };
}

/** The value of a JSON text, or an `Error` of one line that says why there is none. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return new Error(String(error instanceof Error ? error.message : error).replace(/\s+/g, ' '));
  }
}

/** What a page tells programs about its events. A script that cannot be read costs what is in it; at an address, of which all or nothing is read, that is no event. */
function linkedDataIn(page: string, file: string): Contents & Pick<Page, 'problem'> {
  const values: unknown[] = [];
  const reasons: string[] = [];
  for (const script of page.split(/<script\b/i)) {
    const [head = ''] = script.split('>', 1);
    if (!LINKED_DATA.test(head)) continue;
    const [text = ''] = script.slice(head.length + 1).split(/<\/script/i, 1);
    const first = parsed(text);
    const value = first instanceof Error ? parsed(mended(text)) : first;
    if (!(value instanceof Error)) values.push(value);
    else if (first instanceof Error) reasons.push(`broken JSON: ${first.message}`);
    if (value instanceof Error && isAddress(file) && EVENT_WITHIN.test(text))
      throw new Unreadable(reasons.at(-1) ?? '', file);
  }
  const records = eventsIn(values);
  const [reason] = reasons;
  if (records.length === 0) throw new Unreadable(reason ?? instead(), file);
  const problem = reason ? `${reasons.length} of its scripts of JSON-LD cannot be read: ${reason}` : null;
  return { ...WHOLE, records, problem };

  function instead(): string {
    const others = OTHERS.flatMap(([name, form]) => {
      const [found, linked, href = linked] = form.exec(page) ?? [];
      if (found === undefined) return [];
      const link = decodeEntities(href ?? '');
      return link === '' ? name : `${name} (${URL.parse(link, isAddress(file) ? file : undefined)?.href ?? link})`;
    });
    return others.length > 0
      ? `it is HTML or XML without events as JSON-LD. It has ${others.join(', ')}, which is not read from there`
      : 'it is HTML or XML without events as JSON-LD. Try its calendar as a file, or the list of events in its API';
  }
}

const LINKED_DATA = /application\/ld\+json/i;
/** Pages tell programs of events in these other ways. */
const OTHERS: readonly (readonly [name: string, form: RegExp])[] = [
  ['microdata', /\bitemtype\s*=\s*["'][^"'>]{0,99}schema\.org\/\w{0,50}(?:Event|Festival)\b/i],
  ['RDFa', /\btypeof\s*=\s*["'][^"'>]{0,99}Event\b/],
  ['h-event', /\bclass\s*=\s*["'](?:[^"'>]{0,199}\s)?(?:h-event|vevent)[\s"']/],
  ['RSS', /<(?:rss|rdf:RDF)\b/],
  ['Atom', /<feed\b/],
  ['xCal', /<icalendar\b/],
  [
    'iCalendar',
    /<link\b[^<>]{0,200}text\/calendar[^<>]{0,200}?href="([^"<>]{1,999})"|\bhref=["']([^"'\s<>]{1,999}\.ics)["'?]/i,
  ],
];

const EVENT_WITHIN = /(?:Event|EventSeries|Festival|CourseInstance|Hackathon)"/;

/** A text, also one that does not end, a comma behind the last value, or a value that another follows without one. */
const TEXTS_AND_COMMAS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|,(?=\s*[}\]])|[}\]](?=\s*[{[])/g;

/** JSON as templates of pages write it: within CDATA or a comment, several values, with line ends in texts and commas too many or missing. */
function mended(script: string): string {
  const text = script.replace('<![CDATA[', '').replace(/\]\]>[\s/*]*$/, '');
  const values = text
    .slice(text.search(/[[{]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)
    .replace(TEXTS_AND_COMMAS, (part) => {
      if (/^[}\]]/.test(part)) return `${part},`;
      return part === ',' ? '' : part.replace(/[\0-\x1f]+/g, '\\n');
    });
  return values && `[${values}]`;
}

const FILE_PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read',
};

function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FILE_PROBLEMS[code] ?? `it cannot be read (${code || String(error)})`;
}

/** What is at an address, page by page; series of another Daybook as a whole, and their dates nowhere else. */
async function* pagesAt(source: string, limits: ReadLimits): AsyncGenerator<Part> {
  const asking = openPages(source, limits);
  const whole = new Map<number, SeriesPart | null>();
  for await (const part of asking.through(source)) {
    if (part.kind !== 'page') {
      yield part;
      continue;
    }
    for (const id of new Set(part.records.flatMap((record) => seriesOfRecord(record) ?? []))) {
      if (whole.has(id)) continue;
      const series = await seriesAt(asking, part, id);
      whole.set(id, series);
      if (series) yield series;
    }
    yield { ...part, records: part.records.filter((record) => !whole.get(seriesOfRecord(record) ?? 0)) };
  }
}

/** Answers of one source, as many as its limit allows. */
type Pages = ReturnType<typeof openPages>;

interface FullAnswer {
  readonly file: string;
  readonly answer: Fetched;
}

function openPages(source: string, limits: ReadLimits) {
  if (!URL.canParse(source)) throw new Unreadable('this is not an address');
  let requests = 0;

  async function answerAt(address: string): Promise<Fetched> {
    if (requests >= limits.pages) throw new Unreadable(`more than ${limits.pages} pages`, address);
    requests += 1;
    const answer = (address === source && limits.first) || (await fetchText(address, limits));
    limits.onAnswer?.(answer.text, answer.validators);
    return answer;
  }

  async function fullAnswerAt(file: string): Promise<FullAnswer> {
    const answer = await answerAt(file);
    const api = file === source ? apiOf(answer) : null;
    const full = api && (await ifThere(answerAt(api)));
    return full ? { file: full.address, answer: full } : { file, answer };
  }

  const fullAnswerIfThere = (file: string): Promise<FullAnswer | null> => ifThere(fullAnswerAt(file));

  return {
    answerAt,
    /** Follows a list for as long as each page names a next one of the same origin. */
    async *through(first: string): AsyncGenerator<Page | Calendar | Resources | TablePart> {
      const visits = new Set<string>();
      /** What stood in front of an address that the list does not name itself. */
      const guesses = new Map<string, { readonly page: Page; readonly text: string }>();
      for (let address: string | null = first; address !== null; ) {
        visits.add(address);
        const before = guesses.get(address);
        const full = await (before ? fullAnswerIfThere : fullAnswerAt)(address);
        // Some count their pages from 0.
        if (full === null) return;
        const { file, answer } = full;
        const { text } = answer;
        // A list that knows nothing of what we ask for has the same page again.
        if (before?.text === text) return yield { ...before.page, records: [], isPart: true };
        if (isOurs(text.slice(0, 200))) return yield { kind: 'resources', file, lines: linesOf(text) };
        const part = await partOf(file, answer, {
          site: hostOf(answer.address) ?? null,
          owner: ownerOf(answer.address),
        });
        yield part;
        address = part.kind === 'page' ? nextAddress(part.next, answer.address, address) : null;
        if (address === null) return;
        if (visits.has(address)) throw new Unreadable('its pages lead back to an earlier one', address);
        if (part.kind === 'page' && part.next?.startsWith('?')) guesses.set(address, { page: part, text });
      }
    },
  };
}

const ifThere = <Answer>(answer: Promise<Answer>): Promise<Answer | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof Unreadable && error.isAbsent) return null;
    throw error;
  });

/** Where a page of The Events Calendar or of a Daybook says that its events are told in full; null if it does not. */
function apiOf({ text, address }: Fetched): string | null {
  const head = text.slice(0, MAX_HEAD);
  const [, href = ''] = (head.includes(MARK) && API.exec(head)) || [];
  const url = href === '' ? null : URL.parse(decodeEntities(href), address);
  const isTold = url?.origin === new URL(address).origin && EVENTS_OF_API.test(url.pathname) && url.username === '';
  return isTold ? url.href : null;
}

const MARK = '<meta name="tec-api-version"';
const API = /<link rel="alternate" href="([^"<>]{0,999}\/events\/[^"<>]{0,999})"/;
const MAX_HEAD = 100_000;

/** The part of the address of an event, or of a list of them, up to where the API of a Daybook is. */
const EVENTS_OF_API = /^(.*)\/events(?:\/\d+)?\/?$/;

/** Null: it is not told there, as for a series that is not public while one of its dates is. */
async function seriesAt(pages: Pages, { file, site }: Page, id: number): Promise<SeriesPart | null> {
  const [, root] = EVENTS_OF_API.exec(new URL(file).pathname) ?? [];
  if (root === undefined) return null;
  const at = (path: string): string => new URL(root + path, file).href;
  const address = at(`/series/${id}`);
  const answer = await ifThere(pages.answerAt(address));
  const series = answer && parsed(answer.text);
  if (series instanceof Error) throw new Unreadable(`broken JSON: ${series.message}`, address);
  if (!isObject(series)) return null;
  const dates: ForeignRecord[] = [];
  for await (const part of pages.through(at(`/events?series=${id}&start_date=${FROM}&end_date=${TO}&per_page=50`)))
    if (part.kind === 'page') dates.push(...part.records.filter(isObject));
  return { kind: 'series', file: address, site, series, dates };
}

/** All dates of a series that there are. */
const [FROM, TO] = ['1000-01-01', '9999-12-31'];

const linesOf = (text: string): Buffer[] => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => Buffer.from(line));

function nextAddress(next: string | null, reached: string, page: string): string | null {
  if (next === null) return null;
  const url = URL.canParse(next, reached) ? new URL(next, reached) : null;
  // What is asked for besides is asked for in place of what was before.
  if (url)
    for (const [name, value] of new URL(reached).searchParams)
      if (!url.searchParams.has(name) && (next.startsWith('?') || KEY.test(name))) url.searchParams.set(name, value);
  if (url?.origin === new URL(reached).origin) return url.href;
  throw new Unreadable(`its next page is elsewhere (${next}) and is not followed`, page);
}

/** Some lists leave out of the address of their next page who asks. */
const KEY = /^(?:api_?key|key|access_?token|client_id)$/i;

const topicOf = (file: string): string =>
  path
    .basename(file)
    .replace(/\.(?:json|jsonl|ndjson|csv|tsv)$/i, '')
    .toLowerCase();
