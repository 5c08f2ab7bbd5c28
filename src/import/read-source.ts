// Where records are read from: files, folders with everything below them, and addresses with all their pages.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FetchLimits, fetchJson } from './fetch-json.ts';
import { type Contents, contentsOf } from './recognise.ts';
import { hostOf } from './sites.ts';
import { Unreadable } from './unreadable.ts';
import type { Fault } from './wishes.ts';

/** One file, or one page of an address. */
export interface Page extends Contents {
  readonly kind: 'page';
  /** Path or address. */
  readonly file: string;
  /** The file's name without its ending, in lower case. */
  readonly topic: string;
  /** The host of an address; null for files. */
  readonly site: string | null;
}

/** What could not be read, in one line. */
export interface SourceFault {
  readonly kind: 'fault';
  readonly fault: Fault;
}

export interface ReadLimits extends FetchLimits {
  readonly pages: number;
}

export const DEFAULT_LIMITS: ReadLimits = { timeoutMs: 30_000, bytes: 64 * 1024 * 1024, pages: 5000 };

const ADDRESS = /^https?:\/\//i;

/** Everything that a source holds, in order. What cannot be read is told in its place; nothing is thrown for it. */
export async function* readSource(source: string, limits: ReadLimits): AsyncGenerator<Page | SourceFault> {
  try {
    if (ADDRESS.test(source)) yield* pagesAt(source, limits);
    else yield* readFiles(await filesAt(source));
  } catch (error) {
    yield faultOf(source, error);
  }
}

function faultOf(file: string, error: unknown): SourceFault {
  if (!(error instanceof Unreadable)) throw error;
  const place = { file: error.file ?? file, index: null };
  return { kind: 'fault', fault: { kind: 'source', name: '', place, reason: error.message } };
}

/** A file as it is; of a folder all that ends in `.json`, by path. */
async function filesAt(source: string): Promise<string[]> {
  const found = await stat(source).catch((error: unknown) => {
    throw new Unreadable(fileProblem(error));
  });
  if (!found.isDirectory()) return [source];
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name.toLowerCase().endsWith('.json'));
  if (files.length === 0) throw new Unreadable('no .json file is in this folder');
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}

/** Files open at a time. */
const READ_AHEAD = 16;

async function* readFiles(files: readonly string[]): AsyncGenerator<Page | SourceFault> {
  for (let start = 0; start < files.length; start += READ_AHEAD)
    yield* await Promise.all(files.slice(start, start + READ_AHEAD).map(readOne));
}

async function readOne(file: string): Promise<Page | SourceFault> {
  try {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new Unreadable(fileProblem(error));
    });
    return { kind: 'page', file, topic: topicOf(file), site: null, ...contentsOf(parsed(text)) };
  } catch (error) {
    return faultOf(file, error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Unreadable(`broken JSON: ${error instanceof Error ? error.message.replace(/\s+/g, ' ') : error}`);
  }
}

const FILE_PROBLEMS: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'it may not be read',
};

function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FILE_PROBLEMS[code] ?? `it cannot be read (${code || String(error)})`;
}

/** The pages of an address, as long as each names a next one of the same origin. */
async function* pagesAt(source: string, limits: ReadLimits): AsyncGenerator<Page> {
  if (!URL.canParse(source)) throw new Unreadable('this is no address');
  const seen = new Set<string>();
  for (let address: string | null = source; address !== null; ) {
    if (seen.size >= limits.pages)
      throw new Unreadable(`more than ${limits.pages} pages; the rest is left out`, address);
    seen.add(address);
    const answer = await fetchJson(address, limits);
    const contents = contentsOf(parsedAt(address, answer.text));
    const site = hostOf(answer.address) ?? null;
    yield { kind: 'page', file: address, topic: topicOf(new URL(address).pathname), site, ...contents };
    address = nextAddress(contents.next, answer.address, address);
    if (address !== null && seen.has(address)) throw new Unreadable('its pages lead back to an earlier one', address);
  }
}

function parsedAt(address: string, text: string): unknown {
  try {
    return parsed(text);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(error.message, address) : error;
  }
}

function nextAddress(next: string | null, reached: string, page: string): string | null {
  if (next === null) return null;
  const url = URL.canParse(next, reached) ? new URL(next, reached) : null;
  if (url?.origin === new URL(reached).origin) return url.href;
  throw new Unreadable(`its next page is elsewhere (${next}) and is not followed; the rest is left out`, page);
}

const topicOf = (file: string): string =>
  path
    .basename(file)
    .replace(/\.json$/i, '')
    .toLowerCase();
