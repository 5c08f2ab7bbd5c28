// Runs a command: load, decide, append; again on the new state if another process was faster.

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostKind, type PostKind } from '../calendar/resource/domain/post.ts';
import type { TermKind } from '../calendar/term/domain/term.ts';
import { type Decision, type Evolve, type Fact, type Rejected, rejected } from '../domain/decider.ts';
import { present } from '../domain/present.ts';
import { invalidParameter } from '../domain/rejections.ts';
import { evolveProposal } from '../editorial/proposals/domain/proposal.ts';
import { openReviewGate } from '../editorial/review-rules/commands/review-gate.ts';
import { SERIES_PREFIX } from '../editorial/series/facts/occurrences.ts';
import type { Position, RecordedEvent } from '../log/envelope.ts';
import { EventStoreUnavailable, lastEvent, type StreamReader } from '../log/event-store.ts';
import { appendRepeatedly } from '../log/writing.ts';
import { may, maySeePost, type RightsSubject } from '../people/auth/policy.ts';
import { type CommandContext, type CommandDependencies, metadataOf, type Written } from './context.ts';
import { openDrawnIds, openUndrawnIds } from './reservations/ids.ts';
import { streamOf } from './reservations/reservations.ts';
import { type Attempt, beginUnitOfWork, type Planned, type UnitOfWork } from './unit-of-work.ts';

/** What commands need that draw no ids of posts and terms. */
export type StepDependencies = Pick<CommandDependencies, 'store' | 'newEventId' | 'turns' | 'slugSearches'>;

export type Outcome<Result> = { readonly kind: 'written'; readonly written: Result } | Rejected;
export type CommandResult<State> = Outcome<Written<State>>;

/**
 * Adds a decision about a resource to the plan, or passes on its rejection. `begun`: created, with an id that this unit
 * has drawn.
 */
export async function recordDecision<State, F extends Fact>(
  unit: UnitOfWork,
  { kind, evolve }: { readonly kind: string; readonly evolve: Evolve<State, F> },
  id: number,
  decision: Decision<F>,
  how: 'begun' | 'created' | 'changed' = 'changed',
): Promise<Attempt<State, F>> {
  if (decision.kind === 'rejected') return decision;
  const stream = streamOf(kind, id);
  if (how === 'begun') unit.begin(stream, decision.facts);
  else await unit.record(stream, decision.facts);
  return { kind: 'planned', id, stream, evolve, created: how !== 'changed' };
}

/** Writers of this process take turns, so lost races are only those against other processes. */
const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 20;

/**
 * Repeats an attempt until its append succeeds. Writers of this process that need the same stream run one after
 * another; `streams` are those that the command is known to write. A race lost to another process is decided again on
 * the new state. A client that expects a revision of the resource itself does not wait for its turn: any other write
 * invalidates the expectation. Gives up as `busy` if too many wait, or after a hundred lost races.
 */
