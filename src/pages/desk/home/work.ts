// What there is to do, as the home page lists it: each with its title, and what is done about it.

import type { DeskWord } from '../../../locales/language.ts';
import { type Html, html } from '../../html.ts';
import { ApiProblem } from '../api.ts';
import type { DeskRequest } from '../page.ts';

export interface WorkItem {
  readonly title: string;
  /** Where it is done. */
  readonly path: string;
  readonly action: DeskWord;
  /** Who, when, where. */
  readonly hint: readonly string[];
  readonly label?: { readonly text: string; readonly tone: 'plain' | 'bad' };
}

export interface WorkList {
  readonly heading: DeskWord;
  readonly items: readonly WorkItem[];
  /** Said where there are none. */
  readonly empty?: DeskWord;
  /** Why the list cannot be told now: it is not an empty one. */
  readonly problem?: string;
  /** The way to all of it, where there is more. */
  readonly more?: { readonly path: string; readonly total: number } | undefined;
}

/** A list, or why there is none now: the others are told all the same. */
export const orProblem = <List extends WorkList | null>(
  heading: DeskWord,
  list: Promise<List>,
): Promise<List | WorkList> =>
  list.catch((error: unknown) => {
    if (!(error instanceof ApiProblem)) throw error;
    return { heading, items: [], problem: error.message };
  });

export const workBox = ({ words }: DeskRequest, { heading, items, empty, problem, more }: WorkList): Html =>
  html`<section class="box work" aria-labelledby=${heading}>
    <h2 id=${heading}>${words(heading)}</h2>
    ${problem !== undefined && html`<p class="problems" role="status">${problem}</p>`}
    ${items.length === 0 ? empty && html`<p class="hint">${words(empty)}</p>` : html`<ul class="rows">${items.map((item) => row(words, item))}</ul>`}
    ${more && html`<p class="actions"><a href=${more.path}>${words('home_all', { total: more.total })}</a></p>`}
  </section>`;

const row = (words: DeskRequest['words'], { title, path, action, hint, label }: WorkItem): Html =>
  html`<li><div>
      <p class="what"><a href=${path}>${title || words('untitled')}</a>${label && html` <span class=${label.tone === 'bad' ? 'label bad' : 'label'}>${label.text}</span>`}</p>
      <p class="hint">${hint.filter(Boolean).join(' · ')}</p></div>
    <a class="button" href=${path}>${words(action)}<span class="unseen"> ${title}</span></a></li>`;
