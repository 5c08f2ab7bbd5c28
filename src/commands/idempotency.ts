// Creations that clients may safely repeat: the same key of the same caller takes effect once.
import { createHash } from 'node:crypto';
import { may, maySeePost, type RightsSubject } from '../auth/policy.ts';
import type { Evolve, Fact } from '../domain/decider.ts';
import type { PostKind } from '../domain/post.ts';
import { invalidParameter } from '../domain/rejections.ts';
import type { TermKind } from '../domain/term.ts';
import type { RecordedEvent } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { CommandContext, CommandDependencies } from './context.ts';
import { type Attempt, type CommandResult, handleCommand, refused } from './handle-command.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** As named by clients. */
const KEY_HEADER = 'Idempotency-Key';

/** The result of a request with a key. */
export interface Answered {
  /** Stream of the resource. */
  readonly stream: string;
  readonly id: number;
}

/** The stream that records the result of a caller's key. */
export function keyStream(caller: CommandContext['caller'], key: string): string {
  const owner = caller === null ? 'system' : String(caller.id);
  return `request-${createHash('sha256').update(`${owner}\n${key}`).digest('hex')}`;
}

/** The earlier result of a caller's key, or null. */
export async function earlierAnswer(
  store: Pick<EventStore, 'readStream'>,
  caller: CommandContext['caller'],
  key: string,
): Promise<Answered | null> {
  return answeredIn(await store.readStream(keyStream(caller, key), { direction: 'backwards', limit: 1 }));
}

function answeredIn([last]: readonly RecordedEvent[]): Answered | null {
  // Only this file writes to these streams.
  return last ? (last.data as unknown as Answered) : null;
}

/**
 * Runs a creation; with a key that was used before, returns the resource of then in its present state. The key is
 * written first: where a batch is no transaction, a key without its resource counts as unused. A key that led to a
 * resource of another kind is refused.
 */
export function handleCommandOnce<State, F extends Fact>(
  dependencies: CommandDependencies,
  context: CommandContext,
  { kind, evolve }: { readonly kind: PostKind | TermKind; readonly evolve: Evolve<State, F> },
  streams: readonly string[],
  attempt: (unit: UnitOfWork) => Promise<Attempt<State, F>>,
): Promise<CommandResult<State>> {
  const { caller, idempotencyKey: key } = context;
  if (key === undefined) return handleCommand(dependencies, context, streams, attempt);
  return handleCommand(dependencies, context, [...streams, keyStream(caller, key)], async (unit) => {
    const earlier = await earlierAnswer(unit.store, caller, key);
    if (earlier && !earlier.stream.startsWith(`${kind}-`)) return refused(invalidParameter(KEY_HEADER));
    const { state } = earlier ? await unit.load(earlier.stream, evolve) : { state: null };
    if (earlier && state !== null) {
      // It may have another author by now, or be in the trash.
      if (!mayBeShown(caller, kind, state)) return refused({ code: 'forbidden' });
      return { kind: 'planned', ...earlier, evolve, created: false };
    }
    const result = await attempt(unit);
    if (result.kind === 'rejected') return result;
    const { stream, id } = result;
    await unit.record(keyStream(caller, key), [{ type: 'RequestAnswered', data: { stream, id } }], 'first');
    return result;
  });
}

function mayBeShown(caller: CommandContext['caller'], kind: PostKind | TermKind, state: unknown): boolean {
  if (kind === 'category' || kind === 'tag') return true;
  const post = state as RightsSubject; // Every other kind is one of posts.
  return may(caller, 'update', kind, post) || maySeePost(caller, { kind, ...post });
}
