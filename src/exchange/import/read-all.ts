// The reading half of an import: every source, whatever its format, as an import plan.

import type { CostDisplay } from '../../calendar/event/domain/currency.ts';
import { oneLine } from '../../kernel/text/plain-text.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import { accepted, type Html } from './accept.ts';
import { openCollection } from './collect.ts';
import type { EncodingGuess } from './decode-text.ts';
import { filledTextIn, isObject } from './fields.ts';
import { readResources } from './formats/daybook/records.ts';
import type { RulesOfSeries } from './formats/ical/ical-known.ts';
import { readCalendar } from './formats/ical/ical-records.ts';
import { zoneRemarks } from './formats/ical/ical-zones.ts';
import { readTecRecord, readTecSeries } from './formats/rest-v1/records.ts';
import { columnsOf, guessMapping } from './formats/table/guess.ts';
import { type ColumnUse, columnUses, isUsable, type Mapping, UnusableTable } from './formats/table/mapping.ts';
import { isNestedRecord, rowOfNested } from './formats/table/nested.ts';
import { plainRecords } from './formats/table/plain-records.ts';
import { readTable } from './formats/table/records.ts';
import type { Row } from './formats/table/rows.ts';
import { EMPTY_PLAN, type Fault, type Place, type Reading } from './import-plan.ts';
import type { ImportSummary } from './import-summary.ts';
import type { Progress } from './progress.ts';
import { faultOf, isAddress, type Page, type Part, type ReadLimits, readSource } from './read-source.ts';
import { kindOfRecord } from './recognise.ts';

export interface ReadOptions {
  readonly sources: readonly string[];
  readonly limits: ReadLimits;
  /** The formatting of costs in records; times without a zone are in this one. */
  readonly display: CostDisplay & { readonly siteZone: Zone };
  readonly authors: 'keep' | 'drop';
  /** What happens to foreign HTML; plain texts need no cleaning. */
  readonly html: Html;
  /** The horizon of recurring events. */
  readonly until: EpochSeconds;
  /** `expanded`: events that repeat become single events, up to that horizon. */
  readonly rules: RulesOfSeries;
  /** Identifies the target log; null for an empty one. */
  readonly ownOrigin: string | null;
  readonly now: EpochSeconds;
  /** Which column is which field; with it, all JSON is read as tables. */
  readonly mapping?: Mapping | undefined;
  /** Whose records these are; of each file its name, and of an address the address, unless given. */
  readonly source?: string | undefined;
}

const MAX_SAMPLES = 10;

interface PartRead {
  /** Each reading of a large file is made once, when it is asked for. */
  readonly readings: Iterable<Reading>;
  /** What its texts may hold; absent: what the options say. */
  readonly html?: Html;
  /** What is refused before anything that the readings refuse; complete once they have been read. */
  readonly fileFaults?: () => readonly Fault[];
  readonly records: number;
  readonly remarks?: readonly string[];
  /** What is said of the source as a whole: an encoding that nothing else says, and that it goes on. */
  readonly sourceNotes?: readonly Fault[];
  readonly samples?: readonly string[];
  readonly columns?: readonly ColumnUse[];
  /** Why the whole source is refused. */
  readonly fault?: Fault;
}

/**
 * Reads all sources; what cannot be read or used goes to the summary. Each file is handled on its own; of an address,
 * which may have many pages, nothing is imported unless all of it can be read. Once `signal` is aborted nothing more is
 * read.
 */
export async function readAll(options: ReadOptions, summary: ImportSummary, progress: Progress, signal?: AbortSignal) {
  const collection = openCollection();
  let records = 0;
  const remarks: string[] = [];
  const samples: string[] = [];
  let columns: readonly ColumnUse[] = [];
  progress.begin('Reading', 'records', null);
  for (const source of options.sources) {
    const pages: PartRead[] = [];
    for await (const part of readSource(source, options.limits)) {
      if (signal?.aborted) break;
      const partRead = await readPart(part, options);
      progress.reach(records + partRead.records);
      if (partRead.fault) summary.refuse(partRead.fault);
      if (columns.length === 0) columns = partRead.columns ?? [];
      if (isAddress(source)) pages.push(partRead);
      else take(partRead);
    }
    if (pages.every(({ fault }) => !fault)) pages.forEach(take);
  }
  progress.end();
  const plan = collection.collected();
  remarks.push(...zoneRemarks(plan.events, options.display.siteZone));
  return {
    plan,
    /** Number of records, including refused ones. */
    records,
    /** Notes on all of them together. */
    remarks,
    /** The first rows of tables as they would arrive. */
    samples: samples.slice(0, MAX_SAMPLES),
    /** The columns of the first table. */
    columns,
  };

  function take({
    readings,
    html = options.html,
    fileFaults,
    records: count,
    sourceNotes = [],
    ...shown
  }: PartRead): void {
    records += count;
    for (const fault of sourceNotes) summary.note('source', { ...fault, key: fault.place.file }, fault.reason);
    remarks.push(...(shown.remarks ?? []));
    samples.push(...(shown.samples ?? []));
    const refused: Fault[] = [];
    for (const reading of readings) {
      const { plan, faults, remarks = [] } = accepted(reading, html);
      for (const { kind, origin, into } of collection.add(plan))
        summary.merge({ kind, name: origin.name, place: origin.place, into: into.place });
      refused.push(...faults);
      for (const { kind, origin, text } of remarks) summary.note(kind, origin, text);
    }
    for (const fault of [...(fileFaults?.() ?? []), ...refused]) summary.refuse(fault);
  }
}

