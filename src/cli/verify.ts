// `daybook verify`: checks the log by its hashes, and the checkpoint and documents of the read model against the log.

import { allProjections } from '../../projections/catalogue.ts';
import { type AnyProjection, withSkips } from '../../projections/projection.ts';
import { openPlaces } from '../composition.ts';
import { counted } from '../kernel/text/counted.ts';
import type { Position } from '../log/envelope.ts';
import type { EventStore, StreamReader } from '../log/event-store.ts';
import {
  createLogChecker,
  type EventPlace,
  type LogFinding,
  type LogReport,
  replayLog,
} from '../log/hash-chain/verify.ts';
import { currentSchemaVersion } from '../log/upcasting/upcast.ts';
import { readEverythingPersonal } from '../people/personal-data/facts/key-ring.ts';
import { readControl } from '../read-model/projector/control.ts';
import { command } from './command.ts';
import { lookAtViews } from './live-views.ts';
import { type LongWork, openProgress } from './rate-progress.ts';
import { printable, say, warn } from './terminal.ts';
import { JSON_FLAG } from './values.ts';
import {
  type CheckedView,
  checkedGeneration,
  openViewCheck,
  type ViewFinding,
  type ViewReport,
} from './verify-views.ts';
import { withLog } from './with-log.ts';

export interface VerifyDependencies extends Pick<LongWork, 'out' | 'progress'> {
  /** The log as stored: below the upcasters. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  /** The log, decrypted and upcast. */
  readonly store: StreamReader;
  /** The newest known version of an event type. */
  readonly newestVersion: (type: string) => number;
  /** What the store knows of positions; absent if it only knows their order. */
  readonly places?: {
    positionAfter(position: Position): Position;
    placeAfter(position: Position): EventPlace | null;
    damage(): readonly string[];
  };
  /** Subjects whose personal data no key decrypts, after all of it has been read. */
  readonly unreadable: () => Promise<readonly string[]>;
  readonly views: readonly CheckedView[];
  readonly projections: readonly AnyProjection[];
}

/** Returns 1 if there are problems. Concurrent appends are left out. */
export const verifyCommand = command(
  {
    name: 'verify',
    description: [
      'It writes nothing, and the service may keep running. Exit code 1: problems were found. Events cut off the end of both log and read model, or a completely rehashed log, cannot be detected: compare the last hash with that of a backup.',
    ],
    options: { json: JSON_FLAG },
    examples: [['daybook verify', 'checks everything and shows the last hash']],
  },
  async (_, dependencies: VerifyDependencies) => {
    const verified = await verify(dependencies);
    return { json: verified, lines: linesOf(verified), code: verified.fits ? 0 : 1 };
  },
  (work) =>
    withLog('read', async ({ store, rawLog, unreadable, rendering }, config) => {
      const places = openPlaces(config);
      const { skips } = await readControl(store);
      const unreachable = (why: string): void => warn(`The views are not checked: ${why}`);
      try {
        return await lookAtViews(config, unreachable, (live) =>
          work({
            log: rawLog,
            store,
            newestVersion: currentSchemaVersion,
            ...(places && { places }),
            async unreadable() {
              await readEverythingPersonal(store);
              return unreadable.subjects();
            },
            views: live ? [checkedGeneration(live)] : [],
            projections: withSkips(allProjections(rendering), skips),
            out: say,
            progress: openProgress(),
          }),
        );
      } finally {
        places?.close();
      }
    }),
);

interface Verified {
  readonly fits: boolean;
  readonly log: LogReport & {
    readonly read: 'complete' | 'cut short';
    /** What is wrong with the file of a log besides its events, such as an index. */
    readonly damage: readonly string[];
  };
  /** Users and organizers whose keys are lost, by their streams. */
  readonly unreadable: readonly string[];
  readonly views: readonly ViewReport[];
}

async function verify(dependencies: VerifyDependencies): Promise<Verified> {
  const { log, newestVersion, places, views, progress } = dependencies;
  // Before the log is read: every event in the read model must be in it.
  const checks = await Promise.all(views.map((view) => openViewCheck(view, dependencies)));
  const checker = createLogChecker({ newestVersion, ...(places && { positionAfter: places.positionAfter }) });
  progress.begin('Reading the log', 'events', null);
  const outcome = await replayLog({
    log,
    checker,
    observe(event) {
      for (const check of checks) check.observe(event);
    },
    ...(places && { placeAfter: places.placeAfter }),
    onProgress: progress.reach,
  });
  progress.end();
  const report = checker.report();
  // The expected documents are unknown if the log could not be read to its end.
  const viewReports: ViewReport[] = [];
  for (const check of outcome === 'complete' ? checks : []) {
    progress.begin('Checking the views', 'documents', null);
    viewReports.push(await check.finish(progress.reach));
    progress.end();
  }
  // A damaged log cannot be read to its end with keys either.
  const unreadable = report.misfits === 0 ? await dependencies.unreadable() : [];
  const damage = places?.damage() ?? [];
  const fits =
    report.misfits + damage.length + unreadable.length === 0 && viewReports.every(({ misfits }) => misfits === 0);
  return { fits, log: { ...report, read: outcome, damage }, unreadable, views: viewReports };
}

