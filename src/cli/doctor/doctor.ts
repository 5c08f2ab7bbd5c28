// `daybook doctor`: looks at settings, stores, clock and views, and says what to do.
import { parseArgs } from 'node:util';
import type { Finding } from '../../observability/check-up.ts';
import { UsageError } from '../usage-error.ts';

/** One look; what it needs may be broken, so a rejection is a finding too. */
export interface Look {
  readonly about: string;
  readonly look: () => Promise<readonly Finding[]>;
  /** What to do when the look itself fails. */
  readonly advice: string;
}

export interface DoctorDependencies {
  /** In order; those after one that failed are still tried. */
  readonly looks: readonly Look[];
  /** The message of a failure that people can mend; null for others, which are faults of ours. */
  readonly explained: (error: unknown) => string | null;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const DOCTOR_USAGE = 'daybook doctor [--json]';

const MARKS = { well: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

/** Carries out `daybook doctor`. Changes nothing. Answers the exit code: 1 when there is a problem, else 0. */
export async function runDoctor(args: readonly string[], dependencies: DoctorDependencies): Promise<0 | 1> {
  const { json } = read(args);
  const { looks, out } = dependencies;
  const findings: Finding[] = [];
  for (const one of looks) findings.push(...(await findingsOf(one, dependencies)));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (json) out(JSON.stringify({ problems, warnings, findings }));
  else for (const line of report(findings, problems, warnings)) out(line);
  return problems === 0 ? 0 : 1;
}

async function findingsOf(
  { about, look, advice }: Look,
  { explained }: DoctorDependencies,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const said = explained(error);
    if (said === null) throw error;
    return [{ about, state: 'problem', said, advice }];
  }
}

const WIDTH = 10;

function report(findings: readonly Finding[], problems: number, warnings: number): string[] {
  const indent = ' '.repeat(MARKS.well.length + WIDTH);
  const lines = findings.flatMap(({ about, state, said, advice }) => [
    `${MARKS[state]}${about.padEnd(WIDTH)}${said}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
  ]);
  const sum = problems + warnings === 0 ? 'Everything is well.' : `${problems} problems, ${warnings} warnings.`;
  return [...lines, sum];
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`doctor: ${problem}; allowed: --json.`);
  }
}