async function readPart(part: Part, options: ReadOptions): Promise<PartRead> {
  try {
    const sourceNotes = [
      ...('guess' in part && part.guess ? [encodingNote(part.file, part.guess)] : []),
      ...(part.kind === 'page' && (part.isPart || (part.next !== null && !isAddress(part.file)))
        ? [ofSource(part.file, 'it is one page of several, and the others are not read')]
        : []),
      ...(part.kind === 'page' && part.problem ? [ofSource(part.file, part.problem)] : []),
    ];
    const partRead = await readingsOf(part, options);
    return { ...partRead, sourceNotes: [...sourceNotes, ...(partRead.sourceNotes ?? [])] };
  } catch (error) {
    const file = part.kind === 'fault' ? part.fault.place.file : part.file;
    const columns = error instanceof UnusableTable ? error.columns : [];
    return { readings: [], records: 0, columns, fault: faultOf(file, error).fault };
  }
}

const ofSource = (file: string, reason: string): Fault => ({
  ...{ kind: 'source', name: '', place: { file, index: null }, reason },
});

const encodingNote = (file: string, { encoding, example }: EncodingGuess): Fault =>
  ofSource(
    file,
    `nothing says its encoding; it was read as ${encoding}, in which a word is ${JSON.stringify(example)}. Save it as UTF-8, or choose its encoding`,
  );

async function readingsOf(part: Part, options: ReadOptions): Promise<PartRead> {
  const { display, until, rules, authors, ownOrigin } = options;
  switch (part.kind) {
    case 'fault':
      return { readings: [], records: 0, fault: part.fault };
    case 'calendar': {
      const owner = options.source ?? part.owner;
      const reading = { file: part.file, owner, site: part.site, siteZone: display.siteZone, until, rules };
      const { leftOut, ...read } = readCalendar(part.takeText(), reading);
      return { ...read, html: 'kept', sourceNotes: leftOut.map((reason) => ofSource(part.file, reason)) };
    }
    case 'resources': {
      const readings = await readResources(part.lines, { file: part.file, authors, ownOrigin });
      return { readings, records: readings.length };
    }
    case 'table':
      return tableRead(part, part.rows, options);
    case 'page':
      return pageRead(part, options);
    case 'series': {
      const { site, series, dates } = part;
      const reading = { place: { file: part.file, index: null }, site, display, authors };
      return { readings: [readTecSeries(series, dates, reading)], records: dates.length };
    }
  }
}

function tableRead(
  { file, topic }: { readonly file: string; readonly topic: string },
  rows: readonly Row[],
  { display, now, mapping, source, ownOrigin }: ReadOptions,
): PartRead {
  const reading = {
    file,
    topic,
    source: isAddress(file) ? undefined : source,
    mapping,
    now,
    siteZone: display.siteZone,
    ownOrigin,
  };
  // Paragraphs of a mapping are built from escaped text.
  const html = mapping?.description && ({ html: 'kept' } as const);
  return { ...readTable(rows, reading), records: rows.length, ...html };
}

/** Records of the events API, or else rows of a table. */
function pageRead(page: Page, options: ReadOptions): PartRead {
  const all = page.records.map((record) => (isObject(record) ? record : {}));
  const isFlat = options.mapping !== undefined || !all.some(isNestedRecord);
  const { language = 'en' } = options.display;
  const plain = isFlat ? all : all.flatMap((record) => plainRecords(record, language));
  const nested = isFlat ? [] : plain.map(rowOfNested);
  const isRead = isUsable(guessMapping(nested.map(({ values }) => values)));
  const rows = isRead ? nested : plain.map((values): Row => ({ values, line: null }));
  if (page.others !== null && options.mapping === undefined) {
    const columns = columnsOf(rows.map(({ values }) => values));
    throw new UnusableTable(
      `it seems to be a list of ${oneLine(page.others)}, and not of events; its columns are ${columns.map(oneLine).join(', ')}. For events, try --map title=COLUMN,start=COLUMN`,
      columnUses(columns, { columns: {} }),
    );
  }
  const isTable = options.mapping !== undefined || page.records.every((record) => kindOfRecord(record) === 'unknown');
  if (isTable && all.some((record) => Object.keys(record).length > 0)) return tableRead(page, rows, options);
  const readings = page.records.map((record, index) =>
    readRecord(record, { file: page.file, index: page.isSingle ? null : index }, page, options),
  );
  return { readings, records: page.records.length };
}

function readRecord(record: unknown, place: Place, page: Page, { display, authors }: ReadOptions): Reading {
  const kind = kindOfRecord(record);
  if (isObject(record) && kind !== 'unknown')
    return readTecRecord(kind, record, { place, site: page.site, display, authors });
  const reason = 'neither an event, venue, organizer, category or tag, nor a row with a title and a start';
  const name = isObject(record) ? (filledTextIn(record, 'title') ?? filledTextIn(record, 'name') ?? '') : '';
  return { plan: EMPTY_PLAN, faults: [{ kind: 'record', name, place, reason }] };
}
