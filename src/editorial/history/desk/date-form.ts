// The way to something as it was on a day, at a time of the site.

import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { minuteOf, pathOf, type Subject } from './reading.ts';

export const dateForm = (request: DeskRequest, subject: Subject): Html =>
  html`<form class="slider" method="get" action=${`${pathOf(subject)}/at`}>
    <label for="date">${request.words('as_it_was_on')}</label>
    <input type="datetime-local" id="date" name="date" required max=${minuteOf(request)} value=${textOf(request.sent, 'date')} />
    <button type="submit">${request.words('show_it')}</button>
  </form>`;
