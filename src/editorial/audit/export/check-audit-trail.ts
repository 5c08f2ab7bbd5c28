// Checks an exported audit trail without the log, row by row and in constant memory.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Members, objectIn } from '../../../exchange/export/log-lines.ts';
import { readLines } from '../../../exchange/export/read-lines.ts';
import { Unusable } from '../../../exchange/export/unusable.ts';
import { keyIdOf } from '../../../kernel/files/audit-keys.ts';
import type { Json } from '../../../log/envelope.ts';
import { canonicalJson } from '../../../log/hash-chain/event-hash.ts';
import {
  AUDIT_COLUMNS,
  AUDIT_FORMAT,
  AUDIT_VERSION,
  type AuditHeader,
  type AuditTrailer,
  chained,
  digestOf,
  signedText,
} from './audit-trail.ts';

export type AuditProblem =
  | { readonly problem: 'altered row'; readonly row: number; readonly line: number }
  /** Rows `row` to `last` are not there. */
  | { readonly problem: 'removed rows'; readonly row: number; readonly last: number; readonly line: number }
  | { readonly problem: 'wrong order'; readonly row: number; readonly line: number }
  | { readonly problem: 'repeated row'; readonly row: number; readonly line: number }
  | { readonly problem: 'unreadable line'; readonly line: number }
  | { readonly problem: 'altered header' }
  /** The trail ends after this row; `rows` were signed, if that is known. */
  | { readonly problem: 'cut off'; readonly row: number; readonly rows: number | null }
  /** Behind those that were signed. */
  | { readonly problem: 'added rows'; readonly row: number; readonly last: number }
  | { readonly problem: 'no signature' }
  | { readonly problem: 'other key'; readonly found: string; readonly expected: string }
  | { readonly problem: 'wrong signature' };

export interface AuditCheck {
  readonly rows: number;
  /** Null without a trailer. */
  readonly key: string | null;
  readonly header: AuditHeader | null;
  /** At most `MAX_PROBLEMS`. */
  readonly problems: readonly AuditProblem[];
}

const MAX_PROBLEMS = 50;

/** A public key, or only its name. */
export type TrustedKey = KeyObject | string;

/** Throws `Unusable` if it cannot be read, or is something else. `signature`: the file beside a table. */
export async function checkAuditTrail(
  file: string,
  signature: string,
  trusted: TrustedKey | null,
): Promise<AuditCheck> {
  for await (const line of readLines(file)) {
    const isTable = line
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .startsWith('number,');
    return isTable ? checkTable(file, signature, trusted) : checkLines(file, trusted);
  }
  throw new Unusable('it is empty');
}

async function checkLines(file: string, trusted: TrustedKey | null): Promise<AuditCheck> {
  let header: AuditHeader | null = null;
  let trailer: AuditTrailer | null = null;
  let check: RowCheck | null = null;
  let line = 0;
  for await (const bytes of readLines(file)) {
    line += 1;
    const parsed = objectIn(bytes.toString('utf8'));
    if (line === 1) {
      header = headerIn(parsed);
      check = openRowCheck(digestOf(canonicalJson(header)));
    } else if (parsed && parsed.end === AUDIT_FORMAT)
      trailer = parsed as unknown as AuditTrailer; // Checked by its signature.
    else if (parsed && typeof parsed.number === 'number') {
      const { chain, ...content } = parsed;
      check?.row(parsed.number, content as Json, String(chain), line);
    } else check?.unreadable(line);
  }
  if (!header || !check) throw new Unusable('it is empty');
  return conclude(header, check, trailer, trusted);
}

async function checkTable(file: string, signature: string, trusted: TrustedKey | null): Promise<AuditCheck> {
  const { header, trailer } = await trailerBeside(signature);
  const check = openRowCheck(header ? digestOf(canonicalJson(header)) : (trailer?.header ?? null));
  const records = Readable.from(readLines(file)).pipe(
    parse({ bom: true, relax_column_count: true, skip_empty_lines: true, info: true }),
  );
  let isFirst = true;
  try {
    for await (const { record, info } of records as AsyncIterable<TableRecord>) {
      const number = Number(record[0]);
      if (isFirst) assertColumns(record);
      else if (record.length !== COLUMNS.length || !Number.isSafeInteger(number)) check.unreadable(info.lines);
      else check.row(number, record.slice(0, -1), record.at(-1) ?? '', info.lines);
      isFirst = false;
    }
  } catch (error) {
    // Nothing behind a quotation mark in the wrong place can be read.
    if (!(error instanceof CsvError)) throw error;
    check.unreadable(Number(error.lines));
  }
  return conclude(header, check, trailer, trusted);
}

interface TableRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const COLUMNS: readonly string[] = [...AUDIT_COLUMNS, 'chain'];

function assertColumns(record: readonly string[]): void {
  if (record.join() !== COLUMNS.join()) throw new Unusable('it is not an audit trail: its columns differ');
}

