// What will happen by itself: posts that are published, sets that are applied, in order.

import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { momentText } from '../../../pages/dates.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';

interface Scheduled {
  /** In the zone of the site. */
  readonly date: string;
  readonly action: 'publish' | 'apply';
  readonly kind: 'event' | 'venue' | 'organizer' | 'set';
  readonly id: number;
  readonly title: string;
  readonly author: { readonly name: string };
}

export interface SchedulePage {
  readonly schedule: readonly Scheduled[];
  readonly total: number;
  readonly total_pages: number;
}

const PATH = '/desk/next';
const PER_PAGE = 50;

export const nextSection: DeskSection = {
  word: 'what_is_next',
  path: PATH,
  may: mayAssignAuthors,
  routes(app) {
    app.get(PATH, async ({ desk }, reply) => {
      const query = { page: textOf(desk.sent, 'page'), per_page: PER_PAGE };
      return show(reply, nextPage(desk, await desk.api.read<SchedulePage>('/schedule', query)));
    });
  },
};

function nextPage(request: DeskRequest, { schedule, total, total_pages: pages }: SchedulePage): DeskPage {
  const { words } = request;
  return {
    title: words('what_is_next'),
    section: PATH,
    main: [
      html`<h1>${words('what_is_next')}</h1>`,
      html`<p role="status">${total === 0 ? words('nothing_scheduled') : words('next_text')}</p>`,
      html`<ol class="rows">${schedule.map((one) => rowOf(request, one))}</ol>`,
      pagesNav(request, pages, PATH),
    ],
  };
}

const rowOf = ({ words, language }: DeskRequest, { date, action, kind, id, title, author }: Scheduled): Html =>
  html`<li>
    <p><time datetime=${date.replace(' ', 'T')}>${momentText(language.code, date)}</time> · <span class="label">${words(`next_${action}`)}</span></p>
    <p class="what"><a href=${`/desk/${kind}s/${id}`}>${lineOfHtml(title) || words('untitled')}</a></p>
    <p class="hint">${author.name}</p>
  </li>`;
