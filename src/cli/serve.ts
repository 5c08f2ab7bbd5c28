// `daybook serve`: opens everything, brings the read model up to date, listens, and shuts down gracefully.

import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { allProjections } from '../../projections/catalogue.ts';
import { countEvents, openStores, type Processes } from '../composition.ts';
import { type Config, ConfigError, readConfig, storeFiles, unnamedMailSite } from '../config.ts';
import { type Paste, pasteFor } from '../exchange/import/cli/paste.ts';
import type { Progress } from '../exchange/import/progress.ts';
import { buildWaitingApp } from '../http/operations/operations-app.ts';
import { DEFAULT_SETTINGS } from '../http/settings.ts';
import { closingCommand, openToOthers } from '../kernel/files/private-files.ts';
import { noteRunning } from '../kernel/files/running.ts';
import { containerLimit, memoryLimit, roomForEvents, roomForPast } from '../kernel/memory/limit.ts';
import { openUsage } from '../kernel/memory/usage.ts';
import { type MemoryWatch, openMemoryWatch } from '../kernel/memory/watch.ts';
import { errorText } from '../kernel/text/error-text.ts';
import { elapsed, SYSTEM_ZONE_RULES } from '../kernel/time/system.ts';
import { configuredLanguage } from '../locales/languages.ts';
import { newEventId } from '../log/event-ids.ts';
import { type AccessLog, openAccessLog } from '../observability/access-log.ts';
import { collectGarbage, preventIdleCollection } from '../observability/garbage.ts';
import { type Log, logDestination, openLog } from '../observability/log.ts';
import { whyLogIsAway } from '../opening/log.ts';
import { hashPassword, newSecret } from '../people/auth/passwords.ts';
import { firstStartPath, newLongSecret, secretDigest } from '../people/auth/sessions.ts';
import { offerFirstStart } from '../people/users/commands/first-start.ts';
import { ensureFirstAdministrator, passwordOf } from '../people/users/commands/users.ts';
import { SERVICE_ROLES, type Service, type ServiceRole, startService } from '../service.ts';
import type { Stores } from '../stores.ts';
import { command, type Output } from './command.ts';
import { UsageError } from './errors.ts';
import { environmentWith, SETTING_OPTIONS } from './settings.ts';
import { say } from './terminal.ts';
import { oneOf, wholeNumber } from './values.ts';
import { contextOfOperator, SURROUNDINGS } from './with-log.ts';
import { thisWorker, type Worker } from './workers/worker.ts';

/** How long requests in progress may take during shutdown. */
const GRACE_MS = 10_000;

/** How long the announcement waits until the administrator can sign in. */
const VIEW_DEADLINE_MS = 2_000;

const FIRST_ADMINISTRATOR = 'admin';

const MAX_WORKERS = 64;

export const serveCommand = command(
  {
    name: 'serve',
    description: [
      'It runs in the foreground. SIGTERM or Ctrl-C shuts it down gracefully. The first start creates the stores and an administrator, and shows once a token and the address of a page (/desk/start) where the calendar is set up.',
    ],
    options: {
      role: {
        value: 'ROLE',
        description:
          'what this process does: api answers requests, projector keeps the read model up to date, all does both',
        type: oneOf(SERVICE_ROLES),
        default: 'all',
      },
      workers: {
        value: 'N',
        description:
          'how many processes listen at the port, so that several processors answer; with read models in files the first of them fills those',
        type: wholeNumber(MAX_WORKERS),
        default: '1',
      },
      ...SETTING_OPTIONS,
    },
    examples: [
      ['daybook serve', 'serves at http://127.0.0.1:8080'],
      ['daybook serve --workers 4', 'answers on four processors'],
      ['daybook serve --port 3000 --data-dir /srv/calendar', 'uses another port and another data folder'],
    ],
  },
  async ({ role, workers, ...settings }, { out }: Output) => {
    const config = readConfig(environmentWith(settings, process.env));
    if (workers === 1) return serve(alone(role), config, out);
    assertWorkersShare(role, config);
    const worker = thisWorker();
    if (worker) return serve({ role: roleOf(worker, role, config), processes: 'several', worker }, config, out);
    const log = openLog(config.logLevel, await logDestination(process.stderr));
    const { superviseWorkers } = await import('./workers/supervisor.ts');
    return superviseWorkers({ workers, graceMs: GRACE_MS + 1_000, log });
  },
  (work) => work({ out: say }),
);

