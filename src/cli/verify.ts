// `daybook verify`: does the log hold what was once written, and do the views stand where they say they stand?
import { parseArgs } from 'node:util';
import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { createLogChecker, type LogFinding, type LogReport } from '../event-store/hash-chain/verify.ts';
import { type EventPlace, replayLog } from '../event-store/hash-chain/verify-log.ts';
import type { Progress } from '../import/progress.ts';
import { UsageError } from './usage-error.ts';
import { type CheckedView, openViewCheck, type ViewFinding, type ViewReport } from './verify-views.ts';

export interface VerifyDependencies {
  /** The log as it is stored: below what lifts old events to today's shape. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  /** The same log as everybody reads it. */
  readonly store: Pick<EventStore, 'readStream'>;
  /** The newest version in which events of a type are known. */
  readonly newestVersion: (type: string) => number;
  /** What the store knows of positions; absent where it knows no more than their order. */
  readonly places?: {
    positionAfter(position: Position): Position;
    placeAfter(position: Position): EventPlace | null;
  };
  /** Whose personal data no key opens, once all of it has been read. */
  readonly unreadable: () => Promise<readonly string[]>;
  readonly views: readonly CheckedView[];
  readonly projections: readonly AnyProjection[];
  /** How many events the log has; null when nobody knows without reading them. */
  readonly countEvents: () => Promise<number | null>;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
  readonly progress: Progress;
}

export const VERIFY_USAGE = `daybook verify [--json]   not seen: events taken from the end of the log and of the views, hashes taken from all of its beginning`;

interface Verified {
  readonly fits: boolean;
  readonly log: LogReport & { readonly read: 'complete' | 'cut short' };
  /** Users and organizers whose keys are lost, by their streams. */
  readonly unreadable: readonly string[];
  readonly views: readonly ViewReport[];
}

/**
 * Carries out `daybook verify ...`; `args` is what stands behind `verify`. Answers the exit code: 0 when everything fits,
 * 1 when something does not. It writes nothing, and others may write meanwhile: what they append is left out.
 * Throws `UsageError`.
 */
export async function runVerify(args: readonly string[], dependencies: VerifyDependencies): Promise<0 | 1> {
  const { json } = read(args);
  const verified = await verify(dependencies);
  const lines = json ? [JSON.stringify(verified)] : linesOf(verified);
  for (const line of lines) dependencies.out(line);
  return verified.fits ? 0 : 1;
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw new UsageError(`verify: ${problem}; allowed: --json.\n${VERIFY_USAGE}`);
  }
}

async function verify(dependencies: VerifyDependencies): Promise<Verified> {
  const { log, newestVersion, places, views, progress, countEvents } = dependencies;
  // Before the log is read: what a view has seen by now must be in it.
  const checks = await Promise.all(views.map((view) => openViewCheck(view, dependencies)));
  const checker = createLogChecker({ newestVersion, ...(places && { positionAfter: places.positionAfter }) });
  progress.begin('Reading the log', 'events', await countEvents());
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
  // Of a log that could not be read to its end nobody can say what the views should have.
  const viewReports: ViewReport[] = [];
  for (const check of outcome === 'complete' ? checks : []) {
    progress.begin('Looking at the views', 'documents', null);
    viewReports.push(await check.finish(progress.reach));
    progress.end();
  }
  // A log that is damaged cannot be read to its end with keys either.
  const unreadable = report.misfits === 0 ? await dependencies.unreadable() : [];
  const fits = report.misfits === 0 && unreadable.length === 0 && viewReports.every(({ misfits }) => misfits === 0);
  return { fits, log: { ...report, read: outcome }, unreadable, views: viewReports };
}

function linesOf({ fits, log, unreadable, views }: Verified): string[] {
  return [
    ...logLines(log),
    ...keysLines(unreadable),
    ...views.flatMap(viewLines),
    fits
      ? 'Everything fits. What is gone from the end of the log and of the views cannot be seen, nor streams that were sealed anew from end to end: keep copies.'
      : 'NOT EVERYTHING FITS.',
  ];
}

const MOST_NAMED = 20;

function keysLines(unreadable: readonly string[]): string[] {
  if (unreadable.length === 0) return [];
  const more = unreadable.length > MOST_NAMED ? `, and ${unreadable.length - MOST_NAMED} more` : '';
  return [
    `DOES NOT FIT: keys: personal data of ${unreadable.length} ${unreadable.length === 1 ? 'person' : 'persons'} cannot be read, as the key is lost: ${unreadable.slice(0, MOST_NAMED).join(', ')}${more}`,
    'What to do: put back a newer backup of the keys, then run `daybook rebuild`. Without one, enter the data anew, or erase them.',
  ];
}

function logLines(log: Verified['log']): string[] {
  const { events, streams, chained, unchained, position, lastHash, findings, misfits } = log;
  const before = unchained === 0 ? '' : `, ${unchained} recorded without one`;
  const lines = [
    `log: ${events} events in ${streams} streams up to position ${position || 'start'}; ${chained} with a hash${before}`,
  ];
  if (lastHash !== null) lines.push(`last hash: ${lastHash}`);
  lines.push(...findings.map((finding, index) => logFindingLine(index === 0 ? 'FIRST' : 'then', finding)));
  if (misfits > findings.length) lines.push(`… and ${misfits - findings.length} more`);
  if (log.read === 'cut short') lines.push('The log was read up to there only, and the views were not looked at.');
  if (misfits > 0)
    lines.push(
      'What to do: keep this log as evidence, put back the last backup that fits, then run `daybook rebuild`.',
    );
  return lines;
}

function logFindingLine(which: string, { misfit, stream, revision, type, position, expected, found }: LogFinding) {
  const what =
    stream === null
      ? `the event after position ${position || 'start'}`
      : `${stream} revision ${revision} (${type}, position ${position})`;
  return printable(`${which} DOES NOT FIT: ${what}: ${misfit}: expected ${expected}, found ${found}`);
}

function viewLines({ name, checkpoint, behind, documents, findings, misfits }: ViewReport): string[] {
  const lines = [
    `views ${name}: checkpoint ${checkpoint || 'start'}, ${behind} events behind; ${documents} documents looked at`,
    ...findings.map((finding) => viewFindingLine(name, finding)),
  ];
  if (misfits > findings.length) lines.push(`… and ${misfits - findings.length} more`);
  if (findings.some(({ lacks }) => lacks === 'log'))
    lines.push(
      'What to do: events are gone from the log, or these are the views of another one. Check DAYBOOK_EVENT_STORE and ' +
        'DAYBOOK_READ_MODEL; put back a backup of the log, then run `daybook rebuild`.',
    );
  else if (misfits > 0) lines.push('What to do: run `daybook rebuild`; the log has everything.');
  return lines;
}

function viewFindingLine(name: string, { stream, expected, found }: ViewFinding): string {
  const where = stream === null ? '' : ` ${stream}:`;
  return printable(`DOES NOT FIT: views ${name}:${where} expected ${expected}, found ${found}`);
}

/** What somebody wrote into a log must not move the cursor of whoever checks it. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');
