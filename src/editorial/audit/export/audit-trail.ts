// An exported audit trail: what was changed, by whom, with the hashes of the log, signed so that it can be checked
// without the log.
//
// As JSON lines: a header, one change a line, and the trailer. As CSV: the changes as a table, and header and trailer beside it
// in a file of the same name with `.sig`. The rule, for other tools:
//
//   digest(text) = "sha256:" + SHA-256 of the UTF-8 text, as 64 lower-case hexadecimal digits
//   header  = digest of the canonical JSON (event-hash.ts) of the header
//   chain   = of each row: digest of  chain of the row before it (of the first row: header) + "\n" + canonical JSON of
//             the row without its member chain; in CSV, of the array of its cells without the last one
//   signature = Ed25519, in base64, over the canonical JSON of the trailer without its member signature
// decision 14
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { inert } from '../../../exchange/export/event-table.ts';
import type { Sink } from '../../../exchange/export/sink.ts';
import type { Json } from '../../../log/envelope.ts';
import { canonicalJson } from '../../../log/hash-chain/event-hash.ts';

export const AUDIT_FORMAT = 'daybook-audit';
export const AUDIT_VERSION = 1;
export const AUDIT_LAYOUTS = ['jsonl', 'csv'] as const;
export type AuditLayout = (typeof AUDIT_LAYOUTS)[number];

/** Columns of the table, and members of the lines, in their order. `number` counts from 1. */
export const AUDIT_COLUMNS = [
  ...(['number', 'position', 'stream', 'revision', 'event_id', 'instant', 'kind', 'id', 'type', 'summary'] as const),
  ...(['actor_id', 'actor', 'role', 'reason', 'request', 'proposal', 'fields', 'hash'] as const),
] as const;

export type AuditRow = { readonly [Column in Exclude<(typeof AUDIT_COLUMNS)[number], 'number'>]: Json } & {
  /** Field by field, before and after; only in JSON lines. */
  readonly changes: Json;
};

export interface AuditHeader {
  readonly format: typeof AUDIT_FORMAT;
  readonly version: number;
  readonly layout: AuditLayout;
  /** The version of Daybook that wrote it. */
  readonly daybook: string;
  /** ISO 8601 in UTC. */
  readonly exported: string;
  /** Null: unlimited. */
  readonly from: string | null;
  readonly to: string | null;
  /** The end of the log then. */
  readonly head: string;
}

export interface AuditTrailer {
  readonly end: typeof AUDIT_FORMAT;
  /** Digest of the header. */
  readonly header: string;
  readonly rows: number;
  /** The digest of the last row; of an empty trail, that of the header. */
  readonly chain: string;
  readonly key: string;
  /** PEM. */
  readonly public_key: string;
  readonly signature: string;
}

export interface AuditSigner {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export const chained = (before: string, content: Json): string => digestOf(`${before}\n${canonicalJson(content)}`);

/** What is signed. */
export const signedText = ({ signature: _, ...trailer }: AuditTrailer): Buffer => Buffer.from(canonicalJson(trailer));

interface AuditTrail {
  readonly header: Omit<AuditHeader, 'format' | 'version'>;
  readonly rows: AsyncIterable<AuditRow>;
  readonly signer: AuditSigner;
}

/** Where the lines of a trail go; waits while their reader is slower. */
export type Lines = Pick<Sink, 'write'>;

/** Writes a trail; `beside` gets header and trailer of a table. Returns the number of rows. */
export async function writeAuditTrail(trail: AuditTrail, sink: Lines, beside: Lines | null): Promise<number> {
  const { rows, signer } = trail;
  const header: AuditHeader = { format: AUDIT_FORMAT, version: AUDIT_VERSION, ...trail.header };
  const write = header.layout === 'csv' ? tableRow : jsonRow;
  await sink.write(header.layout === 'csv' ? [...AUDIT_COLUMNS, 'chain'].join(',') : JSON.stringify(header));
  let chain = digestOf(canonicalJson(header));
  const ofHeader = chain;
  let number = 0;
  for await (const row of rows) {
    number += 1;
    const written = write({ number, ...row }, chain);
    chain = written.chain;
    await sink.write(written.line);
  }
  const trailer = signedTrailer({ end: AUDIT_FORMAT, header: ofHeader, rows: number, chain }, signer);
  if (beside) await beside.write(JSON.stringify(header));
  await (beside ?? sink).write(JSON.stringify(trailer));
  return number;
}

function signedTrailer(
  content: Pick<AuditTrailer, 'end' | 'header' | 'rows' | 'chain'>,
  signer: AuditSigner,
): AuditTrailer {
  const trailer = { ...content, key: signer.id, public_key: signer.publicKey, signature: '' };
  const key: KeyObject = createPrivateKey(signer.privateKey);
  return { ...trailer, signature: sign(null, signedText(trailer), key).toString('base64') };
}

type NumberedRow = AuditRow & { readonly number: number };

function jsonRow(row: NumberedRow, before: string): { readonly line: string; readonly chain: string } {
  const { changes, ...rest } = row;
  const members = { ...Object.fromEntries(AUDIT_COLUMNS.map((column) => [column, rest[column]])), changes };
  const chain = chained(before, members);
  return { line: JSON.stringify({ ...members, chain }), chain };
}

/** A text that a spreadsheet would take for a formula is inert, as in tables of events. */
function tableRow(row: NumberedRow, before: string): { readonly line: string; readonly chain: string } {
  const cells = AUDIT_COLUMNS.map((column) => inert(cellOf(row[column])));
  const chain = chained(before, cells);
  return { line: stringify([[...cells, chain]], { quoted_match: /[\r\n]/ }).slice(0, -1), chain };
}

function cellOf(value: Json): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join('|') : String(value);
}