/** Everything in this process, as `daybook serve` without options does. */
export const serveAlone = (config: Config): Promise<0> => serve(alone('all'), config, say);

/** The duty of a process that listens alone; one without a projector, or that is nothing else, shares the stores with others. */
const alone = (role: ServiceRole): Duty => ({ role, processes: role === 'all' ? 'one' : 'several', worker: null });

/** Throws `UsageError` for what only one process can be or see. */
function assertWorkersShare(role: ServiceRole, { eventStore, readModel }: Config): void {
  if (role === 'projector') throw new UsageError('--workers: a projector is one process. Leave out one of the two.');
  const inMemory = [eventStore, readModel].some((store) => store.engine === 'sqlite' && store.file === ':memory:');
  if (inMemory) throw new UsageError('--workers: processes cannot share a store in memory. Name a file or a server.');
}

/** Read models in files are filled by the first worker; those on a server by whichever has the lease. */
const roleOf = ({ worker }: Worker, role: ServiceRole, { readModel }: Config): ServiceRole =>
  worker === 1 || readModel.engine === 'redis' ? role : 'api';

interface Duty {
  readonly role: ServiceRole;
  /** That answer requests from the same stores. */
  readonly processes: Processes;
  /** Null for a process that listens alone. */
  readonly worker: Worker | null;
}

/**
 * Serves until a signal ends it, also one that comes before it listens. Rejects if a store or the port is unavailable.
 */
async function serve(duty: Duty, config: Config, out: (line: string) => void): Promise<0> {
  preventIdleCollection();
  const log = openLog(config.logLevel, await logDestination(process.stderr));
  const accessLog = accessLogOf(config, log);
  const ending = new AbortController();
  const begun = begin({ duty, config, log, accessLog, out, signal: ending.signal });
  // A failed start has nothing to finish, and its own exit code.
  // SIGHUP means the access log where there is one.
  const skip = accessLog === null ? (['beforeExit'] as const) : (['beforeExit', 'SIGHUP'] as const);
  let ended: Promise<void> | undefined;
  const grace = closeWithGrace({ delay: GRACE_MS, skip: [...skip] }, ({ err }) => {
    if (err) log.error({ err }, 'unhandled error; exiting');
    ended ??= end();
    return ended;
  });
  // Ctrl-C reaches a worker twice: from the terminal, and from the process that started it.
  duty.worker?.on('end', grace.close);
  if (accessLog) duty.worker?.on('reopen', accessLog.reopen);

  async function end(): Promise<void> {
    ending.abort();
    const service = await begun.catch(() => null);
    await service?.close();
    accessLog?.close();
  }

  await begun;
  return 0;
}

/** Null without one. SIGHUP opens its file again. Throws `ConfigError`. */
function accessLogOf({ accessLog: file }: Config, log: Log): AccessLog | null {
  if (file === null) return null;
  try {
    const accessLog = openAccessLog(file, (err) => log.error({ err }, 'writing the access log failed'));
    process.on('SIGHUP', accessLog.reopen);
    return accessLog;
  } catch (error) {
    throw new ConfigError(`DAYBOOK_ACCESS_LOG: ${errorText(error)}.`);
  }
}

interface Beginning {
  readonly duty: Duty;
  readonly config: Config;
  readonly log: Log;
  readonly accessLog: AccessLog | null;
  readonly out: (line: string) => void;
  /** Aborted at shutdown: work that has not begun by then is left out. */
  readonly signal: AbortSignal;
}

