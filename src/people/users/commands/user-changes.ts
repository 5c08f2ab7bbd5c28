// Commands about one user, by the same kit as all others.

import { type CommandContext, type Coordination, openCoordination } from '../../../commands/context.ts';
import { handleCommandOnce } from '../../../commands/handle-command.ts';
import { moveNames, ownerOfName, releaseNames, streamOfUser } from '../../../commands/reservations/user-names.ts';
import type { Attempt, UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, type Evolve, evolveAll, type Rejected, rejected } from '../../../domain/decider.ts';
import { fold, instantOf, LOG_START, type RecordedEvent, type Revision } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { comparedName, evolveUser, isUsableAdministrator, type UserAccount, type UserFact } from '../domain/user.ts';

/** Without `turns` and searches of its own a command is the only one of its process. */
export interface UserDependencies extends Partial<Coordination> {
  readonly store: EventStore;
  readonly newEventId: () => string;
  readonly newSecret: () => string;
  /** Salted hash of a secret. */
  readonly hashSecret: (secret: string) => Promise<string>;
  /**
   * Finds possible administrators: with it, the last one who can sign in is protected. Without it there is no such
   * check.
   */
  readonly administrators?: Candidates;
}

export type ChangeDependencies = Pick<UserDependencies, 'store' | 'newEventId' | 'administrators' | keyof Coordination>;

/** A user by id, or by login or e-mail address. */
export type UserReference = number | string;

/** Runs a command about a user. `kind`: what a repeated request must have made; `streams`: those known to be written. */
export const handleUserCommand = (
  dependencies: Pick<ChangeDependencies, 'store' | 'newEventId' | keyof Coordination>,
  context: CommandContext,
  { kind = 'user', streams = [] }: { readonly kind?: UserCreation; readonly streams?: readonly string[] },
  attempt: (unit: UnitOfWork) => Promise<Attempt<UserAccount, UserFact>>,
) =>
  handleCommandOnce(
    { ...openCoordination(), ...dependencies },
    context,
    { kind, evolve: evolveUser },
    streams,
    attempt,
  );

type UserCreation = 'user' | 'credential';

/** After a removal: the state before it. */
const evolveLastState: Evolve<UserAccount, UserFact> = (user, fact, at) => evolveUser(user, fact, at) ?? user;

/**
 * Changes a user, and answers a removed one as it was. Reservations of names follow the e-mail address, and are all
 * released when the user is removed. Rejections beside those of `decide`: `user_not_found`, `precondition_failed`,
 * `email_taken`, `last_administrator`, `busy`.
 */
export const changeUser = (
  dependencies: ChangeDependencies,
  context: CommandContext,
  reference: UserReference,
  decide: (user: UserAccount) => Decision<UserFact> | Promise<Decision<UserFact>>,
  makes?: 'credential',
) => {
  const streams = typeof reference === 'number' ? [streamOfUser(reference)] : [];
  const { ifRevision } = context;
  return handleUserCommand(dependencies, context, { ...(makes && { kind: makes }), streams }, async (unit) => {
    const stream = await streamOf(unit, reference);
    const { state: user, revision } = stream === null ? UNKNOWN_USER : await unit.load(stream, evolveUser);
    if (stream === null || user === null) return rejected('user_not_found');
    if (ifRevision !== undefined && ifRevision !== revision) return rejected('precondition_failed');
    const decided = await decide(user);
    if (decided.kind === 'rejected') return decided;
    const refusal = await plan(unit, { user, revision }, decided.facts, dependencies.administrators);
    if (refusal) return refusal;
    const credential = makes && user.lastCredential + 1;
    return { kind: 'planned', id: user.id, stream, evolve: evolveLastState, created: true, credential };
  });
};

const UNKNOWN_USER = { state: null, revision: -1 } as const;

async function streamOf(unit: UnitOfWork, reference: UserReference): Promise<string | null> {
  if (typeof reference === 'number') return streamOfUser(reference);
  // No login or e-mail address contains a colon; the reservations use it for other entries.
  return reference.includes(':') ? null : ownerOfName(unit.store, comparedName(reference));
}