async function trailerBeside(
  file: string,
): Promise<{ readonly header: AuditHeader | null; readonly trailer: AuditTrailer | null }> {
  const lines: (Members | null)[] = [];
  try {
    for await (const bytes of readLines(file)) lines.push(objectIn(bytes.toString('utf8')));
  } catch (error) {
    if (error instanceof Unusable) return { header: null, trailer: null };
    throw error;
  }
  const [first = null, second = null] = lines;
  // Checked by its signature.
  const trailer = second?.end === AUDIT_FORMAT ? (second as unknown as AuditTrailer) : null;
  return { header: first?.format === AUDIT_FORMAT ? headerIn(first) : null, trailer };
}

function headerIn(parsed: Members | null): AuditHeader {
  if (parsed?.format !== AUDIT_FORMAT)
    throw new Unusable('it was not written by `daybook audit export`: its first line is a different one');
  if (parsed.version !== AUDIT_VERSION)
    throw new Unusable(`it is a trail of format ${String(parsed.version)}; this version reads format ${AUDIT_VERSION}`);
  return parsed as unknown as AuditHeader; // Its digest is compared with the signed one.
}

type RowCheck = ReturnType<typeof openRowCheck>;

/** `start` is null if the header is unknown: the first row is then taken as it is. */
function openRowCheck(start: string | null) {
  const found = { problems: [] as AuditProblem[], rows: 0, last: 0, chain: start };

  /** A row behind its place was missed before. */
  function late(row: number, line: number): void {
    const gap = found.problems.find((one) => one.problem === 'removed rows' && one.row <= row && row <= one.last);
    if (gap?.problem !== 'removed rows') {
      found.problems.push({ problem: 'repeated row', row, line });
      return;
    }
    const rest: AuditProblem[] = [
      ...(gap.row < row ? [{ ...gap, last: row - 1 }] : []),
      ...(row < gap.last ? [{ ...gap, row: row + 1 }] : []),
    ];
    found.problems.splice(found.problems.indexOf(gap), 1, ...rest, { problem: 'wrong order', row, line });
  }

  return {
    found,
    row(number: number, content: Json, chain: string, line: number) {
      found.rows += 1;
      if (found.problems.length >= MAX_PROBLEMS) return;
      if (number <= found.last) return late(number, line);
      if (number > found.last + 1)
        found.problems.push({ problem: 'removed rows', row: found.last + 1, last: number - 1, line });
      else if (found.chain !== null && chained(found.chain, content) !== chain)
        found.problems.push({ problem: 'altered row', row: number, line });
      found.last = number;
      found.chain = chain;
    },
    unreadable(line: number) {
      if (found.problems.length < MAX_PROBLEMS) found.problems.push({ problem: 'unreadable line', line });
    },
  };
}

function conclude(
  header: AuditHeader | null,
  { found }: RowCheck,
  trailer: AuditTrailer | null,
  trusted: TrustedKey | null,
): AuditCheck {
  const { rows, last, chain } = found;
  const problems = [...found.problems];
  if (!trailer) {
    // The trailer of lines is the last of them; that of a table may never have come along.
    if (header?.layout === 'jsonl') problems.push({ problem: 'cut off', row: last, rows: null });
    problems.push({ problem: 'no signature' });
    return { rows, key: null, header, problems };
  }
  if (header === null || digestOf(canonicalJson(header)) !== trailer.header) {
    problems.unshift({ problem: 'altered header' });
    // The first row follows from the header: that it does not match says nothing of its own.
    const first = problems.findIndex((one) => one.problem === 'altered row' && one.row === 1);
    if (first > 0) problems.splice(first, 1);
  }
  if (trailer.rows > last) problems.push({ problem: 'cut off', row: last, rows: trailer.rows });
  if (trailer.rows < last) problems.push({ problem: 'added rows', row: trailer.rows + 1, last });
  const signature = signatureProblem(trailer, trusted);
  if (signature) problems.push(signature);
  else if (problems.length === 0 && trailer.chain !== chain)
    problems.push({ problem: 'altered row', row: last, line: last + 1 });
  return { rows, key: trailer.key, header, problems };
}

function signatureProblem(trailer: AuditTrailer, trusted: TrustedKey | null): AuditProblem | null {
  if (typeof trailer.signature !== 'string' || trailer.signature === '') return { problem: 'no signature' };
  const own = publicKeyIn(trailer.public_key);
  const expected = trusted === null || typeof trusted === 'string' ? trusted : keyIdOf(trusted);
  const found = own ? keyIdOf(own) : trailer.key;
  if (expected !== null && found !== expected) return { problem: 'other key', found, expected };
  const isValid = own !== null && trailer.key === found && isSigned(trailer, own);
  return isValid ? null : { problem: 'wrong signature' };
}

function isSigned(trailer: AuditTrailer, key: KeyObject): boolean {
  const signature = Buffer.from(trailer.signature, 'base64');
  // Decoding passes over what is not base64: only one text of a signature counts.
  if (signature.toString('base64') !== trailer.signature) return false;
  try {
    return verify(null, signedText(trailer), key, signature);
  } catch {
    return false;
  }
}

function publicKeyIn(pem: unknown): KeyObject | null {
  try {
    return createPublicKey(String(pem));
  } catch {
    return null;
  }
}
