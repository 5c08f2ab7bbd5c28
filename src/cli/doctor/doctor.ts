// `daybook doctor`: checks settings, stores, clock and read model, and says what to do.

import { access, constants, statfs } from 'node:fs/promises';
import { allProjections } from '../../../projections/catalogue.ts';
import { allPictures } from '../../calendar/picture/commands/pictures.ts';
import { filesOf } from '../../calendar/picture/domain/picture.ts';
import { openMediaFolder } from '../../calendar/picture/media/folder.ts';
import { rulesOfLog } from '../../calendar/zone-rules/commands/zone-rules.ts';
import { generationsOf, openLog, openRawLog } from '../../composition.ts';
import {
  type Config,
  ConfigError,
  hasKeys,
  hasLog,
  readConfig,
  storeFiles,
  unnamedMailSite,
  unnamedSite,
} from '../../config.ts';
import { allWebhooks } from '../../exchange/webhooks/commands/webhooks.ts';
import { closing } from '../../kernel/files/closing.ts';
import { isOfSystem } from '../../kernel/files/missing.ts';
import { closingCommand, openToOthers } from '../../kernel/files/private-files.ts';
import { runningAddresses } from '../../kernel/files/running.ts';
import { counted } from '../../kernel/text/counted.ts';
import { SYSTEM_ZONE_RULES, systemNow } from '../../kernel/time/system.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import { LOG_START } from '../../log/envelope.ts';
import type { EventStore } from '../../log/event-store.ts';
import {
  administratorsFinding,
  clockFinding,
  damagedViewsFinding,
  type Finding,
  keysFinding,
  picturesFinding,
  runtimeFinding,
  spaceFinding,
  strangeViewsFinding,
  unknownSettings,
  viewsFinding,
  zoneRulesFinding,
} from '../../observability/check-up.ts';
import { readEverythingPersonal } from '../../people/personal-data/facts/key-ring.ts';
import { allUsers } from '../../people/users/commands/user-changes.ts';
import { isUsableAdministrator } from '../../people/users/domain/user.ts';
import { disagreementsIn } from '../../read-model/agreement.ts';
import { parkedIn } from '../../read-model/projector/parking.ts';
import { originOf } from '../../read-model/trust.ts';
import type { LogStores } from '../../stores.ts';
import { command, type Output } from '../command.ts';
import { isExpected } from '../errors.ts';
import { SETTINGS } from '../settings.ts';
import { say } from '../terminal.ts';
import { JSON_FLAG } from '../values.ts';

interface DoctorDependencies extends Output {
  /** In order; the checks after a failed one are still run. */
  readonly looks: readonly Look[];
  /** The message of a failure that users can fix; null for others, which are bugs. */
  readonly explained: (error: unknown) => string | null;
}

export const doctorCommand = command(
  {
    name: 'doctor',
    description: ['It changes nothing and creates no store. Exit code 1: there is a problem.'],
    options: { json: JSON_FLAG },
    examples: [['daybook doctor', 'checks the installation that the settings describe']],
  },
  async (_, dependencies: DoctorDependencies) => {
    const findings: Finding[] = [];
    for (const one of dependencies.looks) findings.push(...(await findingsOf(one, dependencies)));
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const warnings = findings.filter(({ state }) => state === 'warning').length;
    return {
      json: { problems, warnings, findings },
      lines: report(findings, problems, warnings),
      code: problems === 0 ? 0 : 1,
    };
  },
  (work) =>
    closing(
      openExamination({
        environment: process.env,
        node: process.versions.node,
        now: systemNow,
        zoneRules: SYSTEM_ZONE_RULES?.release ?? null,
      }),
      ({ looks }) => work({ looks, explained: (error) => (isExpected(error) ? error.message : null), out: say }),
    ),
);

const MARKS = { well: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' } as const;

async function findingsOf(
  { about, look, advice }: Look,
  { explained }: DoctorDependencies,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const said = explained(error);
    if (said === null) throw error;
    return [{ about, state: 'problem', said, advice }];
  }
}

const WIDTH = 10;

