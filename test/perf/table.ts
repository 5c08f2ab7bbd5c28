// What the benchmarks print, and keep as raw results: scripts/figures.mjs makes docs/figures.md from those.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What it should be; `''` where there is no aim. */
  readonly aim: string;
  readonly met: boolean | null;
}

export const row = (what: string, measured: string, aim = '', met: boolean | null = null): Row => ({
  what,
  measured,
  aim,
  met,
});

const WIDTHS = [70, 34, 22];
const RESULTS = path.join(import.meta.dirname, 'results');

/** Of the sources that were measured; null outside of a clone. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** Prints the table, and replaces the results of that name. */
export function printTable(name: string, title: string, rows: readonly Row[]): void {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
      .join(' ')
      .trimEnd();
  const said = (met: boolean | null): string => (met === null ? '' : met ? 'met' : 'MISSED');
  const lines = rows.map(({ what, measured, aim, met }) => line([what, measured, aim, said(met)]));
  process.stdout.write(`\n${title}\n${[line(['what', 'measured', 'aim', '']), ...lines].join('\n')}\n`);
  const machine = { node: process.versions.node, cores: os.cpus().length, load: `load ${os.loadavg()[0]?.toFixed(1)}` };
  const measured = new Date().toISOString().slice(0, 10);
  const results = { title, measured, commit: commit(), before: null, machine, rows, notes: [] };
  writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
