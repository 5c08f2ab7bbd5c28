// `daybook rehearse`: what would look different if this code served the calendar instead of what is running.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildApi, type Clock } from '../../app.ts';
import { openStores } from '../../composition.ts';
import { assertLogIsThere, type Config, readConfig } from '../../config.ts';
import { POST_STATUSES } from '../../domain/post.ts';
import { makePrivateFolder } from '../../files/private-files.ts';
import { DEFAULT_SETTINGS } from '../../http/settings.ts';
import type { Progress } from '../../import/progress.ts';
import { openLog } from '../../observability/log.ts';
import type { Stores } from '../../service.ts';
import { counted } from '../../text/counted.ts';
import { systemNow } from '../../time/system.ts';
import { command, type GivenTo, synopsis, type ValueType } from '../command.ts';
import { INTERRUPTED, UsageError } from '../errors.ts';
import { openProgress } from '../rate-progress.ts';
import { interruption, printable, say } from '../terminal.ts';
import { JSON_FLAG } from '../values.ts';
import { codeAtHand, serviceAt } from './calendars.ts';
import type { Found, Json } from './differences.ts';
import { type Rehearsed, rehearse } from './rehearsal.ts';

interface RehearseDependencies {
  /** The log of the running service, and an empty read model. */
  readonly stores: Stores;
  readonly config: Config;
  readonly clock: Clock;
  /** Text of a file. */
  readonly read: (file: string) => Promise<string>;
  /** Writes one line of output, given without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

const SITE: ValueType<string> = {
  must: 'an address such as https://calendar.example.org',
  read: (text) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text.replace(/\/+$/, '') : undefined,
};

const SPEC = synopsis({
  name: 'rehearse',
  description: [
    'Builds a read model of its own from the log that the settings name, asks the running service and this release for every list and every document, and reports where the answers differ. Nothing is written to the log or to the read model in use; the own one is removed afterwards. Exit code 1: something would look different; 130: interrupted.',
  ],
  arguments: {
    site: { label: 'SITE', description: 'the running service', type: SITE },
  },
  options: {
    tokenFile: {
      value: 'FILE',
      description: 'application token of the user who looks; without it, what the public sees is compared',
    },
    json: JSON_FLAG,
  },
  examples: [
    ['daybook rehearse http://127.0.0.1:8080', 'compares what the public sees'],
    ['daybook rehearse https://calendar.example.org --token-file token', 'compares what the user of the token sees'],
  ],
});

export const rehearseCommand = command(SPEC, {
  perform: runRehearse,
  async run(given) {
    const configured = readConfig(process.env);
    assertLogIsThere(configured);
    makePrivateFolder(configured.dataDir);
    const folder = await mkdtemp(path.join(configured.dataDir, 'rehearsal-'));
    const config: Config = { ...configured, readModel: { engine: 'sqlite', file: path.join(folder, 'views.db') } };
    const stores = await openStores(config);
    try {
      const read = (name: string) => readFile(name, 'utf8');
      return await runRehearse(given, {
        ...{
          stores,
          config,
          clock: { now: systemNow },
          read,
          out: say,
          progress: openProgress(),
          signal: interruption(),
        },
      });
    } finally {
      await stores.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function runRehearse(
  { site, json, tokenFile }: GivenTo<typeof SPEC>,
  dependencies: RehearseDependencies,
): Promise<0 | 1 | 130> {
  const { stores, progress, signal, out } = dependencies;
  const token = tokenFile === undefined ? null : await tokenIn(tokenFile, dependencies);
  const root = `${site}/${DEFAULT_SETTINGS.prefix}`;
  const present = serviceAt(root, token);
  await assertIsCalendar(present.get(''), root);
  const app = applicationOver(dependencies, site);
  try {
    const events = await fill(dependencies);
    progress.begin('Comparing', 'answers', null);
    const rehearsed = await rehearse({
      ...{ present, future: codeAtHand(app, root, token), signal },
      // The public may see published posts alone.
      statuses: token === null ? [] : POST_STATUSES,
      head: stores.store.head,
      catchUp: () => stores.project(),
      onAnswer: progress.reach,
    });
    progress.end();
    for (const line of json ? [JSON.stringify(asJson(rehearsed))] : report(rehearsed, events)) out(line);
    return rehearsed.found.length === 0 ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    return INTERRUPTED;
  } finally {
    await app.close();
  }
}

async function tokenIn(file: string, { read }: RehearseDependencies): Promise<string> {
  const text = await read(file).catch((error: Error) => {
    throw new UsageError(`--token-file: ${error.message}`);
  });
  return text.trim();
}

async function assertIsCalendar(answer: Promise<{ readonly status: number }>, root: string): Promise<void> {
  const { status } = await answer;
  if (status === 401) throw new UsageError('--token-file: the service does not know this token.');
  if (status !== 200) throw new UsageError(`${root} is not a calendar: it answers ${status}.`);
}

/** The application of this code. It is only read from, and may neither refuse nor delay an answer. */
function applicationOver({ stores, config, clock }: RehearseDependencies, site: string) {
  const { app } = buildApi({
    config: { ...config, requestsPerMinute: 0, siteUrl: config.siteUrl ?? site },
    stores,
    trust: { behind: () => 0, isBehind: () => false },
    views: { reached: async () => true },
    log: openLog(config.logLevel),
    clock,
  });
  return app;
}

/** Applies the whole log, and tells how many events that were. */
async function fill({ stores, progress, signal }: RehearseDependencies): Promise<number> {
  let events = 0;
  progress.begin('Building', 'events', null);
  const onBatch = (more: number): void => {
    signal.throwIfAborted();
    events += more;
    progress.reach(events);
  };
  await stores.project(onBatch);
  progress.end();
  return events;
}

const asJson = ({ compared, found, unsettled }: Rehearsed) => ({
  compared: Object.fromEntries(compared),
  unsettled,
  differences: found,
});

function report({ compared, found, unsettled }: Rehearsed, events: number): string[] {
  const kinds = [...compared].map(([subject, count]) => `${subject} ${count}`).join(', ');
  return [
    `Built from ${counted(events, 'event')} of the log. Compared: ${kinds}.`,
    ...(unsettled > 0 ? [`Not compared, as they kept changing: ${counted(unsettled, 'answer')}.`] : []),
    ...found.flatMap(lines),
    found.length === 0 ? 'Nothing would look different.' : `Different: ${counted(found.length, 'field')}.`,
  ];
}

const lines = ({ subject, place, answers, first }: Found): string[] => [
  `DIFFERENT: ${subject}, ${place === '' ? 'as a whole' : place}: ${counted(answers, 'answer')}, the first ${first.path}`,
  `  is:       ${shown(first.was)}`,
  `  would be: ${shown(first.will)}`,
];

const MAX_SHOWN = 200;

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = printable(JSON.stringify(value));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
