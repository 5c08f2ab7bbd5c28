// A page in place of one that cannot be shown.
import type { PageWord } from '../../locales/language.ts';
import { type Html, html } from '../html.ts';
import type { Words } from '../words.ts';
import { layout, type Surroundings } from './layout.ts';

interface Failure {
  readonly status: number;
  /** What the API says about it, in the language of the visitor. */
  readonly text: string;
}

const TITLES: { readonly [status: number]: PageWord } = {
  400: 'invalid',
  404: 'not_found',
  410: 'not_found',
  503: 'unavailable',
};

export const errorPage = (surroundings: Surroundings, { status, text }: Failure): Html =>
  inPlace(
    surroundings,
    TITLES[status] ?? (status < 500 ? 'invalid' : 'unavailable'),
    html`<p>${text}</p>${status === 404 && searchField(surroundings.words)}`,
  );

/** In place of the form for submitting events, where there is none. */
export const noSubmissionsPage = (surroundings: Surroundings): Html => {
  const { words, theme } = surroundings;
  return inPlace(
    surroundings,
    'submit_off',
    html`<p>${words('submit_off_text')}</p>
      ${theme.imprint !== null && html`<p><a href=${theme.imprint}>${words('imprint')}</a></p>`}`,
  );
};

function inPlace(surroundings: Surroundings, word: PageWord, content: Html): Html {
  const { words } = surroundings;
  return layout(surroundings, {
    title: words(word),
    main: html`<div class="failure">
      <h1>${words(word)}</h1>
      ${content}
      <p><a class="button" href="/">${words('to_list')}</a></p>
    </div>`,
  });
}

/** Something like it may be on other days, or under another address. */
const searchField = (words: Words): Html => html`<form action="/" method="get" role="search">
  <label><span class="hidden">${words('search')}</span><input type="search" name="search" maxlength="200" placeholder=${words('search')} /></label>
  <button type="submit" class="quiet">${words('search')}</button>
</form>`;
