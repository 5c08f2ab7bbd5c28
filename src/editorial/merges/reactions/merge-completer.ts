// Completes merges that were interrupted between their appends, where the store has no transactions.
//
// The read model says what was merged; whether a merge has ended is read from the log, once for each in a process.

import { isOutage } from '../../../log/writing.ts';
import { type EditorialOptions, type Reaction, repeat } from '../../../reactions/repeat.ts';
import { MERGED } from '../../../read-model/documents.ts';
import { completeMerge } from '../commands/complete.ts';
import { MERGED_KINDS, type MergedKind } from '../domain/merge.ts';

const LOOK_AFTER_MS = 2_000;

export function startMergeCompleter({ commands, readModel, clock, log }: EditorialOptions): Reaction {
  /** Kind, id and revision of merged resources that need nothing more. */
  const settled = new Set<string>();

  async function completeOne(kind: MergedKind, id: number, name: string): Promise<void> {
    try {
      const progress = await completeMerge(commands, clock.now(), { kind, id });
      if (progress === 'completed') log.info({ kind, id }, 'completed an interrupted merge');
      if (progress !== 'under way') settled.add(name);
    } catch (error) {
      if (isOutage(error)) throw error;
      log.error({ err: error, kind, id }, 'interrupted merge could not be completed');
      settled.add(name);
    }
  }

  return repeat({
    pauseMs: LOOK_AFTER_MS,
    async look(ending) {
      for (const kind of MERGED_KINDS) {
        const ids = await readModel.named(kind, MERGED);
        const documents = await readModel.fetch(ids.map((id) => ({ kind, id })));
        for (const document of documents) {
          if (ending.aborted) return;
          const name = `${kind} ${document?.id} ${document?.revision}`;
          if (document && !settled.has(name)) await completeOne(kind, document.id, name);
        }
      }
    },
    failed: (error) => log.error({ err: error }, 'search for interrupted merges failed'),
  });
}
