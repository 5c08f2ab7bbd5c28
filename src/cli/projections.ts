// `daybook projections`: shows projection status; retries a parked resource, or skips the event that it is parked at.

import { allProjections } from '../../projections/catalogue.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import { openGenerations } from '../composition.ts';
import { closing } from '../kernel/files/closing.ts';
import { counted } from '../kernel/text/counted.ts';
import type { Position } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import { createLagMeter, type Lag } from '../observability/lag.ts';
import type { ParkedDocument } from '../read-model/documents.ts';
import { type ControlFact, controlAppend, readControl, type Skip } from '../read-model/projector/control.ts';
import { parkedIn } from '../read-model/projector/parking.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { command, type ExitCode, type Group } from './command.ts';
import { UsageError } from './errors.ts';
import { printable } from './terminal.ts';
import { JSON_FLAG, REASON, TEXT } from './values.ts';
import { operatorMetadata, SURROUNDINGS, type Surroundings, withLog } from './with-log.ts';

export interface ProjectionsDependencies extends Surroundings {
  readonly store: EventStore;
  readonly readModel: Pick<ReadModel, 'checkpoint' | 'named' | 'fetch'>;
  readonly projections: readonly AnyProjection[];
  /** Name of the generation in use; null if there is none, or it is unknown. */
  readonly generation: () => Promise<string | null>;
}

const ATTEMPTS = 10;

type Status = Awaited<ReturnType<typeof statusOf>>;

/** Changes nothing. Rejections: those of the stores. */
const statusOf = async ({ store, readModel }: ProjectionsDependencies) => ({
  checkpoint: await readModel.checkpoint(),
  control: await readControl(store),
  parked: await parkedIn(readModel),
});

const onViews = (work: (dependencies: ProjectionsDependencies) => Promise<ExitCode>): Promise<ExitCode> =>
  withLog('existing', async ({ store, rendering }, config) =>
    closing(await openGenerations(config), async (generations) =>
      closing(await generations.live(), async (live) => {
        if (!live) throw new UsageError('there is no read model yet; the next start of the service builds it.', 1);
        return work({
          ...SURROUNDINGS,
          store,
          readModel: live.model,
          projections: allProjections(rendering),
          generation: async () => live.name,
        });
      }),
    ),
  );

const status = command(
  {
    name: 'projections status',
    summary: 'show checkpoint, lag and parked resources',
    description: ['Exit code 1: a resource is parked at an event that cannot be folded.'],
    options: { json: JSON_FLAG },
    examples: [['daybook projections status', 'shows how far the read model is behind the log']],
  },
  async (_, dependencies) => {
    const { store, projections: all, now } = dependencies;
    const status = await statusOf(dependencies);
    const head = await store.head();
    const prefixes = all.map(({ prefix }) => prefix);
    const lag = await createLagMeter({ store, prefixes, now }).measure(status.checkpoint, head);
    const report: StatusReport = { status, head, lag, generation: await dependencies.generation() };
    return { json: asJson(report), lines: linesOf(report).map(printable), code: status.parked.length === 0 ? 0 : 1 };
  },
  onViews,
);

const resume = command(
  {
    name: 'projections resume',
    summary: 'make the projectors fold parked resources anew at once',
    options: { reason: REASON },
    examples: [['daybook projections resume --reason "fixed in 0.1.1"', 'retries after an upgrade']],
  },
  async ({ reason = null }, dependencies) => {
    const count = await record(dependencies, ({ parked }) => {
      const [first] = parked;
      if (first === undefined) throw new UsageError('no resource is parked; nothing was recorded.', 1);
      return [{ type: 'ProjectionResumed', data: { position: first.at.position, reason } }, parked.length];
    });
    return `Recorded: projectors fold ${counted(count, 'parked resource')} anew.`;
  },
  onViews,
);

