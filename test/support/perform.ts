// Runs a command within the process of a test, on what the test hands in.
import { type Command, type ExitCode, type Group, parsed } from '../../src/cli/command.ts';

export async function perform<Dependencies>(
  target: Command<unknown, Dependencies> | Group<Dependencies>,
  args: readonly string[],
  dependencies: Dependencies,
): Promise<ExitCode> {
  const { command, input } = parsed(target, args);
  return command.perform(input, dependencies);
}
