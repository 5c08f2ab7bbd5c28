// The context of the writing half of an import, and how it finds the results of earlier runs.
import type { User } from '../../auth/caller.ts';
import type { CommandContext, CommandDependencies } from '../../commands/context.ts';
import { earlierAnswer } from '../../commands/handle-command.ts';
import type { IdSequence } from '../../commands/reservations/ids.ts';
import { streamOf } from '../../commands/reservations/reservations.ts';
import type { Evolve, Fact } from '../../domain/decider.ts';
import type { PostStatus } from '../../domain/post.ts';
import type { Rejection } from '../../domain/rejections.ts';
import { fold, type Revision } from '../../event-store/envelope.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { ImportKind, Origin } from '../import-plan.ts';
import type { ImportSummary } from '../import-summary.ts';

/** Sequences in which foreign ids can be claimed. */
export interface ImportCommands extends CommandDependencies {
  readonly postIds: IdSequence;
  readonly termIds: IdSequence;
}

/**
 * In whose name imports decide, no matter who starts them: what one run has created, another one finds again. It cannot sign
 * in, and is the author of what is created without one.
 */
export const IMPORTER: User = { id: 0, login: 'daybook import', name: 'daybook import', role: 'administrator' };

/** An import that a user has started: recorded as the actor, and the author of what is created without one. */
export interface StartedBy {
  readonly user: Pick<User, 'id' | 'login'>;
  /** The status of new events, whatever their records say; null: as they say. */
  readonly status: PostStatus | null;
}

export interface Writing {
  /** Absent: an operator, at the command line. */
  readonly startedBy?: StartedBy;
  /** Commands at a time; absent: as many as the store commits together. */
  readonly atOnce?: number;
  readonly commands: ImportCommands;
  readonly summary: ImportSummary;
  readonly now: EpochSeconds;
  readonly correlationId: string;
  /** The resources of keys: only those that events and children may refer to. */
  readonly ids: Map<string, number>;
  /** Events that became what they are for these keys by other ways than an import. */
  readonly known?: ReadonlyMap<string, number>;
  /** Original ids that were granted to keys. */
  readonly granted: Map<string, number>;
}

/** By it the events that a source has brought are known. */
export const importReason = ({ source }: Pick<Origin, 'source'>): string => `imported from ${source}`;

export const contextOf = ({ now, correlationId, startedBy }: Writing, origin: Origin): CommandContext => ({
  caller: IMPORTER,
  ...(startedBy && { actor: { id: startedBy.user.id, name: startedBy.user.login } }),
  now,
  correlationId,
  reason: importReason(origin),
  ifRevision: undefined,
  idempotencyKey: origin.key,
});

export interface Present<State> {
  readonly id: number;
  readonly state: State;
  readonly revision: Revision;
}

/** What an earlier run created for a key; null if nothing. */
export async function presentOf<State, F extends Fact>(
  { commands: { store }, known }: Writing,
  key: string,
  evolve: Evolve<State, F>,
): Promise<Present<State> | null> {
  const id = known?.get(key);
  const earlier = id === undefined ? await earlierAnswer(store, IMPORTER, key) : { stream: streamOf('event', id), id };
  if (!earlier) return null;
  const events = await store.readStream(earlier.stream);
  const state = fold(events, evolve);
  return state === null ? null : { id: earlier.id, state, revision: events.at(-1)?.revision ?? -1 };
}

/** Whether an import from the same source created it, so that it is another resource of that source. */
export async function isOfSource({ commands: { store } }: Writing, stream: string, origin: Origin): Promise<boolean> {
  const [first] = await store.readStream(stream, { limit: 1 });
  return first !== undefined && first.metadata.reason === importReason(origin);
}

/** What a new post has besides what its record says. */
export const authorOf = ({ startedBy }: Writing): { readonly author?: number } =>
  startedBy === undefined ? {} : { author: startedBy.user.id };

export function refuse({ summary }: Writing, kind: ImportKind, { name, place }: Origin, rejection: Rejection): void {
  summary.refuse({ kind, name, place, reason: worded(rejection) });
}

function worded({ code, parameter }: Rejection): string {
  if (code === 'invalid_parameter') return `${parameter ?? 'a value'} cannot be used`;
  return parameter === undefined ? code.replaceAll('_', ' ') : `${code.replaceAll('_', ' ')} (${parameter})`;
}