export async function handleCommand<State, F extends Fact>(
  { store, newEventId, turns, slugSearches }: StepDependencies,
  context: CommandContext,
  streams: readonly string[],
  attempt: (unit: UnitOfWork) => Promise<Attempt<State, F>>,
): Promise<CommandResult<State>> {
  let metadata = metadataOf(context);
  const hasIfMatch = context.ifRevision !== undefined;
  const seat = turns.enter();
  const ids = openDrawnIds(context.within ? 'before' : undefined);
  let isJudged = false;
  try {
    if (!hasIfMatch && !seat.tryTake(streams) && !(await seat.take(streams))) return rejected('busy');
    for (let count = 0; count < MAX_ATTEMPTS; count++) {
      const shared: Parameters<typeof beginUnitOfWork>[3] = { slugSearches, ids };
      const unit = beginUnitOfWork(store, metadata, newEventId, shared);
      try {
        const gate = isJudged ? null : await openReviewGate(unit, context);
        const undrawn = gate && openUndrawnIds();
        if (undrawn) shared.ids = undrawn;
        const result = await (context.within?.(unit, () => attempt(unit)) ?? attempt(unit));
        if (result.kind === 'rejected') return result;
        const verdict = gate?.judge(unit.planned());
        if (verdict?.kind === 'rejected') return verdict;
        const isBypassing = verdict?.kind === 'bypassed';
        if (isBypassing) metadata = { ...metadata, bypassedReview: verdict.reason };
        if (isBypassing || undrawn?.isAsked()) {
          // Nothing stands in its way: it is decided again with ids of its own.
          isJudged = true;
          continue;
        }
        const { stream } = result;
        const planned = unit.planned().map((append) => append.stream);
        const others = hasIfMatch ? planned.filter((other) => other !== stream) : planned;
        if (!seat.tryTake(others)) {
          // Decide only after seeing what they are writing.
          unit.end();
          ids.reuse();
          if (!(await seat.take(others))) return rejected('busy');
          continue;
        }
        const outcome = await appendRepeatedly(unit.commit);
        if (outcome.kind === 'appended') {
          // A date that its series leaves as it is has no fact of its own; those of slugs are followed by no read model.
          const isFollowed = (name = ''): boolean => name === stream || name.startsWith(SERIES_PREFIX);
          const positions = outcome.written
            .filter((_, index) => isFollowed(planned[index]))
            .map(({ position }) => position);
          return await writtenBy(unit, result, positions.toSorted().at(-1));
        }
        if (hasIfMatch && outcome.stream === stream) return rejected('precondition_failed');
        // An id whose stream is there, which must not be, is never asked for again.
        const isUsedId = result.created && outcome.stream === stream;
        if (outcome.stream === planned[0] && !isUsedId) ids.reuse();
        else ids.forget();
      } finally {
        unit.end();
      }
      await sleep(Math.random() * Math.min(2 ** count, MAX_PAUSE_MS));
    }
    return rejected('busy');
  } catch (error) {
    if (error instanceof EventStoreUnavailable) seat.fail(error);
    throw error;
  } finally {
    seat.leave();
  }
}

async function writtenBy<State, F extends Fact>(
  unit: UnitOfWork,
  { id, stream, evolve, created, credential }: Planned<State, F>,
  at: Position | undefined,
): Promise<CommandResult<State>> {
  const { state, revision, position } = await unit.load(stream, evolve);
  if (!state) throw new Error(`${stream} was written and has no state`);
  return { kind: 'written', written: { id, state, revision, position: at ?? position, created, credential } };
}

// Creations that clients may safely repeat: the same key of the same caller takes effect once.

/** As named by clients. */
export const KEY_HEADER = 'Idempotency-Key';

/** The result of a request with a key. */
export interface Answered {
  /** Stream of the resource. */
  readonly stream: string;
  readonly id: number;
  /** The one of several callers with the same key whose answer this is. */
  readonly owner?: string;
  /** The version of what was asked then: a lower number is an older one. */
  readonly sequence?: string;
  /** The credential that was issued to a user; `made`: the kind, if the user was created with it. */
  readonly credential?: number;
  readonly made?: string;
}

/** The stream that records the result of a caller's key. */
export function keyStream(caller: CommandContext['caller'], key: string): string {
  const owner = caller === null ? 'system' : String(caller.id);
  return `request-${hash('sha256', `${owner}\n${key}`)}`;
}

/** The earlier result of a caller's key, or null; of an owner's, if it has answers of several. */
export async function earlierAnswer(
  store: StreamReader,
  caller: CommandContext['caller'],
  key: string,
  owner?: string,
): Promise<Answered | null> {
  if (owner !== undefined)
    return (await answersOf(store, caller, key)).findLast((answer) => answer.owner === owner) ?? null;
  const last = await lastEvent(store, keyStream(caller, key));
  return last ? answerIn(last) : null;
}

/** All results of a key, the latest last. */
export const answersOf = async (
  store: StreamReader,
  caller: CommandContext['caller'],
  key: string,
): Promise<readonly Answered[]> => (await store.readStream(keyStream(caller, key))).map(answerIn);

// Only these commands write to these streams.
const answerIn = ({ data }: RecordedEvent): Answered => data as unknown as Answered;

