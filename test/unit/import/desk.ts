// An import into stores of its own in a temporary folder, and the service that reads them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandDependencies } from '../../../src/commands/context.ts';
import { commandDependencies } from '../../../src/commands/dependencies.ts';
import { openStores } from '../../../src/composition.ts';
import { readConfig } from '../../../src/config.ts';
import { importCommand } from '../../../src/exchange/import/cli/import.ts';
import type { Progress } from '../../../src/exchange/import/progress.ts';
import { DEFAULT_LIMITS, type ReadLimits } from '../../../src/exchange/import/read-source.ts';
import { DEFAULT_SETTINGS } from '../../../src/http/settings.ts';
import { LOG_START, type RecordedEvent } from '../../../src/log/envelope.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import { openLog } from '../../../src/observability/log.ts';
import { type Service, startService } from '../../../src/service.ts';
import { perform } from '../../support/perform.ts';

export const NOW = Date.UTC(2030, 0, 1) / 1000;

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/import/${name}`, import.meta.url));

type Row = { readonly [outcome in 'created' | 'changed' | 'unchanged' | 'merged' | 'refused']: number };

/** A row of a summary, with zero for what is not named. */
export const row = (counts: Partial<Row>): Row => ({
  created: 0,
  changed: 0,
  unchanged: 0,
  merged: 0,
  refused: 0,
  ...counts,
});

export interface Summary {
  readonly correlation_id: string;
  readonly records: number;
  readonly events?: Row;
  readonly venues?: Row;
  readonly organizers?: Row;
  readonly categories?: Row;
  readonly tags?: Row;
  readonly refused: readonly { kind: string; file: string; index: number | null; name: string; reason: string }[];
  readonly notes: readonly { kind: string; name: string; reason: string }[];
  readonly remarks: readonly string[];
  readonly merged: readonly {
    kind: string;
    name: string;
    file: string;
    into: { file: string; index: number | null };
  }[];
  readonly left?: number;
}

export type Json = { readonly [name: string]: unknown };

interface Said {
  readonly code: number;
  readonly lines: readonly string[];
}

const SILENT: Progress = { begin() {}, reach() {}, end() {} };

export interface Desk {
  readonly folder: string;
  readonly store: EventStore;
  readonly commands: CommandDependencies;
  /** `daybook import` with `--json`. */
  run(...args: string[]): Promise<Summary & { readonly code: number }>;
  /** `daybook import` as it answers people. */
  say(...args: string[]): Promise<Said>;
  /** The same, interrupted once so many records are written. */
  interruptedAt(records: number, ...args: string[]): Promise<Said>;
  log(): Promise<readonly RecordedEvent[]>;
  /** What the public gets at a path below the root of the API. */
  get(path: string): Promise<Json>;
  /** Writes a file of the desk's folder and answers its path. */
  file(name: string, content: unknown): string;
  close(): Promise<void>;
}

export async function openDesk(limits: Partial<ReadLimits> = {}): Promise<Desk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-import-'));
  const config = readConfig({ DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'silent' });
  const stores = await openStores(config);
  let service: Service | null = null;
  let runs = 0;

  async function carryOut(args: readonly string[], progress: Progress, signal: AbortSignal): Promise<Said> {
    const lines: string[] = [];
    const code = await perform(importCommand, args, {
      store: stores.store,
      commandsOn: (store) => commandDependencies({ ...stores, store }, config),
      project: stores.project,
      display: stores.rendering,
      now: () => NOW,
      elapsed: () => 0,
      newId: () => `run-${++runs}`,
      out: (line) => void lines.push(line),
      progress,
      signal,
      limits: { ...DEFAULT_LIMITS, ...limits },
    });
    return { code, lines };
  }

  const say = (...args: string[]): Promise<Said> => carryOut(args, SILENT, new AbortController().signal);

  return {
    folder,
    store: stores.store,
    commands: commandDependencies(stores, config),
    say,
    interruptedAt(records, ...args) {
      const stopping = new AbortController();
      let isWriting = false;
      const begin = (what: string): void => {
        isWriting = what === 'Writing';
      };
      const reach = (done: number): void => {
        if (isWriting && done >= records) stopping.abort();
      };
      return carryOut(args, { ...SILENT, begin, reach }, stopping.signal);
    },
    async run(...args) {
      const { code, lines } = await say(...args, '--json');
      if (lines.length !== 1) throw new Error(`not one line: ${lines.join('\n')}`);
      return { ...(JSON.parse(lines[0] ?? '') as Summary), code };
    },
    log: () => stores.store.readAll({ after: LOG_START, limit: 100_000 }),
    async get(where) {
      service ??= await startService(config, stores, openLog('silent'));
      const answer = await service.app.inject({ url: `/${DEFAULT_SETTINGS.prefix}${where}` });
      if (answer.statusCode !== 200) throw new Error(`${where} answers ${answer.statusCode}: ${answer.body}`);
      return answer.json() as Json;
    },
    file(name, content) {
      const where = path.join(folder, name);
      writeFileSync(where, typeof content === 'string' ? content : JSON.stringify(content));
      return where;
    },
    async close() {
      await (service ? service.close() : stores.close());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A fixture as JSON, to be changed. */
export const parsedFixture = (name: string): unknown => JSON.parse(readFileSync(fixture(name), 'utf8'));
