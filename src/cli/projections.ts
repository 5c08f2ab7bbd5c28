// `daybook projections`: shows projection status; retries or skips a failing event.

import { setTimeout as sleep } from 'node:timers/promises';
import { allProjections } from '../../projections/catalogue.ts';
import { type ControlFact, controlAppend, type Skip } from '../../projections/engine/control.ts';
import {
  type PoisonEvent,
  type ProjectionStatus,
  type ProjectionStatusSources,
  projectionStatusOf,
} from '../../projections/engine/projection-status.ts';
import { openGenerations } from '../composition.ts';
import type { Position } from '../event-store/envelope.ts';
import { createLagMeter, type Lag } from '../observability/lag.ts';
import { counted } from '../text/counted.ts';
import {
  type Arguments,
  type Command,
  command,
  type Given,
  type Group,
  type Options,
  type Synopsis,
  synopsis,
} from './command.ts';
import { UsageError } from './errors.ts';
import { printable } from './terminal.ts';
import { JSON_FLAG, REASON, TEXT } from './values.ts';
import { operatorMetadata, SURROUNDINGS, type Surroundings, withLog } from './with-log.ts';

export interface ProjectionsDependencies extends ProjectionStatusSources, Surroundings {
  /** Name of the generation in use; null if there is none, or it is unknown. */
  readonly generation: () => Promise<string | null>;
  /** The actor of resumes and skips. */
  readonly operator: string;
  /** Waits long enough for a running projector to continue. */
  readonly pause: () => Promise<void>;
}

const STATUS = synopsis({
  name: 'projections status',
  summary: 'show checkpoint, lag and a failing event',
  description: ['Exit code 1: the projector has stopped at an event that cannot be folded.'],
  arguments: {},
  options: { json: JSON_FLAG },
  examples: [['daybook projections status', 'shows how far the read model is behind the log']],
});

const RESUME = synopsis({
  name: 'projections resume',
  summary: 'make the projectors retry a failing event at once',
  arguments: {},
  options: { reason: REASON },
  examples: [['daybook projections resume --reason "fixed in 0.1.1"', 'retries after an upgrade']],
});

const SKIP = synopsis({
  name: 'projections skip',
  summary: 'make the projectors skip the failing event, also in rebuilds',
  description: ['The event stays in the log; documents are built as if it had not happened.'],
  arguments: {},
  options: {
    position: {
      value: 'P',
      description: 'position of the failing event, as `status` shows it',
      type: TEXT,
      required: true,
    },
    reason: { ...REASON, required: true },
  },
  examples: [['daybook projections skip --position 004f --reason "test data"', 'skips the event at that position']],
});

export const projectionsGroup: Group<ProjectionsDependencies> = {
  name: 'projections',
  subcommands: {
    status: projectionsCommand(STATUS, status),
    resume: projectionsCommand(RESUME, resume),
    skip: projectionsCommand(SKIP, skip),
  },
};

/** How long a running projector may take to notice a new instruction. */
const NOTICED_AFTER_MS = 2_500;

function projectionsCommand<A extends Arguments, O extends Options>(
  spec: Synopsis<A, O>,
  perform: (given: Given<A, O>, dependencies: ProjectionsDependencies) => Promise<0 | 1>,
): Command<Given<A, O>, ProjectionsDependencies> {
  return command(spec, {
    perform,
    run: (given) =>
      withLog('existing', async ({ store, rendering }, config) => {
        const generations = await openGenerations(config);
        const live = await generations.live();
        try {
          if (!live)
            throw new UsageError(
              'projections: there is no read model yet; the next start of the service builds it.',
              1,
            );
          return await perform(given, {
            ...SURROUNDINGS,
            store,
            readModel: live.model,
            projections: allProjections(rendering),
            generation: async () => live.name,
            operator: 'daybook projections',
            pause: () => sleep(NOTICED_AFTER_MS),
          });
        } finally {
          await live?.close();
          await generations.close();
        }
      }),
  });
}

const ATTEMPTS = 10;

async function status({ json }: { readonly json: boolean }, dependencies: ProjectionsDependencies): Promise<0 | 1> {
  const { store, projections: all, now, out } = dependencies;
  const status = await projectionStatusOf(dependencies);
  const head = await store.head();
  const prefixes = all.map(({ prefix }) => prefix);
  const lag = await createLagMeter({ store, prefixes, now }).measure(status.checkpoint, head);
  const found: Found = { status, head, lag, generation: await dependencies.generation() };
  if (json) out(JSON.stringify(asJson(found)));
  else for (const line of linesOf(found)) out(printable(line));
  return status.poisonEvent === null ? 0 : 1;
}

