// The users of the calendar, and adding another one.

import type { Problem } from '../../../pages/desk/api.ts';
import { field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { choice, filterInput, pagesNav } from '../../../pages/desk/lists.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { ROLES } from '../../auth/caller.ts';
import { USERS, type UsersPage } from './reading.ts';

export interface UserListShown {
  readonly list: UsersPage;
  readonly page: number;
  readonly problem: Problem | null;
}

export function userListPage(request: DeskRequest, { list, page, problem }: UserListShown): DeskPage {
  const { words, sent } = request;
  const [search, role] = [textOf(sent, 'search'), textOf(sent, 'role')];
  const to = (number: number): string => address(USERS, Object.entries({ search, role, page: String(number) }));
  return {
    title: words('users'),
    section: USERS,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('users')}</h1>`,
      html`<form class="filters" method="get" action=${USERS}>
        ${filterInput('search', words('search'), search, 'text')}
        ${choice('role', words('role'), role, [
          ['', words('any_role')],
          ...ROLES.map((one) => [one, words(`role_${one}`)] as const),
        ])}
        <p class="actions"><button type="submit">${words('find')}</button></p>
      </form>`,
      html`<p role="status">${words('users_found', { total: list.total })}</p>`,
      html`<ul class="rows">${list.users.map(
        ({ id, name, login, email, role: has }) => html`<li>
          <div><p class="what"><a href=${`${USERS}/${id}`}>${name}</a></p>
            <p class="hint">${[login, email].filter((one) => one !== '').join(' · ')}</p></div>
          <p class="hint"><span class="label">${words(`role_${has}`)}</span></p>
        </li>`,
      )}</ul>`,
      pagesNav(request, { page, pages: list.total_pages, to }),
      addForm(request, problem),
    ].filter((part) => part !== false),
  };
}

function addForm(request: DeskRequest, problem: Problem | null): Html {
  const { words, form } = request;
  const fields = problem?.fields ?? {};
  const named = (name: string, label: string) => ({ name, label, value: textOf(form, name), problem: fields[name] });
  return html`<form class="box fields narrow" method="post" action=${USERS}>
    <h2>${words('new_user')}</h2>
    ${problemNote(problem, { login: words('login'), name: words('name'), email: words('email'), role: words('role') })}
    ${formFields(request)}
    ${textField(named('login', words('login')), { required: true, maxlength: 60, autocapitalize: 'none', autocomplete: 'off' })}
    <div class="pair">
      ${textField(named('name', words('name')), { maxlength: 200, autocomplete: 'off' })}
      ${textField(named('email', words('email')), { type: 'email', maxlength: 100, autocomplete: 'off' })}
    </div>
    ${roleField(request, textOf(form, 'role') || 'editor', fields.role)}
    <p class="actions"><button class="main" type="submit">${words('new_user')}</button></p>
  </form>`;
}

export const roleField = ({ words }: DeskRequest, chosen: string, problem: string | undefined): Html =>
  field(
    { name: 'role', label: words('role'), problem },
    html`<select id="role" name="role">${ROLES.map(
      (role) => html`<option value=${role} selected=${role === chosen}>${words(`role_${role}`)}</option>`,
    )}</select>`,
  );
