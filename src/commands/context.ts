// The context of a command: caller, time, reason, and the expected revision.

import type { Fact } from '../domain/decider.ts';
import { present } from '../domain/present.ts';
import type { EpochSeconds, Zone } from '../kernel/time/zone.ts';
import type { Actor, EventMetadata, Position, Revision } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import type { Caller } from '../people/auth/caller.ts';
import type { Ids } from './reservations/ids.ts';
import { openSlugSearches, type SlugSearches } from './reservations/slug-searches.ts';
import type { Attempt, UnitOfWork } from './unit-of-work.ts';
import { openTurns, type Turns } from './write-turns.ts';

export interface CommandContext {
  readonly caller: Caller;
  /** The recorded actor if it is not the caller: the system itself. */
  readonly actor?: Actor;
  readonly now: EpochSeconds;
  readonly correlationId: string;
  /** The trace of the request, where requests are traced. */
  readonly traceparent?: string | undefined;
  readonly reason?: string | undefined;
  /** The revision that the client expects to change; undefined for any. */
  readonly ifRevision?: Revision | undefined;
  /** Same key, same effect: a repeated creation gets the answer of the first one. */
  readonly idempotencyKey?: string | undefined;
  /** Of several callers that use the same key, each has an answer of its own. */
  readonly keyOwner?: string | undefined;
  /** The version of what the key asks for: it grows with each change of that. */
  readonly keySequence?: string | undefined;
  /** Why the caller writes without review, where a rule lets the caller. */
  readonly bypassReview?: string;
  /** The proposal that the command carries out. */
  readonly proposal?: { readonly id: number; readonly author: number };
  /** What is decided and recorded around what the command itself does, in the same unit of work. */
  readonly within?: <State, F extends Fact>(
    unit: UnitOfWork,
    attempt: () => Promise<Attempt<State, F>>,
  ) => Promise<Attempt<State, F>>;
}

/** Shared by the commands of one process to coordinate them. */
export interface Coordination {
  readonly turns: Turns;
  readonly slugSearches: SlugSearches;
}

/** The dependencies of commands. */
export interface CommandDependencies extends Coordination {
  readonly store: EventStore;
  readonly postIds: Ids;
  readonly termIds: Pick<Ids, 'next' | 'drawn'>;
  readonly newEventId: () => string;
  readonly siteZone: Zone;
  /** Salted hash of an event's password. */
  readonly hashPassword: (password: string) => Promise<string>;
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>;
}

/** One per process. */
export const openCoordination = (): Coordination => ({ turns: openTurns(), slugSearches: openSlugSearches() });

/** A resource after a write. */
export interface Written<State> {
  readonly id: number;
  readonly state: State;
  readonly revision: Revision;
  /** The position that a read model must have applied to show it. */
  readonly position: Position;
  /** False if a creation found an existing resource. */
  readonly created: boolean;
  /** The number of the credential that was issued to a user. */
  readonly credential?: number | undefined;
}

type Cause = Pick<CommandContext, 'caller' | 'now' | 'correlationId'> &
  Partial<Pick<CommandContext, 'actor' | 'reason' | 'proposal' | 'traceparent'>>;

export const metadataOf = (context: Cause): EventMetadata => ({
  actor: context.actor ?? actorOf(context.caller),
  instant: new Date(context.now * 1000).toISOString(),
  correlationId: context.correlationId,
  causationId: context.correlationId,
  ...present({ reason: context.reason, proposal: context.proposal, traceparent: context.traceparent }),
});

const actorOf = (caller: Caller): Actor =>
  caller ? { id: caller.id, name: caller.login } : { id: null, name: 'daybook' };
