// What stands in place of a list without events: why it is empty, and what to do next.
import { dateText } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { monthPath } from '../links.ts';
import type { Surroundings } from './layout.ts';

/**
 * `new`: no event was ever published. `nothing planned`: the list has no filters. `filtered`: there may be others without
 * them.
 */
export type Emptiness = 'new' | 'nothing planned' | 'filtered';

export function emptyList(surroundings: Surroundings, why: Emptiness): Html {
  const { words, language, thisMonth } = surroundings;
  if (why === 'new') return newCalendar(surroundings);
  if (why === 'filtered')
    return html`<div class="none">
      <p><strong>${words('none')}</strong></p>
      <p>${words('try_others')} <a href="/">${words('to_list')}</a></p>
    </div>`;
  return html`<div class="none">
    <p><strong>${words('nothing_planned')}</strong></p>
    <p>${words('nothing_planned_text')} <a href=${monthPath(thisMonth)}>${dateText(language.code, 'month', `${thisMonth}-01`)}</a></p>
  </div>`;
}

/** A visitor may be its administrator or not: what visitors need stands first. */
function newCalendar({ words }: Surroundings): Html {
  return html`<div class="none new">
    <p>${words('new_calendar_text')}</p>
    <section class="yours">
      <h2>${words('new_calendar_yours')}</h2>
      <ul>
        <li><a href="/desk/events/new">${words('new_calendar_event')}</a></li>
        <li><a href="/desk/import">${words('new_calendar_import')}</a></li>
        <li><a href="/desk/settings">${words('new_calendar_name')}</a></li>
      </ul>
      <p>${words('new_calendar_first')}</p>
      <p>${words('new_calendar_demo')} <code>daybook demo</code></p>
    </section>
  </div>`;
}
