// Venues and organizers that the public does not see: an event that is published with one of them is shown without it.

import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import type { DeskWord } from '../../../locales/language.ts';
import type { DeskWords } from '../../../pages/words.ts';

const STATES = ['draft', 'pending', 'future', 'private', 'trash'] as const;

/** The state of a post that the public does not see, in words; '' of any other. */
export const hiddenState = (words: DeskWords, status: string | undefined): string => {
  const state = STATES.find((one) => one === status);
  return state === undefined ? '' : words(`state_${state}` satisfies DeskWord);
};

/** States in which an event is public, now or from its date on. */
export const isToBePublic = (status: unknown): boolean => status === 'publish' || status === 'future';

/** What the public will not see of an event as the API answers it, in words; null: there is nothing. */
export function hiddenNote(words: DeskWords, event: { readonly [member: string]: unknown }): string | null {
  const links = [event.venue, event.organizer].flat().flatMap((link) => {
    if (typeof link !== 'object' || link === null) return [];
    const { venue, organizer, status } = link as { readonly [member: string]: unknown }; // Of JSON.
    return [{ name: lineOfHtml(String(venue ?? organizer)), status: String(status) }];
  });
  return noteOf(words, links);
}

/** The same of venues and organizers with their names. */
export function noteOf(
  words: DeskWords,
  links: readonly { readonly name: string; readonly status: string }[],
): string | null {
  const names = links.flatMap(({ name, status }) => {
    const state = hiddenState(words, status);
    return state === '' ? [] : [`${name} (${state})`];
  });
  return names.length === 0 ? null : words('links_hidden', { names: names.join(', ') });
}
