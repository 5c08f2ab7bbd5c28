// Commands that work on the log by the same commands as the API, whether a service runs or not.
import type { CommandResult } from '../commands/handle-command.ts';
import type { Config } from '../config.ts';
import type { RejectionCode } from '../domain/rejections.ts';
import type { Opening } from '../opening/log.ts';
import type { LogStores } from '../stores.ts';
import {
  type Arguments,
  type Command,
  command,
  type ExitCode,
  type Given,
  type Options,
  type Synopsis,
} from './command.ts';
import { UsageError } from './errors.ts';
import type { POSITIVE_INTEGER } from './values.ts';
import { withLog } from './with-log.ts';

/** A subcommand of a group; its work throws `UsageError`. */
export const commandsOn =
  <Dependencies>(dependenciesOf: (stores: LogStores, config: Config) => Dependencies) =>
  <A extends Arguments, O extends Options>(
    opening: Opening,
    spec: Synopsis<A, O>,
    work: (given: Given<A, O>, dependencies: Dependencies) => Promise<ExitCode | undefined> | Promise<void>,
  ): Command<Given<A, O>, Dependencies> => {
    const perform = async (given: Given<A, O>, dependencies: Dependencies): Promise<ExitCode> => {
      const code: unknown = await work(given, dependencies);
      return code === 1 || code === 130 ? code : 0;
    };
    const run = (given: Given<A, O>) =>
      withLog(opening, (stores, config) => perform(given, dependenciesOf(stores, config)));
    return command(spec, { perform, run });
  };

interface Step<Dependencies> {
  readonly summary: string;
  readonly description?: readonly string[];
  /** Of the example, which is about the first one. */
  readonly effect: string;
  readonly take: (dependencies: Dependencies, id: number, name: string) => Promise<string>;
}

/** Steps of one resource of a group, by its number; `take` says what was done. */
export const stepsOn =
  <Dependencies extends { readonly out: (line: string) => void }>(
    group: string,
    id: { readonly label: 'ID'; readonly description: string; readonly type: typeof POSITIVE_INTEGER },
    subcommand: ReturnType<typeof commandsOn<Dependencies>>,
  ) =>
  (word: string, { effect, take, ...texts }: Step<Dependencies>) => {
    const name = `${group} ${word}`;
    const spec = { name, ...texts, arguments: { id }, options: {}, examples: [[`daybook ${name} 1`, effect]] } as const;
    return subcommand('existing', spec, async (given, dependencies) =>
      dependencies.out(await take(dependencies, given.id, name)),
    );
  };

/** The state after a command; throws with its sentence for what was refused. */
export const carriedOutOr =
  (sentences: { readonly [Code in RejectionCode]?: string }) =>
  async <State>(name: string, doing: Promise<CommandResult<State>>): Promise<State> => {
    const result = await doing;
    if (result.kind === 'written') return result.written.state;
    throw new UsageError(`${name}: ${sentences[result.rejection.code] ?? BUSY}`, 1);
  };

const BUSY = 'other writers were faster each time. Try again.';
