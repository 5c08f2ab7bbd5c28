// What guests do by their links, for the pages of guests.

import type { CommandContext } from '../../../commands/context.ts';
import type { StepDependencies } from '../../../commands/numbered.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { User } from '../../../people/auth/caller.ts';
import { guestStep, openedBy } from '../commands/guest-links.ts';
import type { GuestLink, GuestRemark } from '../domain/guest-link.ts';

export type Guests = ReturnType<typeof openGuests>;

export const openGuests = (dependencies: StepDependencies) => ({
  /** What an address opens, and in whose eyes; null: nothing, whatever the reason is. */
  open: (token: string, now: EpochSeconds): Promise<{ readonly link: GuestLink; readonly user: User } | null> =>
    openedBy(dependencies.store, token, now),
  /** Null: recorded; `text` if that is missing or too long, `closed` if the link has been revoked or has run out meanwhile. */
  async say(
    step: Pick<CommandContext, 'now' | 'correlationId'>,
    link: number,
    remark: Omit<GuestRemark, 'at'>,
  ): Promise<'closed' | 'text' | null> {
    const result = await guestStep(dependencies, step, link, remark);
    if (result.kind === 'written') return null;
    return result.rejection.code === 'invalid_parameter' ? 'text' : 'closed';
  },
});