async function plan(
  unit: UnitOfWork,
  { user, revision }: { readonly user: UserAccount; readonly revision: Revision },
  facts: readonly UserFact[],
  administrators: Candidates | undefined,
): Promise<Rejected | null> {
  const after = evolveAll(evolveUser, user, facts, instantOf(unit));
  if (isUsableAdministrator(user) && !isUsableAdministrator(after)) {
    const rejection = await planDeparture(unit, { user, revision }, administrators);
    if (rejection) return rejection;
  }
  if (after === null) await releaseNames(unit, user.id, user);
  const conflict = after && (await moveNames(unit, user.id, user, after));
  if (conflict) return conflict;
  await unit.record(streamOfUser(user.id), facts);
  return null;
}

// Protects the last administrator from removal and demotion, also when several are removed at once.

/** Every removal of an administrator is recorded in this stream, so of two at once one is decided again. */
const REGISTER = 'administrators';
/** How many are read: older removals have long been written into the stream of the user, or never will be. */
const RECENT = 50;
/** A removal whose user was not written within this many milliseconds did not happen. */
const ABANDONED_AFTER = 60_000;

/** Ids of users who may be administrators; the log says which of them are. */
type Candidates = () => Promise<readonly number[]>;

interface Departure {
  readonly user: number;
  /** The revision of the user's stream before the removal. */
  readonly revision: Revision;
}

/**
 * Plans the removal of an administrator. With `candidates` it is refused if no other would be left. It is first in the
 * unit of work: where a batch is no transaction, a planned removal counts until it is clear that it did not happen.
 */
async function planDeparture(
  unit: UnitOfWork,
  { user, revision }: { readonly user: UserAccount; readonly revision: Revision },
  candidates: Candidates | undefined,
): Promise<Rejected | null> {
  const departures = await unit.store.readStream(REGISTER, { direction: 'backwards', limit: RECENT });
  const isDeparting = underWay(unit, departures);
  if (candidates && !(await isAdministratorLeft(unit, user.id, candidates, isDeparting)))
    return rejected('last_administrator');
  const departure: Departure = { user: user.id, revision };
  await unit.record(REGISTER, [{ type: 'AdministratorDeparted', data: departure }], 'first');
  return null;
}

async function isAdministratorLeft(
  unit: UnitOfWork,
  leaving: number,
  candidates: Candidates,
  isDeparting: (departure: Departure) => boolean,
): Promise<boolean> {
  for (const id of await candidates()) {
    if (id === leaving) continue;
    const { state, revision } = await unit.load(streamOfUser(id), evolveUser);
    if (isUsableAdministrator(state) && !isDeparting({ user: id, revision })) return true;
  }
  return false;
}

/** Whether a user is about to be removed: planned a moment ago, while the user's own stream does not show it yet. */
function underWay({ metadata }: UnitOfWork, departures: readonly RecordedEvent[]): (departure: Departure) => boolean {
  const now = Date.parse(metadata.instant);
  const fresh = departures.filter((event) => now - Date.parse(event.metadata.instant) <= ABANDONED_AFTER);
  // Only this file writes to this stream.
  const planned = fresh.map(({ data }) => data as unknown as Departure);
  return ({ user, revision }) => planned.some((one) => one.user === user && one.revision === revision);
}

// All users, from the log: correct even without a usable read model.

const PAGE = 1000;

/** By id. Reads every event of users ever recorded. */
export async function allUsers(store: Pick<EventStore, 'readAll'>): Promise<UserAccount[]> {
  const streams = new Map<string, RecordedEvent[]>();
  let after = LOG_START;
  for (;;) {
    const page = await store.readAll({ after, prefixes: ['user-'], limit: PAGE });
    for (const event of page) {
      const recorded = streams.get(event.stream);
      if (recorded) recorded.push(event);
      else streams.set(event.stream, [event]);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  const users = [...streams.values()].flatMap((events) => fold(events, evolveUser) ?? []);
  return users.sort((one, other) => one.id - other.id);
}

// Where administrators are looked for: first in the read model, which has them all at once.

interface Listed {
  readonly id: number;
}

interface AdministratorList {
  /** Null if the read model is unavailable. */
  administrators(): Promise<readonly Listed[] | null>;
}

/** Ids of users who are probably administrators. Without a read model the log is read for them. */
export function openAdministrators(list: AdministratorList, log: Pick<EventStore, 'readAll'>): Candidates {
  return async () => {
    const administrators = (await list.administrators()) ?? (await allUsers(log)).filter(isUsableAdministrator);
    return administrators.map(({ id }) => id);
  };
}
