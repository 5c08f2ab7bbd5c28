// A script of the tests in a process of its own, until it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as assert from 'uvu/assert';

export interface Working {
  /** Waits until it has said so many lines. */
  said(lines: number): Promise<void>;
  /** Kills it, and throws what it complained about. */
  kill(): Promise<void>;
}

/** `script`: its name in this folder. `order`: what it gets, as JSON. */
export function working(script: string, order: object): Working {
  const words = [path.join(import.meta.dirname, script), JSON.stringify(order)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let [lines, errors] = [0, ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    child.emit('said');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    async said(wanted) {
      const early = ended.then(() => {
        throw new Error(`${words[1]} ended: ${errors}`);
      });
      while (lines < wanted) await Promise.race([once(child, 'said'), early]);
      early.catch(() => {});
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      assert.is(errors, '', words[1]);
    },
  };
}
