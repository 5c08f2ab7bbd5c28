// Signing in. A form whose session has run out is carried along, so that nothing typed is lost.
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { hiddenFields, sentFields, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskSurroundings, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';

/** A form that could not be carried out yet. */
export interface CarriedForm {
  readonly path: string;
  /** Its fields, as a form is encoded. */
  readonly fields: string;
}

/** The way to the page of the single sign-on: one of one's own, or that of the issuer with its name. */
export type SignOnContent =
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'issuer'; readonly name: string };

export interface SignInContent {
  readonly status: number;
  /** Where to lead afterwards. */
  readonly to: string;
  readonly carried: CarriedForm | null;
  /** Where people sign in with the single sign-on; null: they do not. */
  readonly signOn: SignOnContent | null;
  /** Why this page is shown, or shown again. */
  readonly note?: string;
}

export const carriedForm = (path: string, form: ParameterMap): CarriedForm => ({
  path,
  fields: String(new URLSearchParams(sentFields(form).map(([name, value]) => [name, value]))),
});

export function signInPage(
  surroundings: DeskSurroundings,
  { status, to, carried, note, signOn }: SignInContent,
): DeskPage {
  const { words, form } = surroundings;
  return {
    title: words('sign_in'),
    status,
    main: html`<div class="narrow">
      <h1>${words('sign_in')}</h1>
      ${note !== undefined && html`<p class="problems" role="alert">${note}</p>`}
      ${carried !== null && html`<p class="note">${words('sign_in_again')}</p>`}
      <form method="post" action="/desk/sign-in" class="fields">
        <input type="hidden" name="to" value=${to} />
        ${carried && carriedFields(carried)}
        <div class="field"><label for="login">${words('login_or_email')}</label>
          <input id="login" name="login" value=${textOf(form, 'login')} autocomplete="username" autocapitalize="none"
            spellcheck="false" required maxlength="100" autofocus /></div>
        <div class="field"><label for="password">${words('password')}</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required
            maxlength="1000" aria-describedby="password-hint" />
          <p class="hint" id="password-hint">${words('password_or_token')}</p></div>
        <p class="actions"><button type="submit" class="main">${words('sign_in')}</button></p>
      </form>
      ${signOn !== null && signOnWay(surroundings, signOn, { to, carried })}
    </div>`,
  };
}

/** Where a new password is typed, on pages of those who are not signed in. */
export const newPasswordField = (words: DeskSurroundings['words'], problem: Problem | null): Html =>
  textField(
    {
      name: 'password',
      label: words('new_password'),
      value: '',
      hint: words('password_rule'),
      problem: problem?.fields.password,
    },
    { type: 'password', required: true, minlength: 12, maxlength: 1000, autocomplete: 'new-password' },
  );

/** Where the way to the page of the issuer begins. */
export const SIGN_ON_START = '/desk/sign-on/start';

function signOnWay(
  { words }: DeskSurroundings,
  signOn: SignOnContent,
  { to, carried }: Pick<SignInContent, 'to' | 'carried'>,
): Html {
  if (signOn.kind === 'page')
    return html`<p class="actions"><a class="button" href=${signOn.address}>${words('single_sign_on')}</a></p>`;
  const { name } = signOn;
  const label = words('sign_on_with', { name });
  if (carried === null)
    return html`<p class="actions"><a class="button" href=${`${SIGN_ON_START}?${new URLSearchParams({ to })}`}>${label}</a></p>`;
  // A form does not travel over the pages of others: it waits here.
  return html`<p class="actions"><a class="button" href=${SIGN_ON_START} target="_blank">${label}</a></p>
    <form method="post" action=${carried.path} class="fields">
      ${hiddenFields([...new URLSearchParams(carried.fields)])}
      <p class="hint" id="sign-on-hint">${words('sign_on_carried', { name })}</p>
      <p class="actions"><button type="submit" aria-describedby="sign-on-hint">${words('sign_on_continue')}</button></p>
    </form>`;
}

const carriedFields = ({ path, fields }: CarriedForm): Html =>
  hiddenFields([
    ['carried_path', path],
    ['carried', fields],
  ]);
