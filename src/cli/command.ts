// What a command of `daybook` is: one record has its usage, the meaning of each word, and its implementation. Arguments
// of all commands are parsed here, before anything is opened.
import { parseArgs } from 'node:util';
import { closestWord } from '../text/closest-word.ts';
import { UsageError } from './errors.ts';
import { helpOf } from './help.ts';

/** How the text of an argument or option is parsed; `must` completes the sentence "--limit must be …". */
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
export interface Argument extends Worded {
  /** As shown in the help: `FILE`. */
  readonly label: string;
  /** `many`: one or more. Required if absent. */
  readonly count?: 'optional' | 'many';
}

export interface Option extends Worded {
  /** As shown in the help: `FILE`. Without it the option is a flag. */
  readonly value?: string;
  /** Parsed as if it had been typed. */
  readonly default?: string;
  /** The default in words, if it is not a text that could be typed. */
  readonly otherwise?: string;
  readonly required?: true;
}

export type Arguments = { readonly [name: string]: Argument };
export type Options = { readonly [name: string]: Option };

/** The help of a command or a group of commands. */
interface Titled {
  /** The words after `daybook`. */
  readonly name: string;
  /** One line without an end mark, in the imperative. */
  readonly summary: string;
}

export interface Manual<A extends Arguments = Arguments, O extends Options = Options> extends Titled {
  /** Paragraphs for `--help`. */
  readonly description?: readonly string[];
  readonly arguments: A;
  readonly options: O;
  readonly examples: readonly (readonly [command: string, effect: string])[];
}

export interface Synopsis<A extends Arguments, O extends Options> extends Manual<A, O> {
  /** Constraints between options: a sentence if they are violated. */
  check?(given: Given<A, O>): string | null;
}

type ReadBy<D> = D extends { readonly type: ValueType<infer T> } ? T : string;
type ArgumentValue<A> = A extends { readonly count: 'many' }
  ? readonly ReadBy<A>[]
  : ReadBy<A> | (A extends { readonly count: 'optional' } ? undefined : never);
type OptionValue<O> = O extends { readonly value: string }
  ? ReadBy<O> | (O extends { readonly default: string } | { readonly required: true } ? never : undefined)
  : boolean;

export type Given<A extends Arguments, O extends Options> = {
  readonly [Name in keyof A]: ArgumentValue<A[Name]>;
} & { readonly [Name in keyof O]: OptionValue<O[Name]> };

export type GivenTo<S> = S extends Synopsis<infer A, infer O> ? Given<A, O> : never;

/** 0: done. 1: done, and something is wrong. 130: interrupted. */
export type ExitCode = 0 | 1 | 130;

export interface Command<Input = unknown, Dependencies = unknown> extends Manual {
  /** Throws `UsageError`; opens and creates nothing. */
  parse(args: readonly string[]): Input;
  /** The work itself; throws `UsageError` if it is not possible. */
  perform(input: Input, dependencies: Dependencies): Promise<ExitCode>;
  /** Opens what the work needs, for its duration. */
  run(input: Input): Promise<ExitCode>;
}

export interface Group<Dependencies = unknown> extends Titled {
  readonly subcommands: { readonly [word: string]: Command<unknown, Dependencies> };
}

export const synopsis = <const A extends Arguments, const O extends Options>(
  description: Synopsis<A, O>,
): Synopsis<A, O> => description;

interface Work<Input, Dependencies> {
  perform(input: Input, dependencies: Dependencies): Promise<ExitCode>;
  run(input: Input): Promise<ExitCode>;
}

export const command = <A extends Arguments, O extends Options, Dependencies>(
  spec: Synopsis<A, O>,
  work: Work<Given<A, O>, Dependencies>,
): Command<Given<A, O>, Dependencies> => ({
  ...spec,
  ...work,
  parse: (args) => given(spec, args),
});

