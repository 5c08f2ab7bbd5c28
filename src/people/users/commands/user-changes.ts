// One change of one user: loaded, decided, written in one append, and decided again if another writer was faster.

import { moveNames, ownerOfName, releaseNames, streamOfUser } from '../../../commands/reservations/user-names.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Decision, evolveAll } from '../../../domain/decider.ts';
import type { Rejection } from '../../../domain/rejections.ts';
import {
  type EventMetadata,
  fold,
  instantOf,
  LOG_START,
  type Position,
  type RecordedEvent,
  type Revision,
} from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { comparedName, evolveUser, isUsableAdministrator, type UserAccount, type UserFact } from '../domain/user.ts';
import { refused, type UserRefusal, type UserRefused } from './refusals.ts';

export interface UserDependencies {
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

export type ChangeDependencies = Pick<UserDependencies, 'store' | 'newEventId' | 'administrators'>;

/** A user by id, or by login or e-mail address. */
export type UserReference = number | string;

export interface UserWritten {
  readonly kind: 'written';
  /** After a removal: the state before it. */
  readonly user: UserAccount;
  readonly revision: Revision;
  readonly position: Position;
}

/** What a change may require. */
export interface ChangeTerms {
  /** The revision that the client expects to change; any other is refused as `changed`. */
  readonly ifRevision?: Revision | undefined;
}

export type Decide = (user: UserAccount, unit: UnitOfWork) => Decided | Promise<Decided>;
type Decided = Decision<UserFact> | UserRefused;

/** What was sent, by the parameters that a decider may reject; absent: the reference of the user. */
type Sent = { readonly [parameter: string]: string | number };

/** Why a decider has rejected something, by the parameter that it names: `user` is one whose data was erased. */
const REFUSALS: { readonly [parameter: string]: UserRefusal } = {
  user: 'unknown_user',
  credential: 'unknown_credential',
  session: 'unknown_session',
  login: 'invalid_login',
  email: 'invalid_email',
  name: 'invalid_name',
  label: 'invalid_label',
};

export const refusalOf = ({ parameter = 'user' }: Rejection, sent: Sent): UserRefused =>
  refused(REFUSALS[parameter] ?? 'unknown_user', String(sent[parameter] ?? ''));

/** Lost races before giving up: people do not change users that fast. */
export const MAX_ATTEMPTS = 5;

/**
 * Changes a user. Reservations of names follow the e-mail address, and are all released when the user is removed. `sent`
 * is repeated in refusals. Refusals beside those of `decide`: `unknown_user`, `changed`, `email_taken`,
 * `last_administrator`, `busy`.
 */
export async function changeUser(
  { store, newEventId, administrators }: ChangeDependencies,
  metadata: EventMetadata,
  reference: UserReference,
  decide: Decide,
  { ifRevision, sent = {} }: ChangeTerms & { readonly sent?: Sent } = {},
): Promise<UserWritten | UserRefused> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const unit = beginUnitOfWork(store, metadata, newEventId);
    const stream = await streamOf(unit, reference);
    const { state: user, revision } = stream === null ? UNKNOWN_USER : await unit.load(stream, evolveUser);
    if (stream === null || user === null) return refused('unknown_user', String(reference));
    if (ifRevision !== undefined && ifRevision !== revision) return refused('changed', String(reference));
    const decided = await decide(user, unit);
    if (decided.kind === 'refused') return decided;
    if (decided.kind === 'rejected') return refusalOf(decided.rejection, { user: reference, ...sent });
    const refusal = await plan(unit, { user, revision }, decided.facts, administrators);
    if (refusal) return refusal;
    const outcome = await unit.commit();
    if (outcome.kind === 'appended') return written(unit, user, outcome.written.at(-1)?.position);
  }
  return refused('busy', String(reference));
}

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
): Promise<UserRefused | null> {
  const after = evolveAll(evolveUser, user, facts, instantOf(unit));
  if (isUsableAdministrator(user) && !isUsableAdministrator(after)) {
    const held = await planDeparture(unit, { user, revision }, administrators);
    if (held) return held;
  }
  if (after === null) await releaseNames(unit, user.id, user);
  const taken = after && (await moveNames(unit, user.id, user, after));
  if (taken) return taken;
  await unit.record(streamOfUser(user.id), facts);
  return null;
}

/** The result: `position` is where a read model must be to show it. */
export async function written(
  unit: UnitOfWork,
  before: UserAccount,
  position: Position | undefined,
): Promise<UserWritten> {
  const { state, revision, position: last } = await unit.load(streamOfUser(before.id), evolveUser);
  return { kind: 'written', user: state ?? before, revision, position: position ?? last };
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
  /** Of the user's stream, before the removal. */
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
): Promise<UserRefused | null> {
  const departures = await unit.store.readStream(REGISTER, { direction: 'backwards', limit: RECENT });
  const isDeparting = underWay(unit, departures);
  if (candidates && !(await isAdministratorLeft(unit, user.id, candidates, isDeparting)))
    return refused('last_administrator', user.login);
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
    const found = (await list.administrators()) ?? (await allUsers(log)).filter(isUsableAdministrator);
    return found.map(({ id }) => id);
  };
}
