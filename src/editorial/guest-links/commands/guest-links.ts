// Making and revoking links for guests, and what guests do by them.

import type { CommandContext, CommandDependencies } from '../../../commands/context.ts';
import { type CommandResult, handleCommandOnce, recordDecision } from '../../../commands/handle-command.ts';
import { numbered, type StepDependencies } from '../../../commands/numbered.ts';
import { reserveIdIn } from '../../../commands/reservations/id-reservations.ts';
import { accepted, rejected } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { fold } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { systemActor } from '../../../log/writing.ts';
import { userOf } from '../../../people/auth/accounts.ts';
import type { User } from '../../../people/auth/caller.ts';
import { mayShareWithGuests } from '../../../people/auth/policy.ts';
import { isSame, secretDigest } from '../../../people/auth/sessions.ts';
import { evolveUser } from '../../../people/users/domain/user.ts';
import {
  evolveGuestLink,
  type GuestLink,
  type GuestLinkFact,
  type GuestRemark,
  type GuestTarget,
  isOpen,
  revokeGuestLink,
  takeGuestStep,
} from '../domain/guest-link.ts';

const LINKS = { kind: 'guest', evolve: evolveGuestLink, missing: 'guest_link_not_found' } as const;
const links = numbered(LINKS);
const IDS = 'ids-guest';

/** The links of one target, in the order in which they were made: a page of it reads no others. */
const listOf = ({ kind, id }: GuestTarget): string => `guests-${kind}-${id}`;

type GuestLinkResult = Promise<CommandResult<GuestLink>>;

/** `secret` is drawn by the caller, who shows it once. */
export const makeGuestLink = (
  dependencies: CommandDependencies,
  context: CommandContext,
  { target, name, until }: Pick<GuestLink, 'target' | 'name' | 'until'>,
  secret: string,
): GuestLinkResult =>
  handleCommandOnce(dependencies, context, LINKS, [IDS], async (unit) => {
    // There is none to be changed.
    if (context.ifRevision !== undefined) return rejected('precondition_failed');
    const id = await reserveIdIn(unit, IDS);
    await unit.record(listOf(target), [{ type: 'GuestLinkListed', data: { link: id } }], 'first');
    const by = context.caller?.id ?? 0;
    const data = { id, target, name, digest: secretDigest(secret), by, until };
    const fact: GuestLinkFact = { type: 'GuestLinkMade', data };
    return recordDecision(unit, LINKS, id, accepted<GuestLinkFact>([fact]), 'created');
  });

export const revokeGuestLinkOf = (
  dependencies: StepDependencies,
  context: CommandContext,
  id: number,
): GuestLinkResult => links.step(dependencies, context, id, revokeGuestLink);

export const loadGuestLink = links.load;

export async function guestLinksOf(store: StreamReader, target: GuestTarget): Promise<GuestLink[]> {
  const listed = await store.readStream(listOf(target));
  const ids = listed.map(({ data }) => Number((data as { readonly link?: unknown }).link)); // As recorded above.
  const all = await Promise.all(ids.map((id) => loadGuestLink(store, id)));
  return all.flatMap((one) => (one === null ? [] : [one.state]));
}

/** What an address opens now, and in whose eyes; null: nothing, whatever the reason is. */
export async function openedBy(
  store: StreamReader,
  token: string,
  now: EpochSeconds,
): Promise<{ readonly link: GuestLink; readonly user: User } | null> {
  const [, id, secret = ''] = /^([1-9]\d{0,8})-([\w-]{43})$/.exec(token) ?? [];
  const link = id === undefined ? null : ((await loadGuestLink(store, Number(id)))?.state ?? null);
  if (link === null || !isOpen(link, now)) return null;
  if (!isSame(link.digest, secretDigest(secret))) return null;
  const maker = fold(await store.readStream(`user-${link.by}`), evolveUser);
  if (!maker?.role || maker.erased) return null;
  const user = userOf(maker);
  return mayShareWithGuests(user) ? { link, user } : null;
}

/** What a guest says, by the link alone. */
export const guestStep = (
  dependencies: StepDependencies,
  { now, correlationId }: Pick<CommandContext, 'now' | 'correlationId'>,
  id: number,
  remark: Omit<GuestRemark, 'at'>,
): GuestLinkResult =>
  links.step(dependencies, { caller: null, actor: systemActor('guest'), now, correlationId }, id, (link) =>
    takeGuestStep(link, remark, now),
  );
