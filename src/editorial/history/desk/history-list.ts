// The latest entries of a history, below what they are about.
import { inLanguage, siteMomentText } from '../../../pages/dates.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HistoryPage } from './reading.ts';

const SHOWN = 10;

/** `path`: of what has the history, in the API. */
export async function latestChanges(request: DeskRequest, path: string, title: string): Promise<Html | false> {
  const { history } = await request.api.read<HistoryPage>(`${path}/history`, { per_page: SHOWN });
  return (
    history.length > 0 &&
    html`<section>
    <h2>${title}</h2>
    <ul class="rows">${history.map(
      ({
        instant,
        actor,
        summary,
        reason,
      }) => html`<li><div><p class="what">${inLanguage(request.language, summary)}</p>
        <p class="hint">${actor.name} · <time datetime=${instant}>${siteMomentText(request, instant)}</time>
          ${reason !== null && html` · ${reason}`}</p></div></li>`,
    )}</ul>
  </section>`
  );
}
