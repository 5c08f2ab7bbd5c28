// Tokens of a user, by which programs sign in: a list to revoke them in, and a form for a new one. On the page of one's own
// account, and for administrators on that of each user.

import type { Answer } from '../../../http/schemas/components.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, textField, typedField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';

/** Issues one for what the form says it is for; null for a form that was sent before. */
export const issueToken = ({ api, form }: DeskRequest, user: string | number) =>
  api.send<{ readonly password: string | null }>('POST', `/users/${user}/credentials`, {
    label: textOf(form, 'label'),
  });

interface TokensContent {
  /** Where the form is sent; `…/revoke` takes one back. */
  readonly action: string;
  readonly credentials: readonly Answer<'Credential'>[];
  readonly problem: Problem | null;
}

export function tokenList(request: DeskRequest, { action, credentials, problem }: TokensContent): Html {
  const { words, form } = request;
  return html`<section><h2>${words('tokens')}</h2>
    ${credentials.length === 0 && html`<p>${words('no_tokens')}</p>`}
    <ul class="rows">${credentials.map(
      (
        token,
      ) => html`<li><span>${words('token_since', { label: token.label, date: siteMomentText(request, token.issued) })}</span>
        ${buttonForm(request, `${action}/revoke`, words('revoke'), { token: String(token.id) })}</li>`,
    )}</ul>
    <form method="post" action=${action} class="fields">
      ${formFields({ ...request, form: 'label' in form ? form : {} })}
      ${textField(typedField(request, problem, 'label', 'token_for'), { required: true, maxlength: 200 })}
      <p class="actions"><button type="submit">${words('new_token')}</button></p>
    </form>
  </section>`;
}

/** A new token, shown this once; null: the form was sent again, and it was shown before. */
export const tokenNote = (words: DeskRequest['words'], token: string | null): Html =>
  secretNote(words('tokens'), token ?? '', words(token === null ? 'token_gone' : 'token_text'));

export const secretNote = (title: string, secret: string, text: string): Html =>
  html`<div class="note secret" role="status"><h2>${title}</h2>
    ${secret !== '' && html`<p><code>${secret}</code></p>`}
    <p>${text}</p></div>`;
