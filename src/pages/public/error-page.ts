// A page in place of one that cannot be shown.
import type { PageWord } from '../../locales/language.ts';
import { type Html, html } from '../html.ts';
import { layout, type Surroundings } from './layout.ts';

export interface Failure {
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

export function errorPage(surroundings: Surroundings, { status, text }: Failure): Html {
  const { words } = surroundings;
  const title = words(TITLES[status] ?? (status < 500 ? 'invalid' : 'unavailable'));
  return layout(surroundings, {
    title,
    main: html`<div class="failure">
      <h1>${title}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">${words('to_list')}</a></p>
    </div>`,
  });
}
