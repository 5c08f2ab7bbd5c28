// Gives a form back that was not carried out, with everything that was typed: it is sent again by one button.
import { parseParameters } from '../../http/parameters/query-string.ts';
import type { DeskWord } from '../../locales/language.ts';
import type { CarriedForm } from '../../people/users/desk/sign-in-page.ts';
import { html } from '../html.ts';
import { without } from '../links.ts';
import { formFields, hiddenFields, sentFields } from './forms.ts';
import type { DeskPage, DeskRequest } from './page.ts';

/** `problem`: why it was not carried out, if not for a session that had ended. */
export function againPage(request: DeskRequest, { path, fields }: CarriedForm, status: number, problem = ''): DeskPage {
  const { words } = request;
  const form = parseParameters(fields);
  const values = sentFields(form);
  const visible = values.filter(([name, value]) => !name.startsWith('_') && !SECRET.test(name) && value !== '');
  return {
    title: words('send_again'),
    status,
    main: html`<div class="narrow">
      <h1>${words('send_again')}</h1>
      ${problem !== '' && html`<p class="problems" role="alert">${problem}</p>`}
      <p>${words(problem === '' ? 'send_again_text' : 'send_again_later')}</p>
      <form method="post" action=${path}>
        ${formFields({ ...request, form })}
        ${hiddenFields(without(values, '_key'))}
        <p class="actions"><button type="submit" class="main">${words('send_again')}</button>
          <a href="/desk">${words('discard')}</a></p>
      </form>
      <dl class="typed">${visible.map(([name, value]) => html`<div><dt>${labelOf(request, name)}</dt><dd>${value}</dd></div>`)}</dl>
    </div>`,
  };
}

/** What a form calls its field, or that of the day that a time belongs to. */
function labelOf({ words, language }: DeskRequest, name: string): string {
  const word = `field_${name.replace(/_time$/, '')}`;
  return word in language.desk ? words(word as DeskWord) : name;
}

const SECRET = /password/;
