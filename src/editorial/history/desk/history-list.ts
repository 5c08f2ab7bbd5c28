// The latest entries of a history, below what they are about.
import { siteMomentText } from '../../../pages/dates.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';

/** As the API answers. */
export interface HistoryShown {
  readonly instant: string;
  readonly actor: { readonly name: string };
  readonly summary: string;
  readonly reason: string | null;
}

export const historyList = (request: DeskRequest, title: string, entries: readonly HistoryShown[]): Html | false =>
  entries.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    <ul class="rows">${entries.map(
      ({ instant, actor, summary, reason }) => html`<li><div><p class="what">${summary}</p>
        <p class="hint">${actor.name} · <time datetime=${instant}>${siteMomentText(request, instant)}</time>
          ${reason !== null && html` · ${reason}`}</p></div></li>`,
    )}</ul>
  </section>`;
