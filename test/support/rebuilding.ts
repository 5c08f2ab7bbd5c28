// Starts rebuild-process.ts, or does the same within the process of a test, and tells what it said.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performRebuild, type RebuildOrder } from './rebuild-process.ts';

export interface Rebuilding {
  /** Waits until it has said something. */
  said(text: string): Promise<void>;
  /** What it said, all of it once it has ended. */
  output(): string;
  kill(signal: 'SIGINT' | 'SIGKILL'): void;
  /** Ends the wait of one that is held. */
  goOn(): void;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

export function rebuilding(order: RebuildOrder): Rebuilding {
  const script = path.join(import.meta.dirname, 'rebuild-process.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('said');
    });
  const ended = once(child, 'close').then(([code]): number | null => code);
  return {
    ended,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    goOn: () => void child.stdin.end(),
    async said(text) {
      const early = ended.then((code) => {
        if (!output.includes(text)) throw new Error(`ended with ${code}: ${output}`);
      });
      while (!output.includes(text)) await Promise.race([once(child, 'said'), early]);
    },
  };
}

/** The same within this process: one that is neither killed nor meant to work beside it. */
export function rebuildingHere(order: RebuildOrder): Pick<Rebuilding, 'ended' | 'output'> {
  let output = '';
  const say = (line: string): void => {
    output += `${line}\n`;
  };
  const ended = performRebuild(order, say, new AbortController().signal).catch((error: unknown) => {
    say(String(error));
    return 1;
  });
  return { ended, output: () => output };
}