/** Gives a key, for the owner in the context, what it has led to without one or for another key. */
export function takeOver<State, F extends Fact>(
  dependencies: CommandDependencies,
  context: CommandContext,
  evolve: Evolve<State, F>,
  { stream, id }: Answered,
): Promise<CommandResult<State>> {
  const { caller, idempotencyKey: key = '' } = context;
  return handleCommand(dependencies, context, [keyStream(caller, key)], async (unit) => {
    await unit.record(keyStream(caller, key), [answeredFact({ stream, id }, context)], 'first');
    return { kind: 'planned', stream, id, evolve, created: false };
  });
}

const answeredFact = (answer: Answered, { keyOwner: owner, keySequence: sequence }: CommandContext) => ({
  type: 'RequestAnswered',
  data: { ...answer, ...present({ owner, sequence }) },
});

/** What can be created with a key. */
export type CreatedKind =
  | PostKind
  | TermKind
  | 'proposal'
  | 'set'
  | 'picture'
  | 'webhook'
  | 'submission'
  | 'source'
  | 'guest'
  | 'user'
  | 'credential';

/**
 * Runs a creation; with a key that was used before, returns the resource of then in its present state. The key is
 * written first: where a batch is no transaction, a key without its resource counts as unused. A key that led to a
 * resource of another kind is refused.
 */
export async function handleCommandOnce<State, F extends Fact>(
  dependencies: StepDependencies,
  context: CommandContext,
  { kind, evolve }: { readonly kind: CreatedKind; readonly evolve: Evolve<State, F> },
  streams: readonly string[],
  attempt: (unit: UnitOfWork) => Promise<Attempt<State, F>>,
): Promise<CommandResult<State>> {
  const { caller, idempotencyKey: key, keyOwner: owner } = context;
  if (key === undefined) return handleCommand(dependencies, context, streams, attempt);
  let isFirst = true;
  const once = () =>
    handleCommand(dependencies, context, [...streams, keyStream(caller, key)], async (unit) => {
      const earlier = await earlierAnswer(unit.store, caller, key, owner);
      isFirst = earlier === null;
      if (earlier && (await isProposedAs(unit, kind, earlier))) return rejected('review_required');
      if (earlier && (earlier.made ?? kindOf(earlier)) !== kind) return rejected(invalidParameter(KEY_HEADER));
      const { state } = earlier ? await unit.load(earlier.stream, evolve) : { state: null };
      if (earlier && state !== null) {
        // It may have another author by now, or be in the trash.
        if (!mayBeShown(caller, kind, state)) return rejected('forbidden');
        return { kind: 'planned', ...earlier, evolve, created: false };
      }
      const result = await attempt(unit);
      if (result.kind === 'rejected') return result;
      const { stream, id, credential } = result;
      const answer = { stream, id, ...(credential !== undefined && { credential, made: kind }) };
      await unit.record(keyStream(caller, key), [answeredFact(answer, context)], 'first');
      return result;
    });
  const result = await once();
  // What it was refused for may be what the same request has just made in another process.
  const isOvertaken =
    result.kind === 'rejected' && isFirst && (await earlierAnswer(dependencies.store, caller, key, owner)) !== null;
  return isOvertaken ? once() : result;
}

const kindOf = ({ stream }: Answered): string | undefined => stream.split('-', 1)[0];

/** Whether the creation of such a resource had to be reviewed then, and was proposed. */
async function isProposedAs(unit: UnitOfWork, kind: string, { stream }: Answered): Promise<boolean> {
  if (kind === 'proposal' || !stream.startsWith('proposal-')) return false;
  const { state } = await unit.load(stream, evolveProposal);
  return state !== null && state.base < 0 && state.target.kind === kind;
}

function mayBeShown(caller: CommandContext['caller'], kind: CreatedKind, state: unknown): boolean {
  // Every other kind is its maker's own, or for all of those who may make it.
  if (!isPostKind(kind)) return true;
  const post = state as RightsSubject; // As its kind says.
  return may(caller, 'update', kind, post) || maySeePost(caller, { kind, ...post });
}
