// Proposals, as the API answers them.

import { hiddenNote, isToBePublic } from '../../../calendar/resource/desk/hidden-links.ts';
import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';

const UNDECIDED_STATES = ['open', 'changes_requested', 'approved', 'approved_for_set'] as const;

export const REVIEW = '/desk/review';

export type Proposal = Answer<'Proposal'>;
/** With what lists leave out. */
export type ReadProposal = Proposal & Required<Pick<Proposal, 'changes' | 'conflicts'>>;

export type ProposalsPage = PageOf<'proposals', Proposal>;

/** Nothing is decided about it yet, or what is decided is to come. */
export const isUndecided = ({ state }: Proposal): boolean => UNDECIDED_STATES.some((one) => one === state);
export const UNDECIDED = UNDECIDED_STATES.join();

/** What a proposal wants: `Change: Summer fair`, or `Delete: event 12` of what cannot be shown and has no `title` that is known. */
export function wishText({ words }: Pick<DeskRequest, 'words'>, proposal: Proposal, title = ''): string {
  const { action, target, into } = proposal;
  const name = nameIn(proposal) || title || `${words(`kind_${target.kind}`)} ${target.id}`;
  const wish = words('wish', { action: words(`action_${action}`), name });
  return into === undefined ? wish : `${wish} → ${into.id}`;
}

/** What the resource would be called; '' if that is not shown. */
export function nameIn({ preview }: Proposal): string {
  const name = preview && (preview.title ?? preview.venue ?? preview.organizer ?? preview.name);
  return typeof name === 'string' ? lineOfHtml(name) : '';
}

/** Whether it would leave an event that can be shown. */
export const hasPreview = ({ preview, target }: Proposal): boolean =>
  target.kind === 'event' && preview !== null && preview?.title !== undefined;

/** What visitors would miss of an event that it makes public; null: nothing, or it does not. */
export function hiddenIn({ words }: DeskRequest, proposal: Proposal): string | null {
  const { preview, target } = proposal;
  if (!preview || target.kind !== 'event' || !isUndecided(proposal) || !isToBePublic(preview.status)) return null;
  return hiddenNote(words, preview);
}

/** Plain text of a note, which may have been written as HTML. */
export const noteText = (note: string): string => (note.includes('<') ? lineOfHtml(note) : note);

/** The public is no user. */
export const authorText = ({ words }: DeskRequest, { author }: Pick<Proposal, 'author'>): string =>
  author.id === 0 ? words('from_public') : author.name;
