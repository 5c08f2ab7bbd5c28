// Two states of something side by side.
import { momentText } from '../../../pages/dates.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { timeControl } from '../../../pages/desk/time-control.ts';
import { html } from '../../../pages/html.ts';
import { type Comparison, pathOf, type Subject, timesOf } from './reading.ts';
import { changeList } from './values.ts';

interface ComparisonShown extends Comparison {
  readonly subject: Subject;
  readonly name: string;
}

export function comparePage(request: DeskRequest, { subject, name, from, to, changes }: ComparisonShown): DeskPage {
  const { words, language } = request;
  const named = ({ revision, date }: Comparison['from']): string =>
    [revision ?? '', `(${momentText(language.code, date)})`].join(' ').trim();
  const title = words('compare_of', { name });
  return {
    title,
    section: subject.section,
    main: [
      html`<h1>${title}</h1>`,
      timeControl(request, timesOf(subject)),
      html`<p>${words('compared', { from: named(from), to: named(to) })}</p>`,
      changes.length === 0 ? html`<p role="status">${words('no_difference')}</p>` : changeList(request, changes),
      html`<p><a href=${pathOf(subject)}>${words('history_of', { name })}</a></p>`,
    ],
  };
}
