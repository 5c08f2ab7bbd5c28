// `daybook projections`: where views stand, and how they get past an event that they cannot fold.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type ControlFact, type Skip, toldAfter } from '../../projections/control.ts';
import {
  type PoisonEvent,
  type ProjectionStatus,
  type ProjectionStatusSources,
  projectionStatusOf,
} from '../../projections/engine/projection-status.ts';
import type { Position } from '../event-store/envelope.ts';
import { systemActor, systemMetadata } from '../event-store/writing.ts';
import { createLagMeter, type Lag } from '../observability/lag.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { UsageError } from './usage-error.ts';

export interface ProjectionsDependencies extends ProjectionStatusSources {
  /** Name of the generation of views in use; null when there is none, or nobody knows. */
  readonly generation: () => Promise<string | null>;
  /** Stands in the log as the one who resumed or skipped. */
  readonly operator: string;
  readonly now: () => EpochSeconds;
  /** UUIDs, for events and for the run as a whole. */
  readonly newId: () => string;
  /** Waits long enough for a projector that runs to get on. */
  readonly pause: () => Promise<void>;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const PROJECTIONS_USAGE = `daybook projections status [--json]
daybook projections resume [--reason "WHY"]
daybook projections skip --position P --reason "WHY"`;

const ATTEMPTS = 10;

type Flags = NonNullable<ParseArgsConfig['options']>;

/**
 * Carries out `daybook projections ...`; `args` is what stands behind `projections`. Answers the exit code: 1 when
 * `status` finds that views cannot get past an event, else 0. What is told to the projectors stands in the log; they heed
 * it within about a second, in whichever process they are. Throws `UsageError`.
 */
export async function runProjections(args: readonly string[], dependencies: ProjectionsDependencies): Promise<0 | 1> {
  const [subcommand, ...rest] = args;
  switch (subcommand) {
    case 'status':
      return status(rest, dependencies);
    case 'resume':
      return resume(rest, dependencies);
    case 'skip':
      return skip(rest, dependencies);
    default: {
      const said = subcommand === undefined ? 'what to do is missing' : `unknown word "${subcommand}"`;
      throw new UsageError(`projections: ${said}; allowed: status, resume, skip.\n${PROJECTIONS_USAGE}`);
    }
  }
}

async function status(args: readonly string[], dependencies: ProjectionsDependencies): Promise<0 | 1> {
  const { json } = read('status', args, { json: { type: 'boolean', default: false } } as const);
  const { store, projections, now, out } = dependencies;
  const standing = await projectionStatusOf(dependencies);
  const head = await store.head();
  const prefixes = projections.map(({ prefix }) => prefix);
  const lag = await createLagMeter({ store, prefixes, now }).measure(standing.checkpoint, head);
  const found: Found = { standing, head, lag, generation: await dependencies.generation() };
  if (json) out(JSON.stringify(asJson(found)));
  else for (const line of linesOf(found)) out(printable(line));
  return standing.poisonEvent === null ? 0 : 1;
}

async function resume(args: readonly string[], dependencies: ProjectionsDependencies): Promise<0> {
  const { reason } = read('resume', args, { reason: { type: 'string' } } as const);
  const why = reason === undefined ? null : said('resume', reason);
  const resumed = await tell(dependencies, async (standing) => {
    const position = standing.poisonEvent?.position ?? (await standstill(standing, dependencies));
    if (position === null) throw new UsageError('projections resume: nothing is stopped; nothing was recorded.', 1);
    return { type: 'ProjectionResumed', data: { position, reason: why } };
  });
  dependencies.out(`Recorded: projectors try again at position ${resumed.data.position}.`);
  tellOfObstacle(await projectionStatusOf(dependencies), 'This version still cannot fold it', dependencies);
  return 0;
}

async function skip(args: readonly string[], dependencies: ProjectionsDependencies): Promise<0> {
  const flags = read('skip', args, { position: { type: 'string' }, reason: { type: 'string' } } as const);
  if (flags.position === undefined)
    throw new UsageError(`projections skip: --position is missing.\n${PROJECTIONS_USAGE}`);
  if (flags.reason === undefined) throw new UsageError(`projections skip: --reason is missing.\n${PROJECTIONS_USAGE}`);
  const asked = flags.position;
  const reason = said('skip', flags.reason);
  const { data } = await tell(dependencies, async (standing) => {
    const { position, stream, revision, type } = obstacleAt(asked, standing);
    return { type: 'EventSkipped', data: { position, stream, revision, type, reason } };
  });
  dependencies.out(printable(`Recorded: views do without ${eventLine(data)} from now on, also when they are rebuilt.`));
  tellOfObstacle(await projectionStatusOf(dependencies), 'The next one that cannot be folded is', dependencies);
  return 0;
}

/** What stands in the way, if it stands where it is said to. */
function obstacleAt(asked: Position, { poisonEvent, control }: ProjectionStatus): PoisonEvent {
  if (poisonEvent?.position === asked) return poisonEvent;
  const known = control.skips.has(asked) ? `the event at position ${asked} is skipped already` : null;
  if (poisonEvent === null)
    throw new UsageError(`projections skip: ${known ?? 'nothing is stopped'}; nothing was recorded.`, 1);
  const place = printable(`views stand before ${eventLine(poisonEvent)}`);
  throw new UsageError(
    `projections skip: ${known ? `${known}; ` : ''}${place}, not at ${printable(asked)}; nothing was recorded.`,
    1,
  );
}

/**
 * Where views stand although this version could go on: the projector is an older one, or what was in its way has passed.
 * Null when there is nothing to do or somebody does it.
 */
async function standstill(
  { next: [first], checkpoint }: ProjectionStatus,
  { pause, readModel }: ProjectionsDependencies,
): Promise<Position | null> {
  if (!first) return null;
  await pause();
  return (await readModel.checkpoint()) === checkpoint ? first.position : null;
}

/** Decides on the standing of the moment, and again when somebody else has told the projectors something meanwhile. */
async function tell<F extends ControlFact>(
  dependencies: ProjectionsDependencies,
  decide: (standing: ProjectionStatus) => Promise<F>,
): Promise<F> {
  const { store, now, newId, operator } = dependencies;
  const correlationId = newId();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const standing = await projectionStatusOf(dependencies);
    const fact = await decide(standing);
    const metadata = systemMetadata({ actor: systemActor(operator), now: now(), correlationId });
    const outcome = await store.append([toldAfter(standing.control, fact, { id: newId(), metadata })]);
    if (outcome.kind === 'appended') return fact;
  }
  throw new UsageError('projections: others were faster each time; try again.', 1);
}

