// Setting a new password with a link.

import type { Problem } from '../../../pages/desk/api.ts';
import { problemNote, textField } from '../../../pages/desk/forms.ts';
import type { DeskPage, DeskSurroundings } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';

export const newPasswordPage = (
  { words }: DeskSurroundings,
  { link, problem }: { readonly link: string; readonly problem: Problem | null },
): DeskPage => ({
  title: words('new_password'),
  status: problem?.status ?? 200,
  main: html`<div class="narrow">
    <h1>${words('new_password')}</h1>
    ${problemNote(problem, { password: words('new_password') })}
    <form method="post" action="/desk/new-password" class="fields">
      <input type="hidden" name="link" value=${link} />
      ${textField(
        {
          name: 'password',
          label: words('new_password'),
          value: '',
          hint: words('password_rule'),
          problem: problem?.fields.password,
        },
        { type: 'password', required: true, minlength: 12, maxlength: 1000, autocomplete: 'new-password' },
      )}
      <p class="actions"><button type="submit" class="main">${words('save')}</button></p>
    </form>
  </div>`,
});
