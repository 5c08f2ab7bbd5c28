// What can be done with a list beside reading it: subscribe to it, share it, embed it elsewhere.

import { escapeHtml } from '../../kernel/text/escape-html.ts';
import { type Html, html } from '../html.ts';
import { address, type Query, without } from '../links.ts';
import type { Feeds } from '../periods.ts';
import type { Words } from '../words.ts';
import type { Surroundings } from './layout.ts';

interface ListOffered {
  readonly title: string;
  /** The path of the page, with its filters. */
  readonly path: string;
  /** The address of the list in lines for paper: see `onPaper`. */
  readonly printed: string;
  readonly feeds: Feeds;
  /** For the element that embeds it; absent: it cannot be embedded. */
  readonly embedded?: Query;
}

/** As many as a list has at most. */
const PRINTED = '50';

/** The address of a list that opens the printing of the browser, which saves PDF as well. */
export const onPaper = (path: string, filters: Query): string =>
  `${address(path, [...without(filters, 'per_page'), ['per_page', PRINTED]])}#print`;

export function listTools(surroundings: Surroundings, list: ListOffered): Html {
  const { words } = surroundings;
  const { calendar, news } = list.feeds;
  return html`<section class="tools" id="tools" data-live>
    <h2>${words('subscribe')}</h2>
    <ul class="links">
      <li><a href=${calendar.replace(/^https?:/, 'webcal:')}>${words('subscribe_program')}</a></li>
      <li><a href=${calendar}>${words('calendar_feed')}</a></li>
      ${news !== undefined && html`<li><a href=${news}>${words('news_feed')}</a></li>`}
      <li><a href=${list.printed} rel="nofollow">${words('print_list')}</a></li>
    </ul>
    ${shareButtons(words)}
    ${list.embedded !== undefined && embedding(surroundings, list, list.embedded)}
  </section>`;
}

/** Without script they are not shown: the address is in the bar of the browser. */
export const shareButtons = (words: Words): Html =>
  html`<p class="share">
    <button type="button" class="quiet" data-copy="" data-done=${words('copied')}>${words('copy_link')}</button>
    <button type="button" class="quiet" data-share hidden>${words('share')}</button>
  </p>`;

function embedding({ words, site }: Surroundings, { title, path }: ListOffered, filters: Query): Html {
  const attributes = filters.map(([name, value]) => ` ${name.replaceAll('_', '-')}="${escapeHtml(value)}"`).join('');
  const code = [
    `<script src="${site}/embed.js" defer></script>`,
    `<daybook-events${attributes}>`,
    `  <a href="${escapeHtml(site + path)}">${escapeHtml(title)}</a>`,
    '</daybook-events>',
  ].join('\n');
  return html`<details class="embed"><summary>${words('embed')}</summary>
    <p id="embed-hint">${words('embed_hint')}</p>
    <textarea readonly rows="4" spellcheck="false" aria-label=${words('embed')} aria-describedby="embed-hint">${code}</textarea>
    <p class="share"><button type="button" class="quiet" data-copy=${code} data-done=${words('copied')}>${words('copy')}</button></p>
  </details>`;
}
