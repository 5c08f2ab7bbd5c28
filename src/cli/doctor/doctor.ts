// `daybook doctor`: checks settings, stores, clock and read model, and says what to do.

import { counted } from '../../kernel/text/counted.ts';
import { SYSTEM_ZONE_RULES, systemNow } from '../../kernel/time/system.ts';
import type { Finding } from '../../observability/check-up.ts';
import { command, type GivenTo, synopsis } from '../command.ts';
import { isExpected } from '../errors.ts';
import { say } from '../terminal.ts';
import { JSON_FLAG } from '../values.ts';
import { type Look, openExamination } from './checks.ts';

interface DoctorDependencies {
  /** In order; the checks after a failed one are still run. */
  readonly looks: readonly Look[];
  /** The message of a failure that users can fix; null for others, which are bugs. */
  readonly explained: (error: unknown) => string | null;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
}

const SPEC = synopsis({
  name: 'doctor',
  description: ['It changes nothing and creates no store. Exit code 1: there is a problem.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook doctor', 'checks the installation that the settings describe']],
});

export const doctorCommand = command(SPEC, {
  perform: runDoctor,
  async run(given) {
    const { looks, close } = openExamination({
      environment: process.env,
      node: process.versions.node,
      now: systemNow,
      zoneRules: SYSTEM_ZONE_RULES?.release ?? null,
    });
    try {
      return await runDoctor(given, {
        looks,
        explained: (error) => (isExpected(error) ? error.message : null),
        out: say,
      });
    } finally {
      await close();
    }
  },
});

const MARKS = { well: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

async function runDoctor({ json }: GivenTo<typeof SPEC>, dependencies: DoctorDependencies): Promise<0 | 1> {
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
  const sum =
    problems + warnings === 0
      ? 'No problems found.'
      : `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
  return [...lines, sum];
}