async function resume(
  { reason = null }: { readonly reason: string | null | undefined },
  dependencies: ProjectionsDependencies,
): Promise<0> {
  const resumed = await record(dependencies, async (status) => {
    const position = status.poisonEvent?.position ?? (await standstill(status, dependencies));
    if (position === null)
      throw new UsageError('projections resume: no projector has stopped; nothing was recorded.', 1);
    return { type: 'ProjectionResumed', data: { position, reason } };
  });
  dependencies.out(`Recorded: projectors retry at position ${resumed.data.position}.`);
  showPoisonEvent(await projectionStatusOf(dependencies), 'This version still cannot fold it', dependencies);
  return 0;
}

async function skip(
  { position: asked, reason }: { readonly position: string; readonly reason: string },
  dependencies: ProjectionsDependencies,
): Promise<0> {
  const { data } = await record(dependencies, async (status) => {
    const { position, stream, revision, type } = poisonEventAt(asked, status);
    return { type: 'EventSkipped', data: { position, stream, revision, type, reason } };
  });
  dependencies.out(printable(`Recorded: views skip ${eventLine(data)} from now on, also when they are rebuilt.`));
  showPoisonEvent(await projectionStatusOf(dependencies), 'The next event that cannot be folded is', dependencies);
  return 0;
}

/** The failing event, if it is at this position. */
function poisonEventAt(asked: Position, { poisonEvent, control }: ProjectionStatus): PoisonEvent {
  if (poisonEvent?.position === asked) return poisonEvent;
  const known = control.skips.has(asked) ? `the event at position ${asked} is skipped already` : null;
  if (poisonEvent === null)
    throw new UsageError(`projections skip: ${known ?? 'no projector has stopped'}; nothing was recorded.`, 1);
  const place = printable(`the projector has stopped before ${eventLine(poisonEvent)}`);
  throw new UsageError(
    `projections skip: ${known ? `${known}; ` : ''}${place}, not at ${printable(asked)}; nothing was recorded.`,
    1,
  );
}

/**
 * The checkpoint at which the read model has stopped although this version could continue: the projector is older, or
 * the cause has passed. Null if there is nothing to do, or a projector is doing it.
 */
async function standstill(
  { next: [first], checkpoint }: ProjectionStatus,
  { pause, readModel }: ProjectionsDependencies,
): Promise<Position | null> {
  if (!first) return null;
  await pause();
  return (await readModel.checkpoint()) === checkpoint ? first.position : null;
}

/** Decides on the present status, and again if another instruction was recorded meanwhile. */
async function record<F extends ControlFact>(
  dependencies: ProjectionsDependencies,
  decide: (status: ProjectionStatus) => Promise<F>,
): Promise<F> {
  const { store, newId, operator } = dependencies;
  const metadata = operatorMetadata(operator, dependencies);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const status = await projectionStatusOf(dependencies);
    const fact = await decide(status);
    const outcome = await store.append([controlAppend(status.control, fact, { id: newId(), metadata })]);
    if (outcome.kind === 'appended') return fact;
  }
  throw new UsageError('projections: other processes kept changing this at the same time. Try again.', 1);
}

function showPoisonEvent({ poisonEvent }: ProjectionStatus, lead: string, { out }: ProjectionsDependencies): void {
  if (poisonEvent) out(printable(`${lead}: ${eventLine(poisonEvent)}: ${poisonEvent.why}`));
}

interface Found {
  readonly status: ProjectionStatus;
  readonly head: Position;
  readonly lag: Lag;
  readonly generation: string | null;
}

const asJson = ({ status: { checkpoint, next, poisonEvent, control }, head, lag, generation }: Found): object => ({
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

function linesOf({ status: { checkpoint, next, poisonEvent, control }, head, lag, generation }: Found): string[] {
  const events = `${lag.counted === 'exactly' ? '' : 'at least '}${counted(lag.events, 'event')}`;
  const skips = [...control.skips.values()];
  return [
    `generation:  ${generation ?? 'unknown'}`,
    `checkpoint:  ${checkpoint === '' ? 'none: nothing has been applied' : checkpoint}`,
    `head:        ${head === '' ? 'none: the log is empty' : head}`,
    `lag:         ${events}, ${lag.seconds} s`,
    ...(poisonEvent ? poisonLines(poisonEvent) : [`next:        ${nextLine(next.length)}`]),
    `skipped:     ${skips.length === 0 ? 'none' : ''}`.trimEnd(),
    ...skips.map(skipLine),
  ];
}

const nextLine = (count: number): string =>
  count === 0 ? 'none: the read model is up to date' : `${counted(count, 'event')} to apply`;

const poisonLines = (poisonEvent: PoisonEvent): string[] => [
  `STOPPED at:  ${eventLine(poisonEvent)}, recorded ${poisonEvent.instant}`,
  `because:     ${poisonEvent.why}`,
];

const skipLine = (one: Skip): string => `  ${eventLine(one)}: ${one.reason} (${one.actor.name}, ${one.instant})`;

const eventLine = ({ position, stream, revision, type }: Omit<Skip, 'actor' | 'instant' | 'reason'>): string =>
  `${type} (position ${position}, ${stream} revision ${revision})`;
