// Kills and starts the nodes of a server by shell commands that the one who runs the test has given.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface NodeCommands {
  /** `{node}` stands for the number of the node, from 1. */
  readonly kill: string;
  readonly start: string;
}

/** Those of `DAYBOOK_TEST_ESDB_KILL` and `DAYBOOK_TEST_ESDB_START`; null without them. Throws if only one is there. */
export function nodeCommands(environment: NodeJS.ProcessEnv = process.env): NodeCommands | null {
  const { DAYBOOK_TEST_ESDB_KILL: kill = '', DAYBOOK_TEST_ESDB_START: start = '' } = environment;
  if (kill === '' && start === '') return null;
  if (kill === '' || start === '')
    throw new Error(
      'DAYBOOK_TEST_ESDB_KILL and DAYBOOK_TEST_ESDB_START must both be set: what is killed is started again',
    );
  return { kill, start };
}

/** Resolves when the command has ended; rejects with what it wrote if it failed. */
export async function runForNode(command: string, node: number): Promise<void> {
  await promisify(execFile)('sh', ['-c', command.replaceAll('{node}', String(node))]);
}
