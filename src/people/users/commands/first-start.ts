// Setting a new calendar up: the settings of the site, and the administrator's login and password, in one append.

import { stateOfCalendar } from '../../../calendar/site/commands/settings.ts';
import {
  evolveSiteSettings,
  SITE_SETTINGS_STREAM,
  type SiteSettings,
  setSiteSettings,
} from '../../../calendar/site/domain/site-settings.ts';
import { type CommandContext, metadataOf } from '../../../commands/context.ts';
import type { Outcome } from '../../../commands/handle-command.ts';
import { reserveNames, streamOfUser, takenName } from '../../../commands/reservations/user-names.ts';
import { beginUnitOfWork, type UnitOfWork } from '../../../commands/unit-of-work.ts';
import { type Rejected, rejected } from '../../../domain/decider.ts';
import { invalidParameter } from '../../../domain/rejections.ts';
import { instantOf } from '../../../log/envelope.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { isPassword } from '../domain/desk-access.ts';
import {
  evolveFirstStart,
  FIRST_START_STREAM,
  type FirstStartFact,
  finishFirstStart,
  isOffered,
} from '../domain/first-start.ts';
import { comparedName, evolveUser, profileProblem, type UserAccount, type UserFact } from '../domain/user.ts';
import { allUsers, handleUserCommand, type UserDependencies } from './user-changes.ts';
import { idFor } from './users.ts';

type Dependencies = Pick<UserDependencies, 'store' | 'newEventId' | 'hashSecret' | 'turns' | 'slugSearches'>;

export interface FirstChoices {
  readonly login: string;
  readonly password: string;
  readonly settings: Partial<SiteSettings>;
}

interface FirstStartDone {
  readonly user: UserAccount;
  readonly settings: SiteSettings | null;
  /** The revision of the settings. */
  readonly revision: number;
}

/** Records that a word is offered, by its digest, to the owner of the first user. */
export async function offerFirstStart(
  { store, newEventId }: Pick<Dependencies, 'store' | 'newEventId'>,
  context: CommandContext,
  offer: { readonly digest: string; readonly user: number },
): Promise<void> {
  const unit = beginUnitOfWork(store, metadataOf(context), newEventId);
  await unit.record(FIRST_START_STREAM, [{ type: 'FirstStartOffered', data: offer } satisfies FirstStartFact]);
  await unit.commit();
}

/** Whether a word still sets the calendar up. */
export async function isFirstStart(
  { store, newEventId }: Pick<Dependencies, 'store' | 'newEventId'>,
  context: CommandContext,
  digest: string,
): Promise<boolean> {
  return (await offeredIn(store, beginUnitOfWork(store, metadataOf(context), newEventId), digest)) !== null;
}

async function offeredIn(store: EventStore, unit: UnitOfWork, digest: string) {
  const { state: start } = await unit.load(FIRST_START_STREAM, evolveFirstStart);
  const now = instantOf(unit);
  // Users are read from the log only for a word that is right so far.
  if (!isOffered(start, digest, now, [])) return null;
  const users = await allUsers(store);
  return isOffered(start, digest, now, users) ? { start, users } : null;
}

/**
 * Sets the calendar up. The login may be that of the user who was added at the start, who then gets the password, or
 * another one. Of two at once one wins. Rejections: `invalid_parameter` (`link`: the word was used, is too old, or there
 * are users; `login`; or the name of the setting), `login_taken`, `password_length`, `busy`.
 */
export async function finishFirstStartWith(
  dependencies: Dependencies,
  context: CommandContext,
  digest: string,
  { login, password, settings }: FirstChoices,
): Promise<Outcome<FirstStartDone>> {
  let hash: string | null = null;
  let newId: number | null = null;
  const done = await handleUserCommand(dependencies, context, {}, async (unit) => {
    const offered = await offeredIn(dependencies.store, unit, digest);
    if (!offered) return rejected(invalidParameter('link'));
    const { start, users } = offered;
    const chosen = { login, email: '', name: login, role: 'administrator' } as const;
    if (profileProblem(chosen)) return rejected(invalidParameter('login'));
    if (!isPassword(password)) return rejected('password_length');
    const problem = await planSettings(unit, dependencies.store, settings);
    if (problem) return problem;
    const own = users.find((user) => comparedName(user.login) === comparedName(login));
    const conflict = own ? null : await takenName(unit.store, chosen);
    if (conflict) return conflict;
    hash ??= await dependencies.hashSecret(password);
    newId ??= own ? null : await idFor(dependencies, unit.metadata);
    const id = own?.id ?? newId ?? start.user;
    await unit.record(FIRST_START_STREAM, factsOf(finishFirstStart(start)), 'first');
    const lost = own ? null : await reserveNames(unit, id, chosen);
    if (lost) return lost;
    const added: UserFact[] = own ? [] : [{ type: 'UserAdded', data: { id, ...chosen } }];
    const stream = streamOfUser(id);
    await unit.record(stream, [...added, { type: 'UserPasswordSet', data: { hash } }]);
    return { kind: 'planned', id, stream, evolve: evolveUser, created: !own };
  });
  if (done.kind === 'rejected') return done;
  const unit = beginUnitOfWork(dependencies.store, metadataOf(context), dependencies.newEventId);
  const { state, revision } = await unit.load(SITE_SETTINGS_STREAM, evolveSiteSettings);
  return { kind: 'written', written: { user: done.written.state, settings: state, revision } };
}

/** The facts of a decision whose conditions were checked before. */
const factsOf = (decision: ReturnType<typeof finishFirstStart>): readonly FirstStartFact[] =>
  decision.kind === 'accepted' ? decision.facts : [];

async function planSettings(
  unit: UnitOfWork,
  store: EventStore,
  patch: Partial<SiteSettings>,
): Promise<Rejected | null> {
  const { state } = await unit.load(SITE_SETTINGS_STREAM, evolveSiteSettings);
  const decision = setSiteSettings(state, patch, await stateOfCalendar(store));
  if (decision.kind === 'rejected') return rejected(invalidParameter(decision.rejection.parameter ?? 'timezone'));
  await unit.record(SITE_SETTINGS_STREAM, decision.facts);
  return null;
}
