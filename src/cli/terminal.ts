// Shared by commands at the terminal: lines and Ctrl-C.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { askedOnce } from '../kernel/event-loop/shared-work.ts';

/** Writes one line of output. */
export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Writes one line for people, not part of the output. */
export const warn = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Aborted when long commands are to end: one for all of a process, which does not listen again for each. */
export const interruption = askedOnce<void, AbortSignal>(() => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
});

/** Text from outside must not move the cursor of the terminal. */
export const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');

/** The first line of standard input. Typed at a terminal, it is asked for and not shown. */
export async function readSecret(): Promise<string> {
  const { stdin } = process;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (stdin.isTTY) process.stderr.write('New password: ');
  const lines = createInterface({ input: stdin, output: unseen, terminal: stdin.isTTY === true });
  for await (const line of lines) {
    if (stdin.isTTY) process.stderr.write('\n');
    return line;
  }
  return '';
}
