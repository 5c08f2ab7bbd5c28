// Proposals, as the API answers them.
import { lineOfHtml } from '../../../text/html-text.ts';
import { toWallClock } from '../../../time/zone.ts';
import { momentText } from '../../dates.ts';
import { hiddenNote, isToBePublic } from '../hidden-links.ts';
import type { Member, ShownChange } from '../history/reading.ts';
import type { DeskRequest } from '../page.ts';

export const KINDS = ['event', 'venue', 'organizer', 'category', 'tag'] as const;
export type Kind = (typeof KINDS)[number];
export const FOLDERS = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
} as const;

const UNDECIDED_STATES = ['open', 'changes_requested', 'approved', 'approved_for_set'] as const;
export const PROPOSAL_STATES = [...UNDECIDED_STATES, 'applied', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export interface Person {
  readonly id: number;
  readonly name: string;
}

export interface Target {
  readonly kind: Kind;
  readonly id: number;
}

export interface ListedProposal {
  readonly id: number;
  readonly state: ProposalState;
  readonly target: Target;
  readonly creates: boolean;
  readonly action: 'create' | 'change' | 'delete' | 'revert' | 'merge';
  readonly into?: Target;
  readonly note: string;
  readonly author: Person;
  readonly opened: string;
  readonly decided_by: Person | null;
  readonly approvals: readonly Person[];
  readonly approvals_needed: number;
  readonly comments: readonly { readonly actor: Person; readonly instant: string; readonly text: string }[];
  /** The pending sets that it is in, for those who may see sets. */
  readonly sets: readonly { readonly id: number; readonly name: string; readonly at: string | null }[];
}

export interface ProposalConflict {
  readonly field: string;
  readonly base: Member;
  readonly theirs: Member;
  readonly mine: Member;
}

export interface ReadProposal extends ListedProposal {
  /** Who has sent it from the public; null: not for this user. */
  readonly submission?: { readonly name: string; readonly email: string } | null;
  readonly changes: readonly ShownChange[];
  /** Null: it is decided. */
  readonly fits: boolean | null;
  readonly problem: string | null;
  readonly conflicts: readonly ProposalConflict[];
  /** The resource as it would be. */
  readonly preview?: { readonly [member: string]: Member } | null;
}

export interface ProposalsPage {
  readonly proposals: readonly ListedProposal[];
  readonly total: number;
  readonly total_pages: number;
}

/** Nothing is decided about it yet, or what is decided is to come. */
export const isUndecided = ({ state }: ListedProposal): boolean => UNDECIDED_STATES.some((one) => one === state);
export const UNDECIDED = UNDECIDED_STATES.join();

/** What a proposal wants: `Change: event 12`. */
export function wishText({ words }: DeskRequest, { action, target, into }: ListedProposal): string {
  const wish = words('wish', { action: words(`action_${action}`), kind: words(`kind_${target.kind}`), id: target.id });
  return into === undefined ? wish : `${wish} → ${into.id}`;
}

/** What the resource would be called; '' if that is not shown. */
export function nameIn({ preview }: ReadProposal): string {
  const name = preview && (preview.title ?? preview.venue ?? preview.organizer ?? preview.name);
  return typeof name === 'string' ? lineOfHtml(name) : '';
}

/** What visitors would miss of an event that it makes public; null: nothing, or it does not. */
export function hiddenIn({ words }: DeskRequest, proposal: ReadProposal): string | null {
  const { preview, target } = proposal;
  if (!preview || target.kind !== 'event' || !isUndecided(proposal) || !isToBePublic(preview.status)) return null;
  return hiddenNote(words, preview);
}

/** An instant of the API in the zone of the site. */
export const instantText = ({ language, siteZone }: DeskRequest, instant: string): string =>
  momentText(language.code, toWallClock(Math.floor(Date.parse(instant) / 1000), siteZone));

/** Plain text of a note, which may have been written as HTML. */
export const noteText = (note: string): string => (note.includes('<') ? lineOfHtml(note) : note);

/** The public is no user. */
export const authorText = ({ words }: DeskRequest, { author }: Pick<ListedProposal, 'author'>): string =>
  author.id === 0 ? words('from_public') : author.name;
