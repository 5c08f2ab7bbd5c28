// What the command line answers when it cannot do what it was told, in words for whoever typed it.

/** 2: the arguments make no sense. 1: they do, but what they ask for is not possible. */
export type ExitCode = 1 | 2;

/** Its message is printed as it is, without a stack; the process then ends with `exitCode`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
