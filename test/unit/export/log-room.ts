// Exports and restores between stores of their own in a temporary folder.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../../src/cli/errors.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { openLog, openRawLog, openRestoreTarget, openStores } from '../../../src/composition.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { exportCommand } from '../../../src/exchange/export/cli/export.ts';
import { restoreCommand } from '../../../src/exchange/export/cli/restore.ts';
import type { RestoreTarget } from '../../../src/exchange/export/restore-target.ts';
import { importCommand } from '../../../src/exchange/import/cli/import.ts';
import type { Progress } from '../../../src/exchange/import/progress.ts';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import { perform } from '../../support/perform.ts';

const SITE = 'https://cal.example';
export const INSTANT = '2030-01-01T00:00:00.000Z';
const NOW = Date.parse(INSTANT) / 1000;

const silent: Progress = { begin() {}, reach() {}, end() {} };

export interface Answer {
  readonly code: number;
  readonly lines: readonly string[];
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly stdin?: string;
  /** Standard input that goes on, instead. */
  readonly input?: Readable;
  /** Stands before the target. */
  readonly around?: (target: RestoreTarget) => RestoreTarget;
}

/** One installation: an event store and the folder of its views. */
export interface Site {
  readonly config: Config;
  readonly folder: string;
  import(...args: string[]): Promise<Answer>;
  export(...args: string[]): Promise<Answer & { readonly written: string }>;
  /** A refusal answers its exit code and its one line. */
  restore(args: readonly string[], options?: RunOptions): Promise<Answer>;
  /** Does something with its stores. */
  with<Result>(work: (stores: Awaited<ReturnType<typeof openStores>>) => Promise<Result>): Promise<Result>;
  /** Copies the keys of personal data, as an operator does who moves a log. */
  takeKeys(from: Site): void;
  /** As it is stored. */
  log(): Promise<readonly RecordedEvent[]>;
}

export interface Room {
  readonly folder: string;
  site(name: string, settings?: { readonly [name: string]: string }): Site;
  close(): Promise<void>;
}

export function openRoom(): Room {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-room-'));
  return {
    folder,
    site: (name, settings = {}) =>
      siteOf(path.join(folder, name), readConfig({ DAYBOOK_DATA_DIR: path.join(folder, name), ...settings })),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function siteOf(folder: string, config: Config): Site {
  let ids = 0;
  const newId = () => `00000000-0000-4000-9000-${String(++ids).padStart(12, '0')}`;
  const site: Site = {
    config,
    folder,
    async with(work) {
      const stores = await openStores(config);
      try {
        return await work(stores);
      } finally {
        await stores.close();
      }
    },
    import: (...args) =>
      site.with(async (stores) => {
        const lines: string[] = [];
        const code = await perform(importCommand, args, {
          store: stores.store,
          commandsOn: (store) => commandDependencies({ ...stores, store }, config),
          project: stores.project,
          display: stores.rendering,
          now: () => NOW,
          elapsed: () => 0,
          newId,
          out: (line) => void lines.push(line),
          progress: silent,
          signal: new AbortController().signal,
        });
        return { code, lines };
      }),
    export: (...args) =>
      said(async (lines) => {
        const stdout = new PassThrough({ highWaterMark: 2 ** 26 });
        const code = await perform(exportCommand, args, {
          openLog: async () => (await openLog(config)).store,
          openRawLog: () => openRawLog(config),
          stdout,
          out: (line) => void lines.push(line),
          warn: (line) => void lines.push(line),
          progress: silent,
          site: SITE,
          signal: new AbortController().signal,
          now: () => NOW,
        });
        return { code, written: stdout.read(stdout.readableLength)?.toString() ?? '' };
      }),
    restore: (
      args,
      { signal = new AbortController().signal, stdin = '', input, around = (target: RestoreTarget) => target } = {},
    ) =>
      said(async (lines) => ({
        code: await perform(restoreCommand, args, {
          config,
          openTarget: async () => around(await openRestoreTarget(config)),
          elapsed: () => performance.now(),
          stdin: input ?? Readable.from([stdin]),
          out: (line) => void lines.push(line),
          progress: silent,
          signal,
          now: () => NOW,
          newId,
        }),
      })),
    async log() {
      const sealed = await openRawLog(config);
      const events = await sealed.readAll({ after: LOG_START, limit: 1_000_000 });
      await sealed.close();
      return events;
    },
    takeKeys(from) {
      mkdirSync(folder, { recursive: true });
      copyFileSync(path.join(from.folder, 'keys.db'), path.join(folder, 'keys.db'));
    },
  };
  return site;
}

async function said<Extra extends { code: number }>(
  work: (lines: string[]) => Promise<Extra>,
): Promise<Extra & { lines: string[]; written: string }> {
  const lines: string[] = [];
  try {
    return { written: '', ...(await work(lines)), lines };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // The members that a refusal has no answer for are those of an answer without content.
    return { code: error.exitCode, lines: [error.message], written: '' } as unknown as Extra & {
      lines: string[];
      written: string;
    };
  }
}

export const withoutPositions = (events: readonly RecordedEvent[]) => events.map(({ position: _, ...event }) => event);

/** The lines of a file that was written, compressed or not. */
export function linesOf(file: string): string[] {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trimEnd().split('\n');
}

/** Lines with a first and a last one that fit to them. */
export const sealedLines = (lines: readonly string[]): readonly string[] => {
  const events = lines.length - 2;
  const body = [JSON.stringify({ ...JSON.parse(lines[0] ?? ''), events }), ...lines.slice(1, -1)];
  const text = body.map((line) => `${line}\n`).join('');
  const digest = createHash('sha256').update(text).digest('hex');
  return [...body, JSON.stringify({ end: 'daybook-log', events, digest: `sha256:${digest}` })];
};
