// The table that the benchmarks print.

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

export function printTable(title: string, rows: readonly Row[]): void {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
      .join(' ')
      .trimEnd();
  const said = (met: boolean | null): string => (met === null ? '' : met ? 'met' : 'MISSED');
  const lines = rows.map(({ what, measured, aim, met }) => line([what, measured, aim, said(met)]));
  process.stdout.write(`\n${title}\n${[line(['what', 'measured', 'aim', '']), ...lines].join('\n')}\n`);
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
