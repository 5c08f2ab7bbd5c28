// What an administrator does first in a new calendar.

import type { DeskWord } from '../../../locales/language.ts';
import { mayManageSite } from '../../../people/auth/policy.ts';
import { type Html, html } from '../../html.ts';
import { type DeskRequest, textOf } from '../page.ts';

interface Step {
  readonly word: DeskWord;
  readonly path: string;
  readonly isDone: boolean;
}

/** A list of the API, the section where the first of its resources is made, and the way there. */
const FIRST_OF = [
  {
    list: '/categories',
    query: { hide_empty: 'false' },
    section: '/desk/categories',
    form: '/desk/categories',
    word: 'first_category',
  },
  {
    list: '/venues',
    query: { status: 'any' },
    section: '/desk/venues',
    form: '/desk/venues',
    word: 'first_venue',
  },
  {
    // Published: a draft is not what visitors see.
    list: '/events',
    query: { start_date: '1000-01-01' },
    section: '/desk/events',
    form: '/desk/events/new?state=publish',
    word: 'first_event',
  },
] as const;

/** What an administrator does first in a new calendar; empty once all of it is done, and for all others. */
export async function firstSteps({ user, api, menu, parameters }: DeskRequest): Promise<readonly Step[]> {
  if (!mayManageSite(user)) return [];
  const settings = await api.ask('/settings');
  const steps: Step[] = [{ word: 'first_settings', path: '/desk/settings', isDone: settings.headers.etag !== '"0"' }];
  const sections = menu.flatMap(({ entries }) => entries);
  for (const { list, query, section, word, form } of FIRST_OF) {
    const { body, problem } = await api.ask<{ readonly total: number }>(list, { ...query, per_page: 1 });
    if (problem === null && sections.some(({ path }) => path === section))
      steps.push({ word, path: form, isDone: body.total > 0 });
  }
  const hasJustStarted = textOf(parameters, 'said') === 'said_started';
  return hasJustStarted || steps.some(({ isDone }) => !isDone) ? steps : [];
}

export const stepList = (words: DeskRequest['words'], steps: readonly Step[]): Html | false =>
  steps.length > 0 &&
  html`<section class="box">
    <h2>${words('first_steps')}</h2>
    <ol class="steps">${steps.map(
      ({ word, path, isDone }) =>
        html`<li class=${isDone ? 'done' : ''}><a href=${path}>${words(word)}</a>
          ${isDone && html`<span class="label good">${words('step_done')}</span>`}</li>`,
    )}</ol>
  </section>`;
