// `daybook erase organizer 7 --reason "…"`: erases personal data, irreversibly.
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { oneOf, POSITIVE_INTEGER, REASON } from '../../../cli/values.ts';
import { onLog, operatorMetadata, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { ERASABLE, type ErasureDependencies, type ErasureOutcome, erase } from '../commands/erase.ts';
import { BELIEVED_FOR_MS } from '../facts/key-ring.ts';

interface EraseDependencies extends Omit<ErasureDependencies, 'newEventId'>, Surroundings {
  /** Updates the read model, so that the data is no longer shown when the command ends. */
  readonly project: () => Promise<unknown>;
}

export const eraseCommand = command(
  {
    name: 'erase',
    description: [
      'The key of the data is destroyed, so the data in the log can never be decrypted again. There is no confirmation prompt. Backups of the keys still decrypt the data: docs/operations/erase.md says what else to do.',
    ],
    arguments: {
      kind: { label: 'KIND', description: 'whose data', type: oneOf(ERASABLE) },
      id: {
        label: 'ID',
        description: 'id of the organizer, user, submission or link of a guest',
        type: POSITIVE_INTEGER,
      },
    },
    options: { reason: { ...REASON, description: 'why; history keeps it, so name no person in it', required: true } },
    examples: [
      ['daybook erase organizer 17 --reason "requested on 2030-11-20"', 'erases the personal data of organizer 17'],
    ],
  },
  async ({ kind, id, reason }, { store, keys, project, now, newId }: EraseDependencies) => {
    const metadata = { ...operatorMetadata('daybook erase', { now, newId }), reason };
    const outcome = await erase({ store, keys, newEventId: newId }, metadata, kind, id);
    if (outcome.kind === 'unknown') throw new UsageError(`there is no ${kind} ${id}.`, 1);
    if (outcome.kind === 'busy') throw new UsageError(`${kind} ${id} is being changed. Try again.`, 1);
    await project();
    // The running service opens what it reads with the keys that it has seen last.
    await sleep(BELIEVED_FOR_MS);
    return sentenceOf(outcome, `${kind} ${id}`);
  },
  onLog('existing', ({ store, keys, project }) => ({ store, keys, project, ...SURROUNDINGS })),
);

function sentenceOf({ kind }: Exclude<ErasureOutcome, { kind: 'unknown' | 'busy' }>, whom: string): string {
  switch (kind) {
    case 'erased':
      return `The personal data of ${whom} is erased. Backups of the keys still open it: delete them in time.`;
    case 'completed':
      return `The personal data of ${whom} is erased: an earlier erasure had been interrupted, and its key is deleted now.`;
    case 'erased before':
      return `The personal data of ${whom} had been erased before; nothing was written.`;
  }
}
