// The texts of `daybook --help` and `daybook COMMAND --help`, built from the records of the commands.
import type { Argument, Command, Group, Manual, Option } from './command.ts';

/** All settings. */
export const SETTINGS: readonly string[] = [
  ...['PORT', 'HOST', 'DAYBOOK_DATA_DIR', 'DAYBOOK_EVENT_STORE', 'DAYBOOK_READ_MODEL', 'DAYBOOK_KEYS'],
  ...['DAYBOOK_TIMEZONE', 'DAYBOOK_PER_PAGE', 'DAYBOOK_SITE_URL', 'DAYBOOK_SITE_NAME', 'DAYBOOK_THEME'],
  ...['DAYBOOK_MEDIA', 'DAYBOOK_MAX_UPLOAD', 'DAYBOOK_IMPORTERS', 'DAYBOOK_IMPORT_NETWORK', 'DAYBOOK_LANGUAGE'],
  ...['DAYBOOK_PREFIX_ALIASES', 'DAYBOOK_TRUST_PROXY', 'DAYBOOK_RATE_LIMIT', 'DAYBOOK_JWT_ISSUER'],
  ...['DAYBOOK_JWT_AUDIENCE', 'DAYBOOK_JWKS_URL', 'DAYBOOK_JWT_ROLE_CLAIM', 'DAYBOOK_JWT_ROLES', 'DAYBOOK_SIGN_ON_URL'],
  ...['DAYBOOK_PRIVATE_HOSTS', 'DAYBOOK_URL', 'DAYBOOK_TOKEN', 'DAYBOOK_LOG_LEVEL', 'DAYBOOK_ACCESS_LOG'],
  ...['DAYBOOK_SUBMISSIONS', 'DAYBOOK_MAIL', 'DAYBOOK_MAIL_FROM', 'DAYBOOK_CACHE_SECONDS'],
  ...['DAYBOOK_RAW_HTML', 'DAYBOOK_FRAME_HOSTS', 'DAYBOOK_SIGN_ON_CLIENT', 'DAYBOOK_SIGN_ON_SECRET'],
  ...['DAYBOOK_SIGN_ON_SECRET_FILE', 'DAYBOOK_SIGN_ON_NAME'],
];

const LINE_WIDTH = 100;

/** Commands by task, those that new users need first. */
export type Sections = { readonly [title: string]: readonly (Command | Group)[] };

export const overview = (sections: Sections): string =>
  [
    'Daybook: an event calendar service that keeps its whole history.',
    '',
    'Usage: daybook COMMAND [ARGUMENTS] [OPTIONS]',
    ...Object.entries(sections).flatMap(([title, commands]) => [
      '',
      `${title}:`,
      ...table(commands.map(({ name, summary }) => [name, summary])),
    ]),
    '',
    'Options:',
    ...table([
      ['--help', 'show this help; after a command, the help of that command'],
      ['--version', 'show the version'],
    ]),
    '',
    'Settings are environment variables; docs/operations/configure.md explains each of them:',
    ...wrapped(SETTINGS.join(' '), '  '),
  ].join('\n');

export const helpOf = (target: Command | Group): string =>
  'subcommands' in target ? helpOfGroup(target) : helpOfCommand(target);

const helpOfGroup = ({ name, summary, subcommands }: Group): string =>
  [
    `Usage: daybook ${name} SUBCOMMAND [ARGUMENTS] [OPTIONS]`,
    '',
    sentence(summary),
    '',
    'Subcommands:',
    ...table(Object.entries(subcommands).map(([word, { summary: effect }]) => [word, effect])),
    '',
    `\`daybook ${name} SUBCOMMAND --help\` explains a subcommand.`,
  ].join('\n');

function helpOfCommand(spec: Manual): string {
  const { summary, description = [], examples } = spec;
  const given = Object.values(spec.arguments);
  const options = Object.entries(spec.options).map(([name, option]) => [optionForm(name, option), meaning(option)]);
  return [
    ...wrapped(`Usage: ${usageOf(spec)}`, '', '         '),
    '',
    sentence(summary),
    ...description.flatMap((paragraph) => ['', ...wrapped(paragraph, '')]),
    ...section(
      'Arguments',
      given.map((argument) => [argument.label, meaning(argument)]),
    ),
    ...section('Options', [...options, ['--help', 'show this help']]),
    ...(examples.length === 0 ? [] : ['', 'Examples:']),
    ...examples.flatMap(([line, effect]) => [`  ${line}`, ...wrapped(effect, '      ')]),
  ].join('\n');
}

/** Non-breaking blanks within a part; replaced when lines are wrapped. */
const UNBROKEN = '\u00a0';

function usageOf({ name, arguments: given, options }: Manual): string {
  const words = [
    ...Object.values(given).map(({ label, count }) => {
      if (count === 'optional') return `[${label}]`;
      return count === 'many' ? `${label}…` : label;
    }),
    ...Object.entries(options).map(([option, shape]) => {
      const form = optionForm(option, shape);
      return shape.required ? form : `[${form}]`;
    }),
  ];
  return ['daybook', name, ...words.map((word) => word.replaceAll(' ', UNBROKEN))].join(' ');
}

const optionForm = (name: string, { value }: Option): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

function meaning({ description, type, ...rest }: Argument | Option): string {
  const preset = 'default' in rest ? rest.default : undefined;
  const otherwise = 'otherwise' in rest ? rest.otherwise : undefined;
  const shown = otherwise ?? (preset === '' ? undefined : preset);
  const allowed = type?.must.startsWith('one of ') ? `; ${type.must}` : '';
  return `${description}${allowed}${shown === undefined ? '' : ` (default: ${shown})`}`;
}

const section = (title: string, rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : ['', `${title}:`, ...table(rows)];

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

const MAX_TERM = 26;

/** Two columns; a term that is too wide has a line of its own. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = Math.min(MAX_TERM, Math.max(...rows.map(([term = '']) => term.length))) + 3;
  return rows.flatMap(([term = '', text = '']) => {
    const indent = ' '.repeat(width + 2);
    const lines = wrapped(text, indent);
    if (term.length + 3 > width) return [`  ${term}`, ...lines];
    const [first = '', ...more] = lines;
    return [`  ${term.padEnd(width)}${first.trimStart()}`, ...more];
  });
}

function wrapped(text: string, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`${lines.length === 0 ? indent : hanging}${word}`);
  }
  return lines.map((line) => line.replaceAll(UNBROKEN, ' '));
}
