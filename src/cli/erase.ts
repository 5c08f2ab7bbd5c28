// `daybook erase organizer 7 --reason "…"`: what is known of a person is erased, for good.

import { parseArgs } from 'node:util';
import {
  ERASABLE,
  type ErasableKind,
  type ErasureDependencies,
  type ErasureOutcome,
  erase,
} from '../commands/erase.ts';
import { systemMetadata } from '../event-store/writing.ts';
import type { EpochSeconds } from '../time/zone.ts';
import { UsageError } from './usage-error.ts';

export interface EraseDependencies extends Omit<ErasureDependencies, 'newEventId'> {
  /** Brings the views along, so that nothing is shown any more when the answer comes. */
  readonly project: () => Promise<unknown>;
  readonly now: () => EpochSeconds;
  /** UUIDs, for events and for the run as a whole. */
  readonly newId: () => string;
  /** Takes one line of the answer, without its end. */
  readonly out: (line: string) => void;
}

export const ERASE_USAGE = 'daybook erase organizer|user ID --reason TEXT   for good: see docs/operations/erase.md';

const ACTOR = { id: null, name: 'daybook erase' };

interface Wish {
  readonly kind: ErasableKind;
  readonly id: number;
  readonly reason: string;
}

/** Carries out `daybook erase ...`; `args` is what stands behind `erase`. It asks nothing. Throws `UsageError`. */
export async function runErase(args: readonly string[], dependencies: EraseDependencies): Promise<void> {
  const { kind, id, reason } = read(args);
  const { store, keys, project, now, newId, out } = dependencies;
  const correlationId = newId();
  const metadata = { ...systemMetadata({ actor: ACTOR, now: now(), correlationId }), reason };
  const outcome = await erase({ store, keys, newEventId: newId }, metadata, kind, id);
  if (outcome.kind === 'unknown') throw new UsageError(`erase: there is no ${kind} ${id}.`, 1);
  if (outcome.kind === 'busy')
    throw new UsageError(`erase: ${kind} ${id} is being changed all the time; try again.`, 1);
  await project();
  out(sentenceOf(outcome, `${kind} ${id}`));
}

function sentenceOf({ kind }: Exclude<ErasureOutcome, { kind: 'unknown' | 'busy' }>, whom: string): string {
  switch (kind) {
    case 'erased':
      return `The personal data of ${whom} is erased. Backups of the keys still open it: let go of them in time.`;
    case 'completed':
      return `The personal data of ${whom} is erased: an earlier erasure had been interrupted, its key is gone now.`;
    case 'erased before':
      return `The personal data of ${whom} had been erased before; nothing was written.`;
  }
}

function read(args: readonly string[]): Wish {
  const { values, positionals } = parsed(args);
  const [word, number, ...more] = positionals;
  const kind = ERASABLE.find((known) => known === word);
  if (kind === undefined) throw mistaken(`say whose data: ${ERASABLE.join(' or ')}, not "${word ?? ''}"`);
  if (number === undefined || !/^[1-9]\d{0,14}$/.test(number))
    throw mistaken(`the id of the ${kind} is a positive integer, not "${number ?? ''}"`);
  if (more.length > 0) throw mistaken(`one at a time; "${more.join(' ')}" is too much`);
  const reason = values.reason?.trim() ?? '';
  if (reason === '') throw mistaken('--reason TEXT is missing: history keeps why, so name no person in it');
  return { kind, id: Number(number), reason };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { reason: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ''] = error.message.split('. ');
    throw mistaken(`${problem}; allowed: --reason`);
  }
}

const mistaken = (what: string): UsageError => new UsageError(`erase: ${what}.\n${ERASE_USAGE}`);
