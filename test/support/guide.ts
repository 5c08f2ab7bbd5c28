// Guides whose examples are run: blocks of `console` in a page, as commands and what they are said to answer.
import { spawn } from 'node:child_process';
import { provideProgram } from './program.ts';

export interface Example {
  /** Line of the page on which it begins, from 1. */
  readonly line: number;
  readonly command: string;
  /** `…` stands for anything. */
  readonly expected: string;
}

/** The examples of a page. A command begins with `$ ` and goes on while lines end in a backslash or a quote is open. */
export function examplesIn(markdown: string): Example[] {
  const lines = markdown.split('\n');
  const found: { line: number; command: string[]; expected: string[] }[] = [];
  let isInside = false;
  for (const [index, text] of lines.entries()) {
    if (text.startsWith('```')) {
      isInside = text === '```console';
      continue;
    }
    if (!isInside) continue;
    const last = found.at(-1);
    if (text.startsWith('$ ')) found.push({ line: index + 1, command: [text.slice(2)], expected: [] });
    else if (last && last.expected.length === 0 && isUnfinished(last.command)) last.command.push(text);
    else last?.expected.push(text);
  }
  return found.map(({ line, command, expected }) => ({
    line,
    command: command.join('\n'),
    expected: expected.join('\n').trim(),
  }));
}

function isUnfinished(command: readonly string[]): boolean {
  const text = command.join('\n');
  return text.endsWith('\\') || (text.match(/'/g)?.length ?? 0) % 2 === 1;
}

export interface PageFile {
  /** Path from the root of a clone. */
  readonly file: string;
  readonly text: string;
}

/** The files of a page: blocks of `ts` that begin with their path as a comment. */
export const filesIn = (markdown: string): PageFile[] =>
  [...markdown.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', text = '']) => ({ file, text }));

/** Whether an answer is what a page says, where `…` stands for anything. */
export function isAsSaid(answer: string, expected: string): boolean {
  const pattern = expected
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(answer);
}

const MARK = '--8<-- end of the example';

/** Under a moved clock (see moved-clock.mjs) the shell lives on the same day as the processes that it starts. */
const AHEAD_SECONDS = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0) / 1000;
const MOVED_DATE = AHEAD_SECONDS === 0 ? '' : `date() { command date -d "now + ${AHEAD_SECONDS} seconds" "$@"; }`;

/** What readers of a page have: none of the settings of who runs its examples. */
const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(DAYBOOK_.*|HOST|PORT)$/.test(name)));

/** Runs all commands in one shell, one after another, and gives what each of them wrote. */
export async function runInShell(
  commands: readonly string[],
  environment: { readonly [name: string]: string },
): Promise<string[]> {
  provideProgram('curl', 'curl');
  const examples = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${MARK}'`).join('\n');
  const script = `${MOVED_DATE}\n${examples}`;
  const env = { ...withoutSettings(process.env), ...environment };
  const shell = spawn('bash', ['-s'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  shell.stdin.end(script);
  await new Promise((resolve) => shell.once('close', resolve));
  return said
    .replaceAll('\r', '')
    .split(`\n${MARK}\n`)
    .map((part) => part.trim());
}
