// Applies scheduled sets at their instant, and completes sets whose application was interrupted. What cannot be applied
// is left as it is.
import type { Agenda } from '../domain/change-set.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { type Reaction, type ReactionOptions, repeat } from './repeat.ts';

interface ChangeSetApplierOptions extends ReactionOptions {
  readonly agenda: () => Promise<Agenda>;
  readonly complete: (now: EpochSeconds) => Promise<number | null>;
  readonly apply: (
    context: { readonly now: EpochSeconds; readonly correlationId: string },
    id: number,
  ) => Promise<'applied' | 'failed' | 'unchanged'>;
  readonly newId: () => string;
}

const LOOK_AFTER_MS = 250;

export function startChangeSetApplier(options: ChangeSetApplierOptions): Reaction {
  const { agenda, complete, apply, clock, newId, log } = options;
  /** The last one, which is reported once. */
  let failure = '';

  async function completeUnderWay(): Promise<void> {
    const completed = await complete(clock.now());
    if (completed !== null) log.info({ set: completed }, 'completed a set whose application was interrupted');
  }

  async function applyDue(scheduled: Agenda['scheduled'], ending: AbortSignal): Promise<void> {
    for (const [set, at] of [...scheduled].sort(([, one], [, other]) => one - other)) {
      if (ending.aborted || at > clock.now()) return;
      const outcome = await apply({ now: clock.now(), correlationId: newId() }, set);
      if (outcome === 'applied') log.info({ set }, 'applied a scheduled set');
      if (outcome === 'failed') log.error({ set }, 'scheduled set could not be applied; nothing was changed');
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      const { scheduled, underWay } = await agenda();
      await (underWay ? completeUnderWay() : applyDue(scheduled, ending));
      failure = '';
    },
    failed(error) {
      if (failure !== String(error)) log.error({ err: error }, 'sets could not be applied');
      failure = String(error);
    },
  });
}
