// The routes of the first start, which need no session but the word that the terminal has shown.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type SettingsState, siteFields } from '../../../../calendar/site/desk/fields.ts';
import type { SiteSettings } from '../../../../calendar/site/domain/site-settings.ts';
import { ApiError } from '../../../../http/errors.ts';
import { type Problem, problemFrom } from '../../../../pages/desk/api.ts';
import type { Desk } from '../../../../pages/desk/dependencies.ts';
import { problemNote, textField } from '../../../../pages/desk/forms.ts';
import { type DeskPage, type DeskSurroundings, textOf } from '../../../../pages/desk/page.ts';
import { leadTo, showTo } from '../../../../pages/desk/show.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { FIRST_START_PATH, sessionText } from '../../../auth/sessions.ts';
import type { Offered } from '../../http/first-start.ts';
import { newPasswordField } from '../sign-in-page.ts';
import { setCookie } from '../sign-in-routes.ts';

export function startRoutes(app: FastifyInstance, desk: Desk): void {
  const { access, firstStart } = desk;
  const askingOf = ({ id }: FastifyRequest, { now }: DeskSurroundings) => ({ user: null, now, id });

  app.get(FIRST_START_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const word = textOf(around.parameters, 'word');
    const offered = await firstStart.find(askingOf(request, around), word);
    return offered ? showForm(reply, word, offered, null) : showTo(reply, around, startOverPage(around));
  });

  app.post(FIRST_START_PATH, async (request, reply) => {
    const around = desk.surroundings(request);
    const { form } = around;
    const word = textOf(form, 'word');
    const asking = askingOf(request, around);
    const offered = await firstStart.find(asking, word);
    if (!offered) return showTo(reply, around, startOverPage(around));
    const choices = { login: textOf(form, 'login').trim(), password: textOf(form, 'password') };
    try {
      const user = await firstStart.finish(asking, word, { ...choices, settings: settingsIn(around, offered) });
      setCookie(desk, reply, sessionText(await access.start(asking, { user })));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const problem = problemFrom(error, around.language);
      // Another tab was faster.
      if ('link' in problem.fields) return showTo(reply, around, startOverPage(around));
      return showForm(reply, word, offered, problem);
    }
    if (textOf(form, 'contents') === 'sample' && offered.calendar === 'empty') await firstStart.fillWithSample(asking);
    return leadTo(reply, '/desk', 'said_started');
  });

  function showForm(reply: FastifyReply, word: string, offered: Offered, problem: Problem | null): FastifyReply {
    const around = desk.surroundings(reply.request);
    return showTo(reply, around, startPage(around, { word, problem, ...offered, ...shownIn(around) }));
  }

  /** What was typed, else what is so far. */
  function shownIn({ form, language }: DeskSurroundings): Pick<SettingsState, 'values' | 'fixedBy'> {
    const { name, zone, language: own, fixedBy } = desk.site;
    return {
      fixedBy,
      values: {
        site_name: textOf(form, 'site_name') || (name ?? ''),
        timezone: textOf(form, 'timezone') || zone.name,
        language: textOf(form, 'language') || (fixedBy.language ? own.code : language.code),
      },
    };
  }

  /** What is open to choice. */
  function settingsIn({ form }: DeskSurroundings, { calendar }: Offered): Partial<SiteSettings> {
    const { fixedBy } = desk.site;
    const names = (['site_name', 'timezone', 'language'] as const).filter(
      (name) => fixedBy[name] === undefined && (name !== 'timezone' || calendar === 'empty'),
    );
    return Object.fromEntries(names.map((name) => [name, textOf(form, name).trim() || null]));
  }
}

// The first start: what the site is called, where it is, which language it speaks, and who administers it.

interface StartContent extends SettingsState {
  readonly word: string;
}

function startPage(around: DeskSurroundings, page: StartContent): DeskPage {
  const { words, form } = around;
  const { word, problem, calendar } = page;
  return {
    title: words('start'),
    problem,
    main: html`<div class="narrow">
      <h1>${words('start')}</h1>
      <p>${words('start_text')}</p>
      ${problemNote(problem, labelsOf(around))}
      <form method="post" action="/desk/start" class="fields">
        <input type="hidden" name="word" value=${word} />
        ${siteFields(around, page)}
        <h2>${words('first_administrator')}</h2>
        ${textField(
          {
            name: 'login',
            label: words('login'),
            value: textOf(form, 'login') || 'admin',
            problem: problem?.fields.login,
          },
          { required: true, maxlength: 60, autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' },
        )}
        ${newPasswordField(words, problem)}
        ${calendar === 'empty' && contents(around)}
        <p class="actions"><button type="submit" class="main">${words('start_it')}</button></p>
      </form>
    </div>`,
  };
}

const labelsOf = ({ words }: DeskSurroundings): { readonly [name: string]: string } => ({
  site_name: words('site_name'),
  timezone: words('site_zone'),
  language: words('site_language'),
  login: words('login'),
  password: words('new_password'),
});

function contents({ words, form }: DeskSurroundings): Html {
  const choice = textOf(form, 'contents') || 'empty';
  const one = (value: 'empty' | 'sample', label: string): Html =>
    html`<div class="check"><input type="radio" id=${`contents-${value}`} name="contents" value=${value} checked=${choice === value} />
      <label for=${`contents-${value}`}>${label}</label></div>`;
  return html`<fieldset><legend>${words('start_contents')}</legend>
    ${one('empty', words('start_empty'))}
    ${one('sample', words('start_sample'))}
  </fieldset>`;
}

/** In place of the page once its word does not count any more. */
const startOverPage = ({ words }: DeskSurroundings): DeskPage => ({
  title: words('start'),
  status: 410,
  main: html`<div class="narrow">
    <h1>${words('start_over')}</h1>
    <p class="problems" role="alert">${words('start_over_text')}</p>
    <p><a href="/desk/sign-in">${words('sign_in')}</a></p>
  </div>`,
});
