// `daybook` within the process of a test, for what does not depend on its being another one: a process costs a second.
import { chosenBy } from '../../src/cli/commands.ts';
import { isExpected, UsageError } from '../../src/cli/errors.ts';
import { environmentWith } from '../../src/cli/settings.ts';
import { openStores } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';

type Settings = { readonly [name: string]: string };

export interface Ended {
  /** With which the process would have ended. */
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** A command with only these settings, once it has ended. Those of one file run one by one. */
export async function runHere(words: readonly string[], settings: Settings): Promise<Ended> {
  const { env, stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  const written = { out: '', errors: '' };
  const writing = (stream: keyof typeof written) => (text: string | Uint8Array) => {
    written[stream] += text;
    return true;
  };
  process.env = { PATH: env.PATH, ...settings };
  stdout.write = writing('out');
  stderr.write = writing('errors');
  try {
    const code = await start(words);
    return { code, ...written };
  } catch (error) {
    if (!isExpected(error)) throw error;
    written.errors += `daybook: ${error.message}\n`;
    return { code: error instanceof UsageError ? error.exitCode : 1, ...written };
  } finally {
    [stdout.write, stderr.write] = writes;
    process.env = env;
  }
}

/** As `main.ts` does; of `serve` what it opens before it listens, because it takes the signals of its process. */
async function start(words: readonly string[]): Promise<number> {
  const chosen = await chosenBy(words);
  if (chosen === null) return 0;
  const { command, input } = chosen;
  if (command.name !== 'serve') return command.run(input);
  const stores = await openStores(readConfig(environmentWith(input as Settings, process.env)));
  await stores.close();
  return 0;
}