function linesOf({ fits, log, unreadable, views }: Verified): string[] {
  return [
    ...logLines(log),
    ...keysLines(unreadable),
    ...views.flatMap(viewLines),
    fits
      ? 'No problems found. (A truncated or completely rehashed log cannot be detected: keep backups.)'
      : 'PROBLEMS FOUND.',
  ];
}

const MAX_NAMED = 20;

function keysLines(unreadable: readonly string[]): string[] {
  if (unreadable.length === 0) return [];
  const more = unreadable.length > MAX_NAMED ? `, and ${unreadable.length - MAX_NAMED} more` : '';
  return [
    `PROBLEM: keys: personal data of ${counted(unreadable.length, 'person')} cannot be read, because the key is lost: ${unreadable.slice(0, MAX_NAMED).join(', ')}${more}`,
    'What to do: restore a newer backup of the keys, then run `daybook rebuild`. Without one, enter the data again, or erase them.',
  ];
}

function logLines(log: Verified['log']): string[] {
  const { events, streams, chained, unchained, position, lastHash, findings, misfits } = log;
  const before = unchained === 0 ? '' : `, ${unchained} recorded without one`;
  const lines = [
    `log: ${counted(events, 'event')} in ${counted(streams, 'stream')} up to position ${position || 'start'}; ${chained} with a hash${before}`,
  ];
  if (lastHash !== null) lines.push(`last hash: ${lastHash}`);
  lines.push(...findings.map((finding, index) => logFindingLine(index === 0 ? 'FIRST' : 'then', finding)));
  if (misfits > findings.length) lines.push(`… and ${misfits - findings.length} more`);
  if (log.read === 'cut short') lines.push('The log was read only up to there, and the read model was not checked.');
  if (misfits > 0)
    lines.push('What to do: keep this log as evidence, restore the last good backup, then run `daybook rebuild`.');
  lines.push(...log.damage.map((what) => printable(`PROBLEM: the file of the log: ${what}`)));
  if (log.damage.length > 0 && misfits === 0)
    lines.push(
      'What to do: all events are readable, so nothing is lost yet. Stop the service, keep a copy of the file, make a new one ' +
        'with `daybook backup` and `daybook restore`, and check the disk.',
    );
  return lines;
}

function logFindingLine(which: string, { misfit, stream, revision, type, position, expected, found }: LogFinding) {
  const what =
    stream === null
      ? `the event after position ${position || 'start'}`
      : `${stream} revision ${revision} (${type}, position ${position})`;
  return printable(`${which} PROBLEM: ${what}: ${misfit}: expected ${expected}, found ${found}`);
}

function viewLines({ name, checkpoint, behind, documents, rows, findings, misfits }: ViewReport): string[] {
  const lines = [
    `views ${name}: checkpoint ${checkpoint || 'start'}, ${counted(behind, 'event')} behind; ${counted(documents, 'document')} checked`,
    ...(rows === 'changed' ? ['Rows and names were not compared: too much was written meanwhile. Try again.'] : []),
    ...findings.map((finding) => viewFindingLine(name, finding)),
  ];
  if (misfits > findings.length) lines.push(`… and ${misfits - findings.length} more`);
  if (findings.some(({ lacks }) => lacks === 'log'))
    lines.push(
      'What to do: events are missing from the log, or these are the views of another one. Check DAYBOOK_EVENT_STORE and ' +
        'DAYBOOK_READ_MODEL; restore a backup of the log, then run `daybook rebuild`.',
    );
  else if (misfits > 0) lines.push('What to do: run `daybook rebuild`; the log has everything.');
  return lines;
}

function viewFindingLine(name: string, { stream, expected, found }: ViewFinding): string {
  const where = stream === null ? '' : ` ${stream}:`;
  return printable(`PROBLEM: views ${name}:${where} expected ${expected}, found ${found}`);
}