/** Opens everything, listens, and says so. Null if it is to end before it could open anything. */
async function begin({ duty, config, log, accessLog, out, signal }: Beginning): Promise<Service | null> {
  const { role, processes, worker } = duty;
  const isFirst = worker === null || worker.worker === 1;
  await waitForLog(config, log, signal);
  if (signal.aborted) return null;
  const stores = await openStores(config, log, processes);
  if (isFirst) warnOfSettings(config, log);
  const progress = process.stderr.isTTY ? (await import('./rate-progress.ts')).openProgress() : null;
  const filling = fillReport(log, progress, () => countEvents(config, allProjections(stores.rendering)));
  const service = await startService(config, stores, log, {
    role,
    pressure: { memory: watchMemory(log) },
    onBatch: filling.add,
    signal,
    ...(accessLog && { accessLog }),
    ...(worker && { workers: worker }),
    zoneRules: SYSTEM_ZONE_RULES,
  }).finally(filling.end);
  if (signal.aborted) return service;
  await service.app.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const listening = noted(service, config);
  const address = listeningAddress(service, config);
  // Otherwise the first requests do it.
  if (role !== 'projector') void warmUp(service, stores, address).catch(() => {});
  if (signal.aborted || !isFirst) return listening;
  // Only now: a failed start must not use up the token, which is shown only once.
  const first = role === 'projector' ? null : await firstAdministrator(stores, service);
  const site = config.siteUrl ?? address;
  const root = `${site}/${DEFAULT_SETTINGS.prefix}`;
  // In one piece: a program that waits for the first line finds the last one, too.
  const lines = role === 'projector' ? projectorAnnouncement(address) : announcement(address, site, root);
  out([...lines, ...(first ? firstStart(first, { site, root, paste: pasteFor(config) }) : [])].join('\n'));
  return listening;
}

/** Fewer events are walked in a moment, even by code that has not run before. */
const MANY_EVENTS = 10_000;
const ASKED_FIRST = ['events', 'events.atom', 'events.ics']
  .map((name) => `/${DEFAULT_SETTINGS.prefix}/${name}`)
  .concat('/');

/**
 * Asks the service at this address what many ask first: over 100,000 events, code that runs for the first time takes 60 ms for a
 * list and 130 for the first page, in which nothing else is answered. `room`: for how many events there is memory beside that;
 * null: for all. Rejections: those of the read model.
 */
export async function warmUp(
  { app }: Pick<Service, 'app'>,
  { readModel, gate }: Pick<Stores, 'readModel' | 'gate'>,
  address: string,
  room = roomForPast(),
): Promise<void> {
  // The index has been counted when this can be told.
  await readModel.terms();
  const events = gate.events();
  if (events < MANY_EVENTS || (room !== null && events > room)) return;
  for (const path of ASKED_FIRST)
    await app.inject({ url: address + path, headers: { 'user-agent': 'daybook/warm-up' } });
}

/** Events that take longer than a moment. */
const WORTH_A_WORD = 3_000;

/** Says that the read model is filled: by the first start, or by the first one of another version. */
export function fillReport(log: Log, progress: Progress | null, count: () => Promise<number | null>) {
  let done = 0;
  let bar: Promise<void> | null = null;

  async function begin(): Promise<void> {
    log.info({}, 'filling the read model from the log, once');
    progress?.begin('Filling the read model', 'events', await count());
  }

  return {
    add(events: number): void {
      done += events;
      if (done < WORTH_A_WORD) return;
      bar ??= begin();
      void bar.then(() => progress?.reach(done));
    },
    end: async () => bar?.then(() => progress?.end()),
  };
}

/** So that `daybook doctor` finds it. */
function noted(service: Service, config: Config): Service {
  const forget = noteRunning(config.dataDir, listeningAddress(service, config));
  return {
    ...service,
    close() {
      forget();
      return service.close();
    },
  };
}

