// The commands of `daybook`, and what each of them is given.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { allProjections } from '../../projections/catalogue.ts';
import { readControl } from '../../projections/control.ts';
import { withSkips } from '../../projections/projection.ts';
import {
  countEvents,
  logCopier,
  type Opening,
  openGenerations,
  openLog,
  openLogAt,
  openPlaces,
  openRawLog,
  openRestoreTarget,
} from '../composition.ts';
import { assertLogIsThere, type Config, readConfig, readEventStoreAddress, rehearsalConfig } from '../config.ts';
import { openKeys } from '../event-store/encryption/open-keys.ts';
import { readEverythingPersonal } from '../event-store/encryption/unreadable-subjects.ts';
import { currentSchemaVersion } from '../event-store/upcasting/upcasters.ts';
import { commandDependencies } from '../http/routes/all-routes.ts';
import type { Progress } from '../import/progress.ts';
import { configuredLanguage } from '../locales/languages.ts';
import { openLog as openProcessLog } from '../observability/log.ts';
import type { LogStores } from '../service.ts';
import { SYSTEM_ZONE_RULES, systemNow } from '../service.ts';
import { VERSION } from '../version.ts';
import { BACKUP_USAGE, runBackup } from './backup.ts';
import { DEMO_USAGE, runDemo } from './demo.ts';
import { openExamination } from './doctor/checks.ts';
import { DOCTOR_USAGE, runDoctor } from './doctor/doctor.ts';
import { ERASE_USAGE, runErase } from './erase.ts';
import { isExpected } from './expected.ts';
import { EXPORT_USAGE, runExport } from './export.ts';
import { HISTORY_USAGE, runHistory } from './history.ts';
import { IMPORT_USAGE, runImport } from './import.ts';
import { lookAtViews, viewsStandAt } from './live-views.ts';
import { pasteFor } from './paste.ts';
import { PROJECTIONS_USAGE, runProjections } from './projections.ts';
import { rateBar, rateLines } from './rate-progress.ts';
import { REBUILD_USAGE, runRebuild } from './rebuild.ts';
import { RESTORE_USAGE, runRestore } from './restore.ts';
import { REVERT_USAGE, runRevert } from './revert.ts';
import { SERVE_USAGE, serve } from './serve.ts';
import { runTail, TAIL_USAGE } from './tail.ts';
import { UsageError } from './usage-error.ts';
import { runUsers, USERS_USAGE } from './users/users.ts';
import { runVerify, VERIFY_USAGE } from './verify.ts';
import { runZones, ZONES_USAGE } from './zones.ts';

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const warn = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const elapsed = (): number => performance.now();

const progress = (): Progress => (process.stderr.isTTY ? rateBar(process.stderr, elapsed) : rateLines(warn, elapsed));

/** Does something with the log, and lets go of it. */
async function withLog<Result>(
  opening: Opening,
  work: (stores: LogStores, config: Config) => Promise<Result>,
  config: Config = readConfig(process.env),
): Promise<Result> {
  const stores = await openLog(config, opening);
  try {
    return await work(stores, config);
  } finally {
    await stores.close();
  }
}

export interface Command {
  /** Its forms, one a line; what it is for stands in src/cli/help.ts. */
  readonly usage: string;
  /** Takes what stands behind the command; answers the exit code, 0 when it says nothing. */
  run(args: readonly string[]): Promise<unknown>;
}

