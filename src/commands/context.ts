// The context of a command: who, when, why, and which revision it expects.
import type { Caller } from '../auth/caller.ts';
import type { Actor, EventMetadata, Position, Revision } from '../event-store/envelope.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';
import type { IdSequence } from './reservations/ids.ts';
import { openSlugSearches, type SlugSearches } from './reservations/slugs.ts';
import { openTurns, type Turns } from './write-turns.ts';

export interface CommandContext {
  readonly caller: Caller;
  /** The actor in the log when it is not the caller: the system itself. */
  readonly actor?: Actor;
  readonly now: EpochSeconds;
  readonly correlationId: string;
  readonly reason: string | undefined;
  /** The revision that the client believes to change; undefined when it does not care. */
  readonly ifRevision: Revision | undefined;
  /** Same key, same effect: a repeated creation answers as the first one. */
  readonly idempotencyKey: string | undefined;
}

/** What the commands of one process share, so that they do not get in each other's way. */
export interface Coordination {
  readonly turns: Turns;
  readonly slugSearches: SlugSearches;
}

/** What commands work with. */
export interface CommandDependencies extends Coordination {
  readonly store: EventStore;
  readonly postIds: Pick<IdSequence, 'next'>;
  readonly termIds: Pick<IdSequence, 'next'>;
  readonly newEventId: () => string;
  readonly siteZone: Zone;
  /** Salted hash of an event's password. */
  readonly hashPassword: (password: string) => Promise<string>;
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>;
}

/** One for each process. */
export const openCoordination = (): Coordination => ({ turns: openTurns(), slugSearches: openSlugSearches() });

/** A resource as it was written. */
export interface Written<State> {
  readonly id: number;
  readonly state: State;
  readonly revision: Revision;
  /** Where the log must have been applied up to before a reader sees it. */
  readonly position: Position;
  /** False when a creation came upon something that is there already. */
  readonly created: boolean;
}

export const metadataOf = (context: CommandContext): EventMetadata => ({
  actor: context.actor ?? actorOf(context.caller),
  instant: new Date(context.now * 1000).toISOString(),
  correlationId: context.correlationId,
  causationId: context.correlationId,
  ...(context.reason === undefined ? {} : { reason: context.reason }),
});

const actorOf = (caller: Caller): Actor =>
  caller ? { id: caller.id, name: caller.login } : { id: null, name: 'daybook' };