/** Says once what this process may have, and each time that it is too little. */
function watchMemory(log: Log): MemoryWatch {
  const limit = containerLimit();
  const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);
  if (limit !== null)
    log.info(
      {
        limitMb: megabytes(limit),
        ofThisProcessMb: megabytes(memoryLimit() ?? limit),
        heapMb: megabytes(getHeapStatistics().heap_size_limit),
        roomForEvents: roomForEvents(),
        roomForEventsWithAsOf: roomForPast(),
      },
      'memory is limited: heap and caches are kept within it; lists of other instants (as_of) have room beside fewer events',
    );
  return openMemoryWatch({
    used: openUsage(limit),
    collect: collectGarbage,
    elapsed,
    report: (state) =>
      state === 'enough'
        ? log.info({}, 'memory is enough again')
        : log.warn(
            { state },
            'memory is short although caches were emptied: requests that take much of it are refused, or all; give the container more',
          ),
  });
}

const LOOK_AGAIN_MS = 500;

/** While the event store is away the service lives and says so, instead of ending. */
async function waitForLog(config: Config, log: Log, signal: AbortSignal): Promise<void> {
  let why = await whyLogIsAway(config);
  if (why === null || signal.aborted) return;
  log.warn({ why }, 'the event store is away; waiting for it');
  const language = configuredLanguage(config);
  const app = buildWaitingApp(
    () => language,
    () => why ?? '',
  );
  await app.listen({ host: config.host, port: config.port });
  try {
    while (why !== null && !signal.aborted) {
      await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
      why = await whyLogIsAway(config);
    }
  } finally {
    await app.close();
  }
  if (why === null) log.warn({}, 'the event store is back; starting');
}

/** Once, at startup: only the operator can restrict access for other users, and say what the address of the site is. */
function warnOfSettings(config: Config, log: Log): void {
  const unnamed = unnamedMailSite(config);
  if (unnamed !== null) log.warn({ setting: 'DAYBOOK_SITE_URL' }, unnamed);
  const open = openToOthers(storeFiles(config));
  if (open.folders.length + open.files.length === 0) return;
  log.warn(open, `other users of this machine have access to the stores; to close them: ${closingCommand(open)}`);
}

const announcement = (address: string, site: string, root: string): string[] => [
  `Daybook listens at ${address}`,
  `Pages:         ${site}/`,
  `Desk:          ${site}/desk`,
  `API:           ${root}/events`,
  `Documentation: ${site}/docs`,
];

const projectorAnnouncement = (address: string): string[] => [
  `Daybook projector listens at ${address}`,
  `Health:  ${address}/readyz`,
  `Metrics: ${address}/metrics`,
];

interface FirstCredentials {
  readonly token: string | null;
  /** Sets the calendar up in a browser, once. */
  readonly word: string;
}

interface Places {
  readonly site: string;
  readonly root: string;
  readonly paste: Paste;
}

const firstStart = ({ token, word }: FirstCredentials, { site, root, paste }: Places): string[] => [
  '',
  'First start: this administrator has been added. The token signs in at the desk, too; it is shown once and stored only as a hash.',
  `  user:  ${FIRST_ADMINISTRATOR}`,
  `  token: ${token}`,
  `  try:   curl -u '${FIRST_ADMINISTRATOR}:${token}' ${root}/events`,
  `  lost:  ${paste('users', 'token', FIRST_ADMINISTRATOR)}`,
  '         issues another token.',
  '',
  'Or open this address in a browser to set everything up there (once, within 24 hours):',
  `  ${site}${firstStartPath(word)}`,
];

/** The token of the administrator that is added to an empty store, and the word; null if there are users already. */
async function firstAdministrator({ store }: Stores, { views }: Service): Promise<FirstCredentials | null> {
  const dependencies = { store, newEventId, newSecret, hashSecret: hashPassword };
  const context = contextOfOperator('daybook serve')(SURROUNDINGS);
  const added = await ensureFirstAdministrator(dependencies, context, {
    login: FIRST_ADMINISTRATOR,
    email: '',
    name: FIRST_ADMINISTRATOR,
    label: 'first start',
  });
  if (added?.kind !== 'written') return null;
  const { written } = added;
  const word = newLongSecret();
  await offerFirstStart(dependencies, context, { digest: secretDigest(word), user: written.id });
  await views.reached(written.position, VIEW_DEADLINE_MS);
  return { token: passwordOf(written), word };
}

function listeningAddress({ app }: Service, { host }: Config): string {
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