/** Tells whoever carries out a long command that it is to end. */
function interruption(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

const rebuilding = (args: readonly string[]): Promise<number> =>
  withLog('read', async ({ store, rendering }, config) => {
    const projections = allProjections(rendering);
    const generations = await openGenerations(config, rendering);
    try {
      return await runRebuild(args, {
        store,
        generations,
        projections,
        countEvents: () => countEvents(config, projections),
        elapsed,
        out: say,
        progress: progress(),
        signal: interruption(),
      });
    } finally {
      await generations.close();
    }
  });

const verifying = (args: readonly string[]): Promise<number> =>
  withLog('read', async ({ store, rawLog, unreadable, rendering }, config) => {
    const places = openPlaces(config);
    const { skips } = await readControl(store);
    const unreachable = (why: string): void => warn(`The views are not looked at: ${why}`);
    try {
      return await lookAtViews(config, rendering, unreachable, (live) =>
        runVerify(args, {
          log: rawLog,
          store,
          newestVersion: currentSchemaVersion,
          ...(places && { places }),
          async unreadable() {
            await readEverythingPersonal(store);
            return unreadable.subjects();
          },
          views: live ? [live] : [],
          projections: withSkips(allProjections(rendering), skips),
          countEvents: async () => null,
          out: say,
          progress: progress(),
        }),
      );
    } finally {
      places?.close();
    }
  });

/** How long a projector may take to heed what it was told. */
const HEEDED_AFTER_MS = 2_500;

const controlling = (args: readonly string[]): Promise<number> =>
  withLog('existing', async ({ store, rendering }, config) => {
    const generations = await openGenerations(config, rendering);
    const live = await generations.live();
    try {
      if (!live)
        throw new UsageError('projections: there are no views yet; the next start of the service makes them.', 1);
      return await runProjections(args, {
        store,
        readModel: live.model,
        projections: allProjections(rendering),
        generation: async () => live.name,
        operator: 'daybook projections',
        now: systemNow,
        newId: randomUUID,
        pause: () => sleep(HEEDED_AFTER_MS),
        out: say,
      });
    } finally {
      await live?.close();
      await generations.close();
    }
  });

const instant = (): string => new Date(systemNow() * 1000).toISOString();

const exporting = (args: readonly string[]): Promise<number> => {
  const config = readConfig(process.env);
  return runExport(args, {
    async openSealed() {
      assertLogIsThere(config);
      return openRawLog(config);
    },
    openLog: async () => (await openLog(config, 'read')).store,
    stdout: process.stdout,
    tell: (line, beside) => (beside === 'the file' ? say(line) : warn(line)),
    progress: progress(),
    signal: interruption(),
    version: VERSION,
    instant,
  });
};

const backingUp = (args: readonly string[]): Promise<number> => {
  const config = readConfig(process.env);
  return runBackup(args, {
    async openSealed() {
      assertLogIsThere(config);
      return openRawLog(config);
    },
    copyLog: logCopier(config),
    copyKeys: () => withLog('read', ({ keys }) => keys.copy(), config),
    openKeysAt: (file) => openKeys({ engine: 'sqlite', file }),
    openLogAt: (file) => openLogAt({ engine: 'sqlite', file }, config, 'backup'),
    newestVersion: currentSchemaVersion,
    out: say,
    progress: progress(),
    signal: interruption(),
    elapsed,
    version: VERSION,
    instant,
  });
};

const restoring = (args: readonly string[]): Promise<number> => {
  const config = readConfig(process.env);
  return runRestore(args, {
    openTarget: () => openRestoreTarget(config),
    openLog: () => openRawLog(config),
    openFrom: (address) => openLogAt(readEventStoreAddress(address, '--from'), config, '--from'),
    openKeysAt: (file) => openKeys({ engine: 'sqlite', file }),
    openTargetKeys: () => openKeys(config.keys),
    elapsed,
    viewsStandAt: () => viewsStandAt(config, (why) => warn(`The views are not looked at: ${why}`)),
    newestVersion: currentSchemaVersion,
    stdin: process.stdin,
    out: say,
    progress: progress(),
    signal: interruption(),
    instant,
    newId: randomUUID,
  });
};

const examining = async (args: readonly string[]): Promise<number> => {
  const { looks, close } = openExamination({
    environment: process.env,
    node: process.versions.node,
    now: systemNow,
    zoneRules: SYSTEM_ZONE_RULES?.release ?? null,
  });
  try {
    return await runDoctor(args, { looks, explained: (error) => (isExpected(error) ? error.message : null), out: say });
  } finally {
    await close();
  }
};

/** The first user may be added before the first start; all other words are about users who are there. */
const usersOpening = ([word]: readonly string[]): Opening => {
  if (word === 'add') return 'create';
  return ['list', 'show', 'history'].includes(word ?? '') ? 'read' : 'existing';
};

/** By the word that follows `daybook`. */
export const COMMANDS: { readonly [name: string]: Command } = {
  serve: { usage: SERVE_USAGE, run: (args) => serve(args, readConfig(process.env), say) },
  import: {
    usage: IMPORT_USAGE,
    run: (args) =>
      withLog(
        'create',
        (stores, config) =>
          runImport(args, {
            store: stores.store,
            commandsOn: (store) => commandDependencies({ ...stores, store }, config),
            project: stores.project,
            display: stores.rendering,
            now: systemNow,
            elapsed,
            newId: randomUUID,
            out: say,
            progress: progress(),
            signal: interruption(),
          }),
        args.includes('--dry-run') ? rehearsalConfig(readConfig(process.env)) : undefined,
      ),
  },
  export: { usage: EXPORT_USAGE, run: exporting },
  backup: { usage: BACKUP_USAGE, run: backingUp },
  restore: { usage: RESTORE_USAGE, run: restoring },
  doctor: { usage: DOCTOR_USAGE, run: examining },
  demo: {
    usage: DEMO_USAGE,
    run: (args) =>
      withLog('create', (stores, config) =>
        runDemo(args, {
          store: stores.store,
          commandsOn: (store) => commandDependencies({ ...stores, store }, config),
          project: stores.project,
          paste: pasteFor(config),
          now: systemNow,
          newId: randomUUID,
          out: say,
          progress: progress(),
        }),
      ),
  },
  rebuild: { usage: REBUILD_USAGE, run: rebuilding },
  tail: {
    usage: TAIL_USAGE,
    run: (args) =>
      withLog('read', ({ store, rendering }, config) => {
        const foldings = allProjections(rendering);
        const { sentences } = configuredLanguage(config);
        return runTail(args, { store, foldings, display: rendering, sentences, out: say, signal: interruption() });
      }),
  },
  revert: {
    usage: REVERT_USAGE,
    run: (args) =>
      withLog('existing', (stores, config) =>
        runRevert(args, {
          store: stores.store,
          commandsOn: (store) => commandDependencies({ ...stores, store }, config),
          project: stores.project,
          now: systemNow,
          newId: randomUUID,
          language: configuredLanguage(config),
          out: say,
          progress: progress(),
        }),
      ),
  },
  verify: { usage: VERIFY_USAGE, run: verifying },
  zones: {
    usage: ZONES_USAGE,
    run: (args) =>
      withLog(args.includes('--apply') ? 'existing' : 'read', ({ store, project }, { logLevel }) => {
        const about = { rules: SYSTEM_ZONE_RULES, now: systemNow, newId: randomUUID, log: openProcessLog(logLevel) };
        return runZones(args, { store, project, ...about, signal: interruption(), out: say });
      }),
  },
  projections: { usage: PROJECTIONS_USAGE, run: controlling },
  users: {
    usage: USERS_USAGE,
    run: (args) =>
      withLog(usersOpening(args), ({ store, project }, { siteZone }) =>
        runUsers(args, { store, project, siteZone, now: systemNow, newId: randomUUID, out: say }),
      ),
  },
  erase: {
    usage: ERASE_USAGE,
    run: (args) =>
      withLog('existing', ({ store, keys, project }) =>
        runErase(args, { store, keys, project, now: systemNow, newId: randomUUID, out: say }),
      ),
  },
  history: {
    usage: HISTORY_USAGE,
    run: (args) =>
      withLog('read', ({ store, rendering }, config) => {
        const foldings = allProjections(rendering);
        return runHistory(args, {
          store,
          foldings,
          display: rendering,
          sentences: configuredLanguage(config).sentences,
          out: say,
        });
      }),
  },
};
