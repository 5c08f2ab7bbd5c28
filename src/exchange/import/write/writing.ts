// The context of the writing half of an import, and how it finds the results of earlier runs.

import type { PostStatus } from '../../../calendar/resource/domain/post.ts';
import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type Answered, answersOf, takeOver } from '../../../commands/handle-command.ts';
import type { IdSequence } from '../../../commands/reservations/ids.ts';
import { streamOf } from '../../../commands/reservations/reservations.ts';
import type { Evolve, Fact } from '../../../domain/decider.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { User } from '../../../people/auth/caller.ts';
import type { Identity, ImportKind, Origin } from '../import-plan.ts';
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
interface StartedBy {
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
  readonly idsByKey?: ReadonlyMap<string, number>;
  /** Keys of records that this source is known to have brought. */
  readonly formerKeys?: Pick<ReadonlySet<string>, 'has'>;
  /** Original ids that were granted to keys. */
  readonly grantedIds: Map<string, number>;
}

const IMPORTED = 'imported from ';

/** The events that a source has brought are known by this. */
export const importReason = ({ source }: Pick<Origin, 'source'>): string => `${IMPORTED}${source}`;

/** Whether a fact is what a source said, and no decision of an editor. */
export const isImported = (event: RecordedEvent | undefined): boolean =>
  event?.metadata.reason?.includes(IMPORTED) === true;

export const contextOf = ({ now, correlationId, startedBy }: Writing, origin: Origin): CommandContext => ({
  caller: IMPORTER,
  ...(startedBy && { actor: { id: startedBy.user.id, name: startedBy.user.login } }),
  now,
  correlationId,
  reason: importReason(origin),
  idempotencyKey: origin.key,
  keyOwner: origin.owner,
  keySequence: origin.sequence,
});

export interface Target<State> {
  readonly id: number;
  readonly state: State;
  readonly revision: Revision;
}

/** `full`: title and start are the same. `some`: one of them is. */
export type Likeness = 'full' | 'some' | 'none';

interface Taking<State> {
  readonly origin: Origin;
  readonly likeness: (state: State) => Likeness;
}

/** What has become the record of an owner is not that of a record without one any more. */
export async function answersTo({ commands: { store } }: Writing, { key, owner }: Identity) {
  const all = await answersOf(store, IMPORTER, key);
  const others = all.flatMap((one) =>
    one.owner === undefined || one.owner === owner ? [] : [{ ...one, owner: one.owner }],
  );
  const unowned = all.findLast((one) => one.owner === undefined) ?? null;
  const isTaken = all.some((one) => one.owner !== undefined && one.stream === unowned?.stream);
  const free = isTaken ? null : unowned;
  const own = owner === undefined ? free : (all.findLast((one) => one.owner === owner) ?? null);
  return {
    /** What an earlier run made of the record. */
    own,
    /** What was made for the same key before records had owners, if it has not become the record of one since. */
    unowned: owner === undefined ? null : free,
    /** What was made of records of the same key that are others'. */
    others,
  };
}

/**
 * What an earlier run created for a record; null if nothing. What was created before records had owners becomes the record of
 * a source that has brought it, or of the first one whose record is like it. A file that was imported under another name is
 * known by records that are the same in full.
 */
export async function presentOf<State, F extends Fact>(
  writing: Writing,
  identity: Identity,
  evolve: Evolve<State, F>,
  taking?: Taking<State>,
): Promise<Target<State> | null> {
  const { commands, idsByKey, formerKeys } = writing;
  const id = idsByKey?.get(identity.key);
  if (id !== undefined) return stateOf(writing, { stream: streamOf('event', id), id }, evolve);
  const { own, unowned, others } = await answersTo(writing, identity);
  if (own || !taking) return own && stateOf(writing, own, evolve);
  const isOfFiles = [identity.owner ?? '', ...others.map(({ owner }) => owner)].every((owner) => !URL.canParse(owner));
  for (const candidate of [...(unowned ? [unowned] : []), ...(isOfFiles ? others : [])]) {
    const target = await stateOf(writing, candidate, evolve);
    const likeness = target ? taking.likeness(target.state) : 'none';
    const isKnown = candidate === unowned && (formerKeys?.has(identity.key) || likeness === 'some');
    if (!target || !(isKnown || likeness === 'full')) continue;
    await takeOver(commands, contextOf(writing, taking.origin), evolve, candidate);
    return target;
  }
  return null;
}

async function stateOf<State, F extends Fact>(
  { commands: { store } }: Writing,
  { stream, id }: Answered,
  evolve: Evolve<State, F>,
): Promise<Target<State> | null> {
  const events = await store.readStream(stream);
  const state = fold(events, evolve);
  return state === null ? null : { id, state, revision: events.at(-1)?.revision ?? -1 };
}

/** A record of the same key that is another source's is told: it is neither changed nor merged with. */
export async function tellOthers(writing: Writing, kind: ImportKind, origin: Origin): Promise<void> {
  const { unowned, others } = await answersTo(writing, origin);
  const names = [...new Set(others.map(({ owner }) => hostOrName(owner))), ...(unowned ? ['an earlier import'] : [])];
  if (names.length > 0)
    writing.summary.note(kind, origin, `the UID is also that of a record of ${names.join(', ')}, which stays as it is`);
}

/** What follows the host of an address may be a secret. */
const hostOrName = (owner: string): string => URL.parse(owner)?.host || owner;

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
