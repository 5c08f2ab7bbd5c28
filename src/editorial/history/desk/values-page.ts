// Each value of something as it is today, with the change that made it so: from what the public reads to its fact.

import { momentText } from '../../../pages/dates.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { type HistoryEntry, type Members, nameIn, pathOf, readHistory, type Subject } from './reading.ts';
import { shownFields } from './state-page.ts';
import { fieldName, valueText } from './values.ts';

/** Pages of the history that are looked through. */
const MAX_PAGES = 8;

export async function valuesPage(request: DeskRequest, subject: Subject): Promise<DeskPage> {
  const { api, words } = request;
  const state = await api.read<Members>(`/${subject.kind.path}/${subject.id}`);
  const fields = shownFields(subject.kind, state);
  const changes = await lastChanges(request, subject, fields);
  const title = words('values_of', { name: nameIn(request, subject, state) });
  return {
    title,
    section: subject.section,
    main: [
      html`<h1>${title}</h1>`,
      html`<p><a href=${pathOf(subject)}>${words('history')}</a></p>`,
      html`<dl class="facts">${fields.map(
        (field) => html`<div><dt>${fieldName(request, field)}</dt>
          <dd>${valueText(request, field, state[field] ?? null)}${changeNote(request, changes.get(field))}</dd></div>`,
      )}</dl>`,
    ],
  };
}

/** The newest change of each field. */
async function lastChanges(
  { api }: DeskRequest,
  subject: Subject,
  fields: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  const found = new Map<string, HistoryEntry>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { history, total_pages: pages } = await readHistory(api, subject, String(page));
    for (const entry of history) for (const { field } of entry.changes) if (!found.has(field)) found.set(field, entry);
    if (page >= pages || fields.every((field) => found.has(field))) break;
  }
  return found;
}

const changeNote = ({ language }: DeskRequest, entry: HistoryEntry | undefined): Html | false =>
  entry !== undefined &&
  html`<p class="hint"><a href=${address('/desk/audit', [['request', entry.correlation_id]])}>${entry.summary}</a> · ${entry.actor.name} · ${momentText(language.code, entry.date)}${entry.reason !== null && html` · <q>${entry.reason}</q>`}</p>`;
