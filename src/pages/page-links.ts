// The way through the pages of a list.
import { type Html, html } from './html.ts';
import type { DeskWords, Words } from './words.ts';

/** `to`: the address of a page. */
export const pageLinks = (
  words: Words | DeskWords,
  { page, pages }: { readonly page: number; readonly pages: number },
  to: (page: number) => string,
): Html | false =>
  pages > 1 &&
  html`<nav class="pages" aria-label=${words('pages')}>
    ${page > 1 && html`<a rel="prev" href=${to(page - 1)}>${words('previous')}</a>`}
    <span>${words('page_of', { page, pages })}</span>
    ${page < pages && html`<a rel="next" href=${to(page + 1)}>${words('next')}</a>`}
  </nav>`;
