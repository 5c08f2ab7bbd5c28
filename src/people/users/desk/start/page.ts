// The first start: what the site is called, where it is, which language it speaks, and who administers it.

import { type ShownSettings, siteFields } from '../../../../calendar/site/desk/fields.ts';
import { problemNote, textField } from '../../../../pages/desk/forms.ts';
import { type DeskPage, type DeskSurroundings, textOf } from '../../../../pages/desk/page.ts';
import { type Html, html } from '../../../../pages/html.ts';

export interface StartShown extends ShownSettings {
  readonly word: string;
}

export function startPage(around: DeskSurroundings, shown: StartShown): DeskPage {
  const { words, form } = around;
  const { word, problem, calendar } = shown;
  return {
    title: words('start'),
    status: problem?.status ?? 200,
    main: html`<div class="narrow">
      <h1>${words('start')}</h1>
      <p>${words('start_text')}</p>
      ${problemNote(problem, labelsOf(around))}
      <form method="post" action="/desk/start" class="fields">
        <input type="hidden" name="word" value=${word} />
        ${siteFields(around, shown)}
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
        ${textField(
          {
            ...{ name: 'password', label: words('new_password'), value: '' },
            ...{ hint: words('password_rule'), problem: problem?.fields.password },
          },
          { type: 'password', required: true, minlength: 12, maxlength: 1000, autocomplete: 'new-password' },
        )}
        ${calendar === 'empty' && contents(around)}
        <p class="actions"><button type="submit" class="main">${words('start_it')}</button></p>
      </form>
    </div>`,
  };
}

const labelsOf = ({ words }: DeskSurroundings): { readonly [name: string]: string } => ({
  ...{ site_name: words('site_name'), timezone: words('site_zone'), language: words('site_language') },
  ...{ login: words('login'), password: words('new_password') },
});

function contents({ words, form }: DeskSurroundings): Html {
  const chosen = textOf(form, 'contents') || 'empty';
  const one = (value: 'empty' | 'sample', label: string): Html =>
    html`<div class="check"><input type="radio" id=${`contents-${value}`} name="contents" value=${value} checked=${chosen === value} />
      <label for=${`contents-${value}`}>${label}</label></div>`;
  return html`<fieldset><legend>${words('start_contents')}</legend>
    ${one('empty', words('start_empty'))}
    ${one('sample', words('start_sample'))}
  </fieldset>`;
}

/** In place of the page once its word does not count any more. */
export const startOverPage = ({ words }: DeskSurroundings): DeskPage => ({
  title: words('start'),
  status: 410,
  main: html`<div class="narrow">
    <h1>${words('start_over')}</h1>
    <p class="problems" role="alert">${words('start_over_text')}</p>
    <p><a href="/desk/sign-in">${words('sign_in')}</a></p>
  </div>`,
});
