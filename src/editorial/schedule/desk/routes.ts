// What will happen by itself: posts that are published, sets that are applied, in order.

import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { momentText } from '../../../pages/dates.ts';
import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayAssignAuthors } from '../../../people/auth/policy.ts';

type Scheduled = Answer<'Scheduled'>;
export type SchedulePage = PageOf<'schedule', Scheduled>;

const PATH = '/desk/next';
const PER_PAGE = 50;

export const nextSection: DeskSection = {
  word: 'what_is_next',
  path: PATH,
  may: mayAssignAuthors,
  routes(app) {
    app.get(PATH, async ({ desk }, reply) => {
      const query = { page: textOf(desk.parameters, 'page'), per_page: PER_PAGE };
      const { schedule, total, total_pages: pages } = await desk.api.read<SchedulePage>('/schedule', query);
      const { words } = desk;
      return show(reply, {
        title: words('what_is_next'),
        section: PATH,
        main: [
          html`<h1>${words('what_is_next')}</h1>`,
          html`<p role="status">${total === 0 ? words('nothing_scheduled') : words('next_text')}</p>`,
          html`<ol class="rows">${schedule.map((one) => rowOf(desk, one))}</ol>`,
          pagesNav(desk, pages, PATH),
        ],
      });
    });
  },
};

const rowOf = ({ words, language }: DeskRequest, { date, action, kind, id, title, author }: Scheduled): Html =>
  html`<li>
    <div><p class="what"><a href=${`/desk/${kind}s/${id}`}>${lineOfHtml(title) || words('untitled')}</a></p>
      <p class="hint"><time datetime=${date.replace(' ', 'T')}>${momentText(language.code, date)}</time> ${author.name}</p></div>
    <span class="label">${words(`next_${action}`)}</span>
  </li>`;