const skip = command(
  {
    name: 'projections skip',
    summary: 'make the projectors skip the event that a resource is parked at, also in rebuilds',
    description: ['The event stays in the log; the resource is built as if it had not happened.'],
    options: {
      position: {
        value: 'P',
        description: 'position of the event, as `status` shows it',
        type: TEXT,
        required: true,
      },
      reason: { ...REASON, required: true },
    },
    examples: [['daybook projections skip --position 004f --reason "test data"', 'skips the event at that position']],
  },
  async ({ position: requested, reason }, dependencies) => {
    const skipped = await record(dependencies, (status) => {
      const { position, stream, revision, type } = parkedAt(requested, status);
      const data = { position, stream, revision, type, reason };
      return [{ type: 'EventSkipped', data }, data];
    });
    return printable(`Recorded: views skip ${eventLine(skipped)} from now on, also when they are rebuilt.`);
  },
  onViews,
);

export const projectionsGroup: Group<ProjectionsDependencies> = {
  name: 'projections',
  subcommands: [status, resume, skip],
};

/** The event at a position, if a resource is parked at it. Dates are parked at the event of their series. */
function parkedAt(position: Position, { parked, control }: Status): ParkedDocument['at'] {
  const why = control.skips.has(position) ? `the event at position ${position} is skipped already` : null;
  const there = parked.filter(({ at }) => at.position === position);
  const match = there.find(({ resource }) => resource.kind === 'series') ?? there[0];
  if (match && why === null) return match.at;
  const said = printable(why ?? `no resource is parked at ${position}`);
  throw new UsageError(`${said}; nothing was recorded.`, 1);
}

/** Decides on the present status, and again if another instruction was recorded meanwhile. */
async function record<Result>(
  dependencies: ProjectionsDependencies,
  decide: (status: Status) => readonly [ControlFact, Result],
): Promise<Result> {
  const { store, newId } = dependencies;
  const metadata = operatorMetadata('daybook projections', dependencies);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const status = await statusOf(dependencies);
    const [fact, result] = decide(status);
    const outcome = await store.append([controlAppend(status.control, fact, { id: newId(), metadata })]);
    if (outcome.kind === 'appended') return result;
  }
  throw new UsageError('other processes kept changing this at the same time. Try again.', 1);
}

interface StatusReport {
  readonly status: Status;
  readonly head: Position;
  readonly lag: Lag;
  readonly generation: string | null;
}

const asJson = ({ status: { checkpoint, parked, control }, head, lag, generation }: StatusReport): object => ({
  status: parked.length > 0 ? 'parked' : 'fine',
  generation,
  checkpoint,
  head,
  lag_events: lag.events,
  lag_events_counted: lag.counted,
  lag_seconds: lag.seconds,
  parked: parked.map(({ at, why, withheld }) => ({ ...at, why, shown: !withheld })),
  skips: [...control.skips.values()],
});

function linesOf({ status: { checkpoint, parked, control }, head, lag, generation }: StatusReport): string[] {
  const events = `${lag.counted === 'exactly' ? '' : 'at least '}${counted(lag.events, 'event')}`;
  const skips = [...control.skips.values()];
  return [
    `generation:  ${generation ?? 'unknown'}`,
    `checkpoint:  ${checkpoint === '' ? 'none: nothing has been applied' : checkpoint}`,
    `head:        ${head === '' ? 'none: the log is empty' : head}`,
    `lag:         ${events}, ${lag.seconds} s`,
    `parked:      ${parked.length === 0 ? 'none' : counted(parked.length, 'resource')}`,
    ...parked.flatMap(parkedLines),
    `skipped:     ${skips.length === 0 ? 'none' : ''}`.trimEnd(),
    ...skips.map(skipLine),
  ];
}

const parkedLines = ({ at, why, withheld }: ParkedDocument): string[] => [
  `  ${eventLine(at)}, recorded ${at.instant}`,
  `    ${withheld ? 'not shown' : 'shown as before it'}, because: ${why}`,
];

const skipLine = (one: Skip): string => `  ${eventLine(one)}: ${one.reason} (${one.actor.name}, ${one.instant})`;

const eventLine = ({ position, stream, revision, type }: Omit<ParkedDocument['at'], 'instant'>): string =>
  `${type} (position ${position}, ${stream} revision ${revision})`;