function report(findings: readonly Finding[], problems: number, warnings: number): string[] {
  const indent = ' '.repeat(MARKS.well.length + WIDTH);
  const lines = findings.flatMap(({ about, state, said, advice }) => [
    `${MARKS[state]}${about.padEnd(WIDTH)}${said}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
  ]);
  const sum =
    problems + warnings === 0
      ? 'No problems found.'
      : `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
  return [...lines, sum];
}

// The checks of `daybook doctor`: settings, stores and the service, in this order.

/** One check; what it needs may be broken, so a rejection is a finding too. */
export interface Look {
  readonly about: string;
  readonly look: () => Promise<readonly Finding[]>;
  /** What to do if the check itself fails. */
  readonly advice: string;
}

interface DoctorSurroundings {
  readonly environment: { readonly [name: string]: string | undefined };
  /** `process.versions.node`. */
  readonly node: string;
  readonly now: () => EpochSeconds;
  /** The release of this runtime's zone rules; null if unknown. */
  readonly zoneRules: string | null;
}

interface Examination {
  readonly looks: readonly Look[];
  /** Closes what the checks have opened. */
  close(): Promise<void>;
}

/** Time-out of the service's answer. */
const ANSWER_WITHIN_MS = 3_000;

const well = (about: string, said: string): readonly Finding[] => [{ about, state: 'well', said }];

/** Nothing is opened before its check, and no store is created. */
export function openExamination({ environment, node, now, zoneRules }: DoctorSurroundings): Examination {
  const runtime: Look = {
    about: 'runtime',
    advice: 'Report this as a bug.',
    look: async () => [runtimeFinding(node)],
  };
  const settings: Look = {
    about: 'settings',
    advice: 'Correct it; docs/operations/configure.md explains each setting.',
    look: async () => {
      readConfig(environment);
      const unknown = unknownSettings(environment, SETTINGS);
      return unknown.length > 0 ? unknown : well('settings', 'all settings are valid');
    },
  };
  const config = usable(environment);
  if (config === null) return { looks: [runtime, settings], close: async () => {} };
  const { looks, close } = storeLooks(config, now, zoneRules);
  return { looks: [runtime, settings, mailLook(config), ...looks, serviceLook(config)], close };
}

/** Null if the check of the settings reports the error. */
function usable(environment: DoctorSurroundings['environment']): Config | null {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

const KEYS_MISSING: Finding = {
  about: 'log',
  state: 'warning',
  said: 'There is a log, but the keys of its personal data (DAYBOOK_KEYS) are missing.',
  advice:
    'Restore them from a backup before anything is started. Only a log that this version has never written to has no keys; then the first start creates them.',
};

const EMPTY = 'Reachable and empty; the first start of the service creates the keys of personal data.';

/** Checked without its keys. The file of a log is known to exist. */
async function isEmptyLog(config: Config): Promise<boolean> {
  if (config.eventStore.engine === 'sqlite') return false;
  return closing(await openRawLog(config), async (log) => (await log.head()) === LOG_START);
}

/** The stores: checks that need the log are skipped without one, because that is reported already. */
function storeLooks(config: Config, now: () => EpochSeconds, zoneRules: DoctorSurroundings['zoneRules']): Examination {
  let opened: LogStores | null = null;
  const withLog = (
    about: string,
    look: (log: LogStores) => Promise<readonly Finding[]>,
    advice = 'See the finding on the log.',
  ): Look => ({
    about,
    advice,
    look: async () => (opened === null ? [] : look(opened)),
  });
  const looks: readonly Look[] = [
    // Before anything is opened: SQLite's working files come and go.
    { about: 'files', advice: 'Check who owns the files of the stores.', look: async () => filesLook(config) },
    {
      about: 'log',
      advice: 'See DAYBOOK_EVENT_STORE and DAYBOOK_KEYS, and whether this process may reach and read them.',
      look: async () => {
        if (!hasLog(config)) return well('log', 'There is none yet; the first start of the service creates it.');
        if (!hasKeys(config)) return (await isEmptyLog(config)) ? well('log', EMPTY) : [KEYS_MISSING];
        opened = await openLog(config, 'read');
        await opened.store.head();
        return well('log', `Readable (${config.eventStore.engine}); the keys of personal data match it.`);
      },
    },
    withLog(
      'keys',
      async ({ store, unreadable }) => {
        await readEverythingPersonal(store);
        return [keysFinding(unreadable.subjects())];
      },
      'See DAYBOOK_KEYS.',
    ),
    withLog('users', async ({ store }) => [
      administratorsFinding((await allUsers(store)).filter(isUsableAdministrator).length),
    ]),
    withLog('clock', async ({ store }) => [await clockFinding(store, now())]),
    withLog('zones', async ({ store }) => [zoneRulesFinding(zoneRules, (await rulesOfLog(store)).release)]),
    withLog(
      'views',
      (log) => viewsLook(config, log, now),
      'See DAYBOOK_READ_MODEL, and whether this process may reach it.',
    ),
    withLog('webhooks', async ({ store }) => webhooksLook(config, store)),
    withLog('pictures', ({ store }) => picturesLook(config, store), 'See DAYBOOK_MEDIA, and who owns the folder.'),
    { about: 'disk', advice: 'See DAYBOOK_DATA_DIR, and who owns the folder.', look: () => diskLook(config) },
  ];
  return { looks, close: async () => opened?.close() };
}

/** Rejects if the read model is unavailable. */
const viewsLook = async (
  config: Config,
  { store, rendering }: LogStores,
  now: () => EpochSeconds,
): Promise<readonly Finding[]> =>
  closing(await generationsOf(config), async (generations) =>
    closing(await generations.live(), async (live) => {
      if (live === null)
        return well('views', 'There are none of this version yet; the next start of the service builds them.');
      if ((await originOf(store, await live.model.progress())) === 'another log') return [strangeViewsFinding];
      // What changes too much to be compared is looked after by the service that changes it.
      const damaged = (await disagreementsIn(live)) ?? [];
      if (damaged.length > 0) return [damagedViewsFinding(damaged)];
      const prefixes = allProjections(rendering).map(({ prefix }) => prefix);
      const [checkpoint, parked] = [await live.model.checkpoint(), await parkedIn(live.model)];
      return [await viewsFinding({ store, checkpoint, prefixes, now, parked })];
    }),
  );

/** Whether the files of pictures are there, and which others are. */
async function picturesLook({ mediaDir }: Config, store: EventStore): Promise<readonly Finding[]> {
  const media = openMediaFolder(mediaDir);
  const [names, unfinished] = [await media.names(), await media.unfinished()];
  const there = new Set(names);
  const pictures = await allPictures(store);
  const named = new Set(pictures.flatMap(filesOf));
  const incomplete = pictures.filter((picture) => filesOf(picture).some((name) => !there.has(name)));
  return picturesFinding(mediaDir, pictures.length, {
    incomplete: incomplete.map(({ id }) => id),
    left: [...names.filter((name) => !named.has(name)), ...unfinished],
  });
}

/** A data folder without a store in it is not checked. */
async function diskLook({ dataDir, eventStore, readModel }: Config): Promise<readonly Finding[]> {
  if (eventStore.engine !== 'sqlite' && readModel.engine !== 'sqlite') return [];
  try {
    await access(dataDir, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (isOfSystem(error) && error.code === 'ENOENT') return well('disk', `The folder ${dataDir} is not there yet.`);
    return [
      {
        about: 'disk',
        state: 'problem',
        said: `The folder ${dataDir} cannot be read and written by this user.`,
        advice: 'Give it to the user that runs Daybook, or set DAYBOOK_DATA_DIR to another one.',
      },
    ];
  }
  const { bavail, bsize } = await statfs(dataDir);
  return [spaceFinding(dataDir, bavail * bsize)];
}

/** Stores on servers have no files here. */
function filesLook(config: Config): readonly Finding[] {
  const stores = storeFiles(config);
  const open = openToOthers(stores);
  const count = open.folders.length + open.files.length;
  if (stores.length === 0) return [];
  if (count === 0) return well('files', 'only this user can read and write the files of the stores');
  const [first = ''] = [...open.files, ...open.folders];
  const more = count === 1 ? '' : `, and ${count - 1} more`;
  const said = `Other users of this machine can read or write ${first}${more}.`;
  return [{ about: 'files', state: 'warning', said, advice: closingCommand(open) }];
}

const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]']);

/**
 * Asks the services of the data folder whether they are ready, at any port; without one, what answers at the configured
 * address. A stopped one is no problem.
 */
function serviceLook(config: Config): Look {
  const running = runningAddresses(config.dataDir).map((address) => reachable(new URL(address)));
  const configured = reachable(new URL(`http://${bracketed(config.host)}:${config.port}`));
  const addresses = running.length > 0 ? running : [configured];
  return {
    about: 'service',
    advice: `Find out which program answers at ${addresses.join(', ')}.`,
    look: async () => (await Promise.all(addresses.map(lookAtService))).flat(),
  };
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** From this machine. */
function reachable({ hostname, port }: URL): string {
  const host = ANY_ADDRESS.has(hostname) ? '127.0.0.1' : hostname;
  return `http://${host}:${port || 80}`;
}

async function lookAtService(where: string): Promise<readonly Finding[]> {
  const answer = await fetch(`${where}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
  if (answer === null) return well('service', `not running at ${where}`);
  await answer.body?.cancel();
  if (answer.ok) return well('service', `ready at ${where}`);
  const said = `not ready at ${where} (${answer.status})`;
  return [{ about: 'service', state: 'problem', said, advice: `See ${where}/readyz for the reason.` }];
}

/** What is sent has no request whose host could be in links. */
async function webhooksLook(config: Config, store: EventStore): Promise<readonly Finding[]> {
  const [said, webhooks] = [unnamedSite(config), await allWebhooks(store)];
  if (said === null || webhooks.length === 0) return [];
  return [{ about: 'webhooks', state: 'warning', said, advice: 'See docs/operations/configure.md.' }];
}

function mailLook(config: Config): Look {
  const why = unnamedMailSite(config);
  const advice = 'Set DAYBOOK_SITE_URL to the public address.';
  const findings: readonly Finding[] = why === null ? [] : [{ about: 'mail', state: 'warning', said: why, advice }];
  return { about: 'mail', advice, look: async () => findings };
}
