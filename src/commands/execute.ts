// Runs a command: load, decide, append; once more on the new state when somebody else was faster.
import type { Evolve, Fact } from '../domain/decider.ts';
import type { Rejection } from '../domain/rejections.ts';
import { type AppendOutcome, AppendOutcomeUnknown } from '../event-store/event-store.ts';
import { type CommandContext, type CommandDependencies, metadataOf, type Written } from './context.ts';
import { beginUnit, type Unit } from './unit.ts';

/** What an attempt planned: the stream of the thing that the answer shows, and how to fold it. */
export interface Planned<State, F extends Fact> {
  readonly kind: 'planned';
  readonly id: number;
  readonly stream: string;
  readonly evolve: Evolve<State, F>;
  readonly created: boolean;
}

export interface Refused {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
}

export type Attempt<State, F extends Fact> = Planned<State, F> | Refused;

export type CommandResult<State> = { readonly kind: 'written'; readonly written: Written<State> } | Refused;

export const refused = (rejection: Rejection): Refused => ({ kind: 'rejected', rejection });

const MOST_ATTEMPTS = 12;
const MOST_REPEATS_OF_AN_APPEND = 3;
const LONGEST_PAUSE_MS = 20;

/**
 * Runs an attempt until its append goes through. A lost race is decided again on the new state, unless the client
 * insisted on a revision of the thing itself, which then is no longer true. Gives up as `busy` after a dozen races.
 */
export async function execute<State, F extends Fact>(
  { store, newEventId }: CommandDependencies,
  context: CommandContext,
  attempt: (unit: Unit) => Promise<Attempt<State, F>>,
): Promise<CommandResult<State>> {
  const metadata = metadataOf(context);
  for (let count = 0; count < MOST_ATTEMPTS; count++) {
    const unit = beginUnit(store, metadata, newEventId);
    const result = await attempt(unit);
    if (result.kind === 'rejected') return result;
    const { id, stream, evolve, created } = result;
    const outcome = await commit(unit);
    if (outcome.kind === 'conflict') {
      if (context.ifRevision !== undefined && outcome.stream === stream)
        return refused({ code: 'precondition_failed' });
      await pause(Math.random() * Math.min(2 ** count, LONGEST_PAUSE_MS));
      continue;
    }
    const { state, revision, position } = await unit.load(stream, evolve);
    if (!state) throw new Error(`${stream} was written and has no state`);
    const index = unit.planned().findIndex((append) => append.stream === stream);
    const written = { id, state, revision, position: outcome.written[index]?.position ?? position, created };
    return { kind: 'written', written };
  }
  return refused({ code: 'busy' });
}

/** Nobody knows what became of an append that was cut off: it is repeated with the same event ids, which is harmless. */
async function commit(unit: Unit): Promise<AppendOutcome> {
  for (let count = 1; ; count++) {
    try {
      return await unit.commit();
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown) || count === MOST_REPEATS_OF_AN_APPEND) throw error;
    }
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
