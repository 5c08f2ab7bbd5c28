// A link by which a guest without an account reads one thing that is not public, and says what they think of it: a draft or
// another state of an event, a proposal, or a set. Its streams are called `guest-<id>`.

import { accepted, type Decision, type Evolve, type Fact, rejected, UnexpectedFact } from '../../../domain/decider.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';

export const GUEST_KINDS = ['event', 'proposal', 'set'] as const;
export type GuestKind = (typeof GUEST_KINDS)[number];

/** What a link opens; nothing else. */
export interface GuestTarget {
  readonly kind: GuestKind;
  readonly id: number;
}

export const GUEST_STEPS = ['comment', 'approve'] as const;
type GuestStep = (typeof GUEST_STEPS)[number];

/** What a guest has said. */
export interface GuestRemark {
  readonly step: GuestStep;
  readonly text: string;
  /** The tag of what was shown. */
  readonly seen: string;
  readonly at: EpochSeconds;
}

export interface GuestLink {
  readonly id: number;
  readonly target: GuestTarget;
  /** Whom it is for, as its maker calls them. */
  readonly name: string;
  /** The digest of its secret. */
  readonly digest: string;
  /** Who made it: it shows what this user may see. */
  readonly by: number;
  readonly made: EpochSeconds;
  readonly until: EpochSeconds;
  readonly revoked: boolean;
  readonly remarks: readonly GuestRemark[];
}

/** Every fact names its target, so that each can be told by itself. */
type OfTarget = Pick<GuestLink, 'target'>;

export type GuestLinkFact =
  | Fact<'GuestLinkMade', Pick<GuestLink, 'id' | 'target' | 'name' | 'digest' | 'by' | 'until'>>
  | Fact<'GuestLinkRevoked', OfTarget>
  | Fact<'GuestCommented', OfTarget & Pick<GuestRemark, 'text' | 'seen'>>
  | Fact<'GuestApproved', OfTarget & Pick<GuestRemark, 'text' | 'seen'>>
  /** An operator erased it at the request of the person: name and texts are unreadable. */
  | Fact<'GuestErased', OfTarget>;

/** Whether it opens anything. */
export const isOpen = ({ revoked, until }: Pick<GuestLink, 'revoked' | 'until'>, now: EpochSeconds): boolean =>
  !revoked && now < until;

/** A link is for one person, who reads one thing. */
const MAX_REMARKS = 100;
/** Characters of a remark. */
export const MAX_REMARK = 5_000;

/** To a guest a link that is closed is as one that never was. */
const CLOSED = rejected('guest_link_not_found');

export function takeGuestStep(
  link: GuestLink,
  { step, text, seen }: Omit<GuestRemark, 'at'>,
  now: EpochSeconds,
): Decision<GuestLinkFact> {
  const { target, remarks } = link;
  if (!isOpen(link, now) || remarks.length >= MAX_REMARKS) return CLOSED;
  const last = remarks.at(-1);
  // A button that was pressed twice.
  if (last?.step === step && last.text === text && last.seen === seen) return accepted([]);
  if ([...text].length > MAX_REMARK) return rejected({ code: 'invalid_parameter', parameter: 'text' });
  if (step === 'approve') return accepted([{ type: 'GuestApproved', data: { target, text, seen } }]);
  if (text === '') return rejected({ code: 'invalid_parameter', parameter: 'text' });
  return accepted([{ type: 'GuestCommented', data: { target, text, seen } }]);
}

export const revokeGuestLink = ({ target, revoked }: GuestLink): Decision<GuestLinkFact> =>
  accepted(revoked ? [] : [{ type: 'GuestLinkRevoked', data: { target } }]);

export const evolveGuestLink: Evolve<GuestLink, GuestLinkFact> = (link, fact, at) => {
  if (fact.type === 'GuestLinkMade') return { ...fact.data, made: at, revoked: false, remarks: [] };
  if (!link) throw new UnexpectedFact(fact);
  switch (fact.type) {
    case 'GuestLinkRevoked':
    case 'GuestErased':
      return { ...link, revoked: true };
    case 'GuestCommented':
      return said(link, { ...fact.data, step: 'comment', at });
    case 'GuestApproved':
      return said(link, { ...fact.data, step: 'approve', at });
    default:
      throw new UnexpectedFact(fact); // The log may hold what today's code does not know.
  }
};

const said = (link: GuestLink, { step, text, seen, at }: GuestRemark): GuestLink => ({
  ...link,
  remarks: [...link.remarks, { step, text, seen, at }],
});
