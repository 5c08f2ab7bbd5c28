// Applies scheduled sets at their instant, and completes sets whose application was interrupted. What cannot be applied
// is left as it is.

import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { SetWatch } from '../../../observability/set-watch.ts';
import { type Reaction, type ReactionOptions, repeat } from '../../../reactions/repeat.ts';
import type { CompletedSet } from '../commands/apply.ts';
import type { Agenda } from '../domain/change-set.ts';

interface ChangeSetApplierOptions extends ReactionOptions {
  readonly agenda: () => Promise<Agenda>;
  readonly complete: (now: EpochSeconds) => Promise<CompletedSet | null>;
  readonly apply: (
    context: { readonly now: EpochSeconds; readonly correlationId: string },
    id: number,
  ) => Promise<'applied' | 'failed' | 'unchanged'>;
  readonly newId: () => string;
  readonly watch: Pick<SetWatch, 'look'>;
}

const LOOK_AFTER_MS = 250;
/** After failures attempts are this many looks apart at most: half a minute. */
const MAX_LOOKS_APART = 128;

export function startChangeSetApplier(options: ChangeSetApplierOptions): Reaction {
  const { agenda, complete, apply, clock, newId, watch, log } = options;
  /** The last one, which is reported once. */
  let failure = '';
  let failures = 0;
  /** Until the next attempt. */
  let looks = 0;

  async function completeUnderWay(): Promise<void> {
    const completed = await complete(clock.now());
    if (completed === null) return;
    const { set, problems } = completed;
    if (problems.length === 0) log.info({ set }, 'completed an interrupted set of changes');
    else log.error({ set, problems }, 'completed an interrupted set of changes; some of them failed');
  }

  async function applyDue(scheduled: Agenda['scheduled'], ending: AbortSignal): Promise<void> {
    for (const [set, at] of [...scheduled].sort(([, one], [, other]) => one - other)) {
      if (ending.aborted || at > clock.now()) return;
      const outcome = await apply({ now: clock.now(), correlationId: newId() }, set);
      if (outcome === 'applied') log.info({ set }, 'applied a scheduled set of changes');
      if (outcome === 'failed') log.error({ set }, 'applying a scheduled set of changes failed; nothing was changed');
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      if (looks > 0) {
        looks--;
        return;
      }
      const { scheduled, underWay } = await agenda();
      watch.look(underWay);
      await (underWay ? completeUnderWay() : applyDue(scheduled, ending));
      failure = '';
      failures = 0;
    },
    failed(error) {
      looks = Math.min(2 ** failures++, MAX_LOOKS_APART);
      if (failure !== String(error)) log.error({ err: error }, 'applying sets of changes failed; retrying');
      failure = String(error);
    },
  });
}
