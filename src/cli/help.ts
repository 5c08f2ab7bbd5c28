// `daybook --help`: what there is to do, by what somebody wants to do.

/** What each command is for: one line without an end mark. What a new user does first stands first. */
export const GROUPS: readonly (readonly [title: string, about: { readonly [command: string]: string }])[] = [
  [
    'Run it',
    {
      serve: 'answers requests and keeps the views filled; with a role, one of the two',
      demo: 'fills an empty calendar with a sample that looks like a real one',
      doctor: 'looks at settings, stores, clock and views, and says what to do',
    },
  ],
  [
    'Bring in and take along',
    {
      import: 'takes in iCalendar files, answers of the events API and exports, from files and addresses',
      export: 'writes all resources, or the log itself, to a file',
      backup: 'copies log and keys into a folder while the service runs, and checks the copy',
      restore: 'brings a backup, an exported log or that of another store into an empty store',
    },
  ],
  [
    'See what happened',
    {
      history: 'tells what happened to one thing: who, when, what, why',
      tail: 'shows changes as they happen',
      revert: 'takes back what one request or import did',
    },
  ],
  [
    'People',
    {
      users: 'adds, shows and changes users and their tokens',
      erase: 'makes the personal data of an organizer or a user unreadable for good',
    },
  ],
  [
    'Look after log and views',
    {
      verify: 'checks the log by its hashes, and where the views stand',
      zones: 'shows what newer time zone rules would move, and moves it',
      rebuild: 'builds the views anew beside those in use, compares, and switches',
      projections: 'says where the views stand, and gets them past an event that they cannot fold',
    },
  ],
];

/** All that the configuration reads from the environment. */
export const SETTINGS: readonly string[] = [
  ...['PORT', 'HOST', 'DAYBOOK_DATA_DIR', 'DAYBOOK_EVENT_STORE', 'DAYBOOK_READ_MODEL', 'DAYBOOK_KEYS'],
  ...[
    'DAYBOOK_TIMEZONE',
    'DAYBOOK_PER_PAGE',
    'DAYBOOK_SITE_URL',
    'DAYBOOK_SITE_NAME',
    'DAYBOOK_LANGUAGE',
    'DAYBOOK_PREFIX_ALIASES',
  ],
  ...['DAYBOOK_TRUST_PROXY', 'DAYBOOK_RATE_LIMIT', 'DAYBOOK_JWT_ISSUER', 'DAYBOOK_JWT_AUDIENCE', 'DAYBOOK_JWKS_URL'],
  ...['DAYBOOK_JWT_ROLE_CLAIM', 'DAYBOOK_JWT_ROLES', 'DAYBOOK_LOG_LEVEL'],
];

const NAME_WIDTH = 14;

/** Those commands that there are, each with its line, then the names of the settings. */
export function helpText(commands: { readonly [name: string]: unknown }): string {
  const groups = GROUPS.flatMap(([title, about]) => [
    title,
    ...Object.entries(about)
      .filter(([name]) => Object.hasOwn(commands, name))
      .map(([name, line]) => `  ${name.padEnd(NAME_WIDTH)}${line}`),
    '',
  ]);
  return [
    'Daybook: a calendar service that keeps all of its history.',
    '',
    'daybook COMMAND …         `daybook COMMAND --help` says what a command takes',
    '',
    ...groups,
    'Settings come from the environment; docs/operations/configure.md says what each is for:',
    ...wrapped(SETTINGS),
  ].join('\n');
}

const LINE_WIDTH = 110;

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines;
}
