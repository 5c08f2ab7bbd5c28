// Pairs that look like the same, with the reasons, and the way to merge them.

import { pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { type DeskKind, sectionOf } from './kinds.ts';
import type { AlikePage, Duplicate } from './reading.ts';

export function alikePage(request: DeskRequest, kind: DeskKind, found: AlikePage): DeskPage {
  const { words, sent } = request;
  const section = sectionOf(kind);
  const to = (page: number): string => address(`${section}/duplicates`, [['page', String(page)]]);
  const nav = pagesNav(request, { page: Number(textOf(sent, 'page')) || 1, pages: found.total_pages, to });
  return {
    title: words('look_alike'),
    section,
    main: [
      html`<p><a href=${section}>${words(kind.collection)}</a></p>`,
      html`<h1>${words('look_alike')}</h1>`,
      found.duplicates.length === 0
        ? html`<p role="status">${words('none_alike')}</p>`
        : html`<p role="status">${words('found_all', { total: found.total })}</p>
            <ul class="rows">${found.duplicates.map((pair) => html`<li>${pairOf(request, section, pair)}</li>`)}</ul>`,
      nav,
    ].filter((part) => part !== false),
  };
}

function pairOf({ words, language }: DeskRequest, section: string, { reasons, distance, resources }: Duplicate) {
  const metres = distance === undefined ? '' : new Intl.NumberFormat(language.code).format(Math.round(distance));
  const why = reasons.map((reason) => words(`alike_${reason}`));
  const [one, other] = resources;
  return html`<div>
      ${resources.map(({ id, name }, at) => html`${at > 0 && ' · '}<a href=${`${section}/${id}`}>${name}</a> <small>${id}</small>`)}
      <p class="hint">${[...why, ...(metres === '' ? [] : [words('alike_distance', { metres })])].join(' · ')}</p>
    </div>
    ${one && other && html`<a class="button" href=${address(`${section}/${other.id}/merge`, [['into', String(one.id)]])}>${words('merge')}<span class="unseen"> ${other.name}, ${one.name}</span></a>`}`;
}