/** The subcommand named by the first word, with the remaining words; any other command itself. */
export function selected<Dependencies>(
  target: Command<unknown, Dependencies> | Group<Dependencies>,
  args: readonly string[],
): { readonly command: Command<unknown, Dependencies>; readonly args: readonly string[] } {
  if (!('subcommands' in target)) return { command: target, args };
  const [word, ...rest] = args;
  const { name, subcommands } = target;
  const found = word !== undefined && Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (found) return { command: found, args: rest };
  const names = Object.keys(subcommands);
  const problem =
    word === undefined ? 'the subcommand is missing' : `unknown subcommand "${word}"${meant(word, names)}`;
  throw new UsageError(`${name}: ${problem}. Try one of ${names.join(', ')}, or \`daybook ${name} --help\`.`);
}

/** ` (did you mean …?)`, or nothing. */
export function meant(word: string, names: readonly string[]): string {
  const match = closestWord(word, names);
  return match === undefined ? '' : ` (did you mean ${match}?)`;
}

function given<A extends Arguments, O extends Options>(spec: Synopsis<A, O>, args: readonly string[]): Given<A, O> {
  const { name, options } = spec;
  const wrong = (sentence: string): UsageError =>
    new UsageError(`${name}: ${sentence} Try \`daybook ${name} --help\`.`);
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([word, { value }]) => [word, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const problem = option ? valueProblem(token, option) : unknownOption(token, Object.keys(options));
    if (problem !== null) throw wrong(problem);
  }
  const read = (label: string, { type }: Worded, text: string): unknown => {
    const value = type ? type.read(text) : text;
    if (value === undefined) throw wrong(`${label} must be ${type?.must}, not ${JSON.stringify(text)}.`);
    return value;
  };
  const input: { [name: string]: unknown } = {};
  let left: readonly string[] = positionals;
  for (const [key, argument] of Object.entries(spec.arguments)) {
    const { label, count, type } = argument;
    const taken = count === 'many' ? left : left.slice(0, 1);
    if (taken.length === 0 && count !== 'optional')
      throw wrong(`${label} is missing${type ? `; it must be ${type.must}` : ''}.`);
    const texts = taken.map((text) => read(label, argument, text));
    input[key] = count === 'many' ? texts : texts[0];
    left = left.slice(taken.length);
  }
  if (left.length > 0) throw wrong(`unexpected argument ${left.map((one) => JSON.stringify(one)).join(', ')}.`);
  for (const [key, option] of Object.entries(options)) {
    const text = values[key] ?? option.default;
    if (text === undefined && option.required)
      throw wrong(`--${key} is missing${option.type ? `; it must be ${option.type.must}` : ''}.`);
    if (option.value === undefined) input[key] = text === true;
    else input[key] = text === undefined ? undefined : read(`--${key}`, option, String(text));
  }
  // Built by the very types that `Given` is derived from.
  const result = input as Given<A, O>;
  const conflict = spec.check?.(result) ?? null;
  if (conflict !== null) throw wrong(conflict);
  return result;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

const unknownOption = ({ rawName }: OptionToken, names: readonly string[]): string => {
  const known = [...names, 'help'].map((name) => `--${name}`);
  return `unknown option ${rawName}${rawName.startsWith('--') ? meant(rawName, known) : ''}.`;
};

function valueProblem({ rawName, value, inlineValue }: OptionToken, option: Option): string | null {
  if (option.value === undefined) return value === undefined ? null : `${rawName} takes no value.`;
  if (value === undefined) return `${rawName} needs a value: ${option.value}.`;
  // `--reason --json` has a missing value; `--reason=--json` means it.
  const isOption = !inlineValue && value.length > 1 && value.startsWith('-');
  return isOption ? `${rawName} needs a value before ${value}; write ${rawName}=${value} if that is it.` : null;
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** The help text if a command's words contain `--help`; null otherwise. */
export function requestedHelp(target: Command | Group, args: readonly string[]): string | null {
  if (!args.some((word) => HELP.has(word))) return null;
  const [word = ''] = args;
  if ('subcommands' in target)
    return helpOf(Object.hasOwn(target.subcommands, word) ? (target.subcommands[word] ?? target) : target);
  return helpOf(target);
}
