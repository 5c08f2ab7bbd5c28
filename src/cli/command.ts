// What a command of `daybook` is: one record has its words, their meaning, and its work. commander parses the words and writes
// the help, before anything is opened.
import {
  type CommanderError,
  InvalidArgumentError,
  Command as Program,
  Argument as ProgramArgument,
  Option as ProgramOption,
} from 'commander';
import { asUsageError, UsageError } from './errors.ts';

/** How the text of an argument or option is parsed; `must` completes the sentence "It must be …". */
export interface ValueType<T> {
  readonly must: string;
  /** Undefined for an invalid text. */
  read(text: string): T | undefined;
}

interface Worded {
  readonly description: string;
  readonly type?: ValueType<unknown>;
}

/** A positional argument, in the order in which they are listed. */
interface Argument extends Worded {
  /** As shown in the help: `FILE`. */
  readonly label: string;
  /** `many`: one or more. Required if absent. */
  readonly count?: 'optional' | 'many';
}

/** Its name is typed with hyphens: `dryRun` as `--dry-run`. */
interface Option extends Worded {
  /** As shown in the help: `FILE`. Without it the option is a flag. */
  readonly value?: string;
  /** Parsed as if it had been typed. */
  readonly default?: string;
  /** The default in words, if it is not a text that could be typed. */
  readonly otherwise?: string;
  readonly required?: true;
}

type Arguments = { readonly [name: string]: Argument };
type Options = { readonly [name: string]: Option };

interface Synopsis<A extends Arguments, O extends Options> {
  /** The words after `daybook`. */
  readonly name: string;
  /** One line without an end mark, in the imperative. That of a command which is loaded when it is called stands in commands.ts. */
  readonly summary?: string;
  /** Paragraphs for `--help`. */
  readonly description?: readonly string[];
  readonly arguments?: A;
  readonly options?: O;
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** Constraints between options: a sentence if they are violated. */
  check?(values: Values<A, O>): string | null;
}

type ReadBy<D> = D extends { readonly type: ValueType<infer T> } ? T : string;
type ArgumentValue<A> = A extends { readonly count: 'many' }
  ? readonly ReadBy<A>[]
  : ReadBy<A> | (A extends { readonly count: 'optional' } ? undefined : never);
type OptionValue<O> = O extends { readonly value: string }
  ? ReadBy<O> | (O extends { readonly default: string } | { readonly required: true } ? never : undefined)
  : boolean;

type Values<A extends Arguments, O extends Options> = {
  readonly [Name in keyof A]: ArgumentValue<A[Name]>;
} & { readonly [Name in keyof O]: OptionValue<O[Name]> };

/** 0: done. 1: done, and something is wrong. 130: interrupted. */
export type ExitCode = 0 | 1 | 130;

/** An answer in lines, and as the one line of JSON that `--json` asks for. */
interface Reply {
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly code?: ExitCode;
}

/** What is left to be said when the work is done, and its exit code. */
type Outcome = ExitCode | string | Reply;

export interface Output {
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
}

/** Opens what work needs, for its duration. */
type Open<Dependencies, Input = unknown> = (
  work: (dependencies: Dependencies) => Promise<ExitCode>,
  input: Input,
) => Promise<ExitCode>;

export interface Command<Input = unknown, Dependencies = unknown> extends Omit<Synopsis<Arguments, Options>, 'check'> {
  check?(input: Input): string | null;
  /** The work itself; throws `UsageError` if it is not possible. */
  perform(input: Input, dependencies: Dependencies): Promise<ExitCode>;
  /** Runs the command on what is opened for it. */
  run(input: Input): Promise<ExitCode>;
}

export interface Group<Dependencies = unknown> {
  readonly name: string;
  readonly subcommands: readonly Command<unknown, Dependencies>[];
}

/** `work` says by `UsageError`, without the name of the command, why it is not possible. */
export function command<
  Dependencies extends Output,
  const A extends Arguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>(
  synopsis: Synopsis<A, O>,
  work: (values: Values<A, O>, dependencies: Dependencies) => Promise<Outcome>,
  open: Open<Dependencies, Values<A, O>>,
): Command<Values<A, O>, Dependencies> {
  const answered = async (values: Values<A, O>, dependencies: Dependencies): Promise<ExitCode> => {
    const outcome = await work(values, dependencies);
    if (typeof outcome === 'number') return outcome;
    const { json, lines, code = 0 } = typeof outcome === 'string' ? { json: outcome, lines: [outcome] } : outcome;
    const isJson = 'json' in values && values.json === true;
    for (const line of isJson ? [JSON.stringify(json)] : lines) dependencies.out(line);
    return code;
  };
  const named = async (doing: () => Promise<ExitCode>): Promise<ExitCode> => {
    try {
      return await doing();
    } catch (error) {
      throw asUsageError(error)?.of(synopsis.name) ?? error;
    }
  };
  return {
    ...synopsis,
    perform: (values, dependencies) => named(() => answered(values, dependencies)),
    run: (values) => named(() => open((dependencies) => answered(values, dependencies), values)),
  };
}

/** A command, with what the words say for it. */
export interface Chosen<Dependencies = unknown> {
  readonly command: Command<unknown, Dependencies>;
  readonly input: unknown;
}

type Choose<Dependencies> = (chosen: Chosen<Dependencies>) => void;

