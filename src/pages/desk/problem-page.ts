// A page in place of one that cannot be shown, or of what could not be done.
import { html } from '../html.ts';
import type { DeskPage, DeskSurroundings } from './page.ts';

export const problemPage = ({ words }: DeskSurroundings, status: number, text: string): DeskPage => ({
  title: words(status === 404 ? 'not_found' : 'problem'),
  status,
  main: html`<div class="narrow">
    <h1>${words(status === 404 ? 'not_found' : 'problem')}</h1>
    <p class="problems" role="alert">${text}</p>
    <p><a href="/desk">${words('to_desk')}</a></p>
  </div>`,
});