function tellOfObstacle({ poisonEvent }: ProjectionStatus, lead: string, { out }: ProjectionsDependencies): void {
  if (poisonEvent) out(printable(`${lead}: ${eventLine(poisonEvent)}: ${poisonEvent.why}`));
}

interface Found {
  readonly standing: ProjectionStatus;
  readonly head: Position;
  readonly lag: Lag;
  readonly generation: string | null;
}

const asJson = ({ standing: { checkpoint, next, poisonEvent, control }, head, lag, generation }: Found): object => ({
  status: poisonEvent ? 'stopped' : 'fine',
  generation,
  checkpoint,
  head,
  lag_events: lag.events,
  lag_events_counted: lag.counted,
  lag_seconds: lag.seconds,
  looked_ahead: next.length,
  stopped_at: poisonEvent,
  skips: [...control.skips.values()],
});

function linesOf({ standing: { checkpoint, next, poisonEvent, control }, head, lag, generation }: Found): string[] {
  const events = lag.counted === 'exactly' ? `${lag.events} events` : `at least ${lag.events} events`;
  const skips = [...control.skips.values()];
  return [
    `generation:  ${generation ?? 'unknown'}`,
    `checkpoint:  ${checkpoint === '' ? 'none: nothing has been applied' : checkpoint}`,
    `head:        ${head === '' ? 'none: the log is empty' : head}`,
    `lag:         ${events}, ${lag.seconds} s`,
    ...(poisonEvent ? obstacleLines(poisonEvent) : [`next:        ${nextLine(next.length)}`]),
    `skipped:     ${skips.length === 0 ? 'none' : ''}`.trimEnd(),
    ...skips.map(skipLine),
  ];
}

const nextLine = (count: number): string =>
  count === 0 ? 'nothing: views have everything' : `${count} events that can be folded`;

const obstacleLines = (poisonEvent: PoisonEvent): string[] => [
  `STOPPED at:  ${eventLine(poisonEvent)}, recorded ${poisonEvent.instant}`,
  `because:     ${poisonEvent.why}`,
];

const skipLine = (one: Skip): string => `  ${eventLine(one)}: ${one.reason} (${one.actor.name}, ${one.instant})`;

const eventLine = ({ position, stream, revision, type }: Omit<Skip, 'actor' | 'instant' | 'reason'>): string =>
  `${type} (position ${position}, ${stream} revision ${revision})`;

/** What somebody wrote into the log must not move the cursor of whoever reads it. */
const printable = (line: string): string => line.replace(/\p{Cc}/gu, ' ');

function said(word: string, reason: string): string {
  if (reason.trim() !== '') return reason.trim();
  throw new UsageError(`projections ${word}: --reason is blank.`);
}

function read<const Options extends Flags>(word: string, args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    const allowed = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`projections ${word}: ${problem}; allowed: ${allowed.join(', ')}.`);
  }
}