/** What these words choose; opens and creates nothing. Throws `UsageError`. */
export function parsed<Dependencies>(
  target: Command<unknown, Dependencies> | Group<Dependencies>,
  words: readonly string[],
): Chosen<Dependencies> {
  const chosen: Chosen<Dependencies>[] = [];
  programOf(target, (one) => void chosen.push(one)).parse(words, { from: 'user' });
  const [one] = chosen;
  if (!one) throw new Error(`${target.name} has chosen no command`);
  return one;
}

const HELP_WIDTH = 100;

/** A program whose mistakes are told by `UsageError`: `mistake` says where they were made, and what would have been allowed. */
export function openProgram(name: string, mistake: (error: CommanderError) => string): Program {
  return new Program(name)
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: HELP_WIDTH, subcommandTerm: (one) => one.name() })
    .configureOutput({ writeErr: () => {} })
    .exitOverride((error) => {
      // Help or version has been shown.
      throw error.exitCode === 0 ? error : new UsageError(mistake(error));
    });
}

/** In the list of commands, and at the beginning of its own help. */
export const summarized = (program: Program, summary: string): Program =>
  program
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n\n${program.description()}`.trim());

/** The mistake in one sentence. */
export const sentenceOf = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'the command is missing.'
    : message
        .replace(/^error: /, '')
        .replaceAll('\n', ' ')
        .replace(/\.? *$/, '.');

export const programOf = <Dependencies>(
  target: Command<unknown, Dependencies> | Group<Dependencies>,
  choose: Choose<Dependencies>,
): Program => ('subcommands' in target ? programOfGroup(target, choose) : programOfCommand(target, choose));

const lastWordOf = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);

function programOfGroup<Dependencies>({ name, subcommands }: Group<Dependencies>, choose: Choose<Dependencies>) {
  const words = subcommands.map((one) => lastWordOf(one.name)).join(', ');
  const program = openProgram(
    name,
    (error) => `${name}: ${sentenceOf(error)} Try one of ${words}, or \`daybook ${name} --help\`.`,
  );
  for (const one of subcommands) program.addCommand(programOfCommand(one, choose));
  return program;
}

function programOfCommand<Dependencies>(target: Command<unknown, Dependencies>, choose: Choose<Dependencies>): Program {
  const { name, summary, description = [], examples } = target;
  const options = Object.entries(target.options ?? {}).map(([key, option]) => ({
    ...option,
    key,
    form: formOf(key, option),
  }));
  const places = Object.entries(target.arguments ?? {}).map(([key, one]) => ({ ...one, key, form: one.label }));
  const program = openProgram(lastWordOf(name), (error) => {
    const place = [...places, ...options].find(({ form }) => error.message.includes(`'${form}'`));
    const allowed = place?.type ? ` It must be ${place.type.must}.` : '';
    return `${name}: ${sentenceOf(error)}${allowed} Try \`daybook ${name} --help\`.`;
  });
  const flags = new Set(options.map(({ form }) => form.split(' ')[0]));
  for (const one of places) {
    const form = one.count === 'optional' ? `[${one.label}]` : `<${one.label}${one.count === 'many' ? '...' : ''}>`;
    program.addArgument(new ProgramArgument(form, meaning(one)).argParser(readerOf(one)));
  }
  for (const one of options)
    program.addOption(
      new ProgramOption(one.form, meaning(one)).makeOptionMandatory(one.required === true).argParser((text) => {
        if (flags.has(text)) throw new InvalidArgumentError('Its value is missing.');
        return readBy(one, text);
      }),
    );
  program.action(() => {
    const values = places.map(({ key }, index) => [key, program.processedArgs[index]]);
    const chosen = options.map((one) => [one.key, program.getOptionValue(one.key) ?? absent(one)]);
    const input: unknown = Object.fromEntries([...values, ...chosen]);
    const conflict = target.check?.(input) ?? null;
    if (conflict !== null) program.error(conflict);
    choose({ command: target, input });
  });
  program.description(description.join('\n\n'));
  const lines = examples.flatMap(([line, effect]) => [`  ${line}`, `      ${effect}`]);
  program.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  return summary === undefined ? program : summarized(program, summary);
}

const formOf = (key: string, { value }: Option): string => {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag} <${value}>`;
};

/** Several values are read one after the other, each with what was read before. */
const readerOf =
  ({ count, ...worded }: Argument) =>
  (text: string, before: unknown): unknown => {
    const value = readBy(worded, text);
    if (count !== 'many') return value;
    return Array.isArray(before) ? [...before, value] : [value];
  };

function readBy({ type }: Worded, text: string): unknown {
  if (!type) return text;
  const value = type.read(text);
  if (value === undefined) throw new InvalidArgumentError('');
  return value;
}

function absent(option: Option): unknown {
  if (option.value === undefined) return false;
  return option.default === undefined ? undefined : readBy(option, option.default);
}

/** With what it may be, and what holds without it. */
function meaning({ description, type, ...rest }: Argument | Option): string {
  const preset = 'default' in rest ? rest.default : undefined;
  const usual = ('otherwise' in rest ? rest.otherwise : undefined) ?? (preset === '' ? undefined : preset);
  const allowed = type?.must.startsWith('one of ') ? `; ${type.must}` : '';
  const required = 'required' in rest ? ' (required)' : '';
  return `${description}${allowed}${usual === undefined ? required : ` (default: ${usual})`}`;
}
