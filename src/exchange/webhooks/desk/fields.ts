// The form of a webhook: where to, whose rights count, and which changes.

import type { Kind } from '../../../editorial/audit/desk/reading.ts';
import { CHANGE_KINDS } from '../../../editorial/history/http/history-schema.ts';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf, textsOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { ACTOR_ROLES, type Webhook } from './reading.ts';

/** What the form is filled in with; lists of words are texts with commas. */
interface Values {
  readonly url: string;
  readonly name: string;
  readonly user: string;
  readonly kinds: readonly string[];
  readonly types: string;
  readonly actor: string;
  readonly role: readonly string[];
  readonly field: string;
  readonly reason: string;
}

const isKind = (word: string): word is Kind => CHANGE_KINDS.some((kind) => kind === word);

/** Nothing is filtered, and the rights are one's own. */
const blankFor = ({ user }: DeskRequest): Values => ({
  ...{ url: '', name: '', user: String(user.id) },
  ...{ kinds: [], types: '', actor: '', role: [], field: '', reason: '' },
});

function valuesOf({ url, name, user, filters }: Webhook): Values {
  const { types, actor, role, field, reason } = filters;
  return {
    ...{ url, name, user: String(user.id), role, reason },
    kinds: types.filter(isKind),
    types: types.filter((word) => !isKind(word)).join(', '),
    actor: actor.join(', '),
    field: field.join(', '),
  };
}

const typedIn = (form: ParameterMap): Values => ({
  ...{ url: textOf(form, 'url').trim(), name: textOf(form, 'name').trim(), user: textOf(form, 'user').trim() },
  ...{ kinds: textsOf(form, 'kinds'), types: textOf(form, 'types'), actor: textOf(form, 'actor') },
  ...{ role: textsOf(form, 'role'), field: textOf(form, 'field'), reason: textOf(form, 'reason').trim() },
});

const listed = (text: string): readonly string[] => text.split(/[\s,、，]+/).filter((word) => word !== '');

/** The members of a creation or a change; all of them, since the form shows all. */
export function membersIn(form: ParameterMap): object {
  const { url, name, user, kinds, types, actor, role, field, reason } = typedIn(form);
  return {
    ...{ url, name, user: /^\d+$/.test(user) ? Number(user) : user },
    types: [...kinds, ...listed(types)].join(),
    actor: listed(actor).join(),
    role: role.join(),
    field: listed(field).join(),
    reason,
  };
}

export interface FieldsShown {
  /** Null: a new one. */
  readonly webhook: Webhook | null;
  /** Users that the field for one suggests. */
  readonly users: readonly { readonly id: number; readonly name: string }[];
  readonly problem: Problem | null;
}

export function webhookFields(request: DeskRequest, { webhook, users, problem }: FieldsShown): Html[] {
  const { words, form } = request;
  const values = 'url' in form ? typedIn(form) : webhook ? valuesOf(webhook) : blankFor(request);
  const fields = problem?.fields ?? {};
  const shown = (name: 'url' | 'name' | 'user' | 'types' | 'actor' | 'field' | 'reason', label: string) => ({
    ...{ name, label, value: values[name], problem: fields[name] },
  });
  return [
    html`${textField(
      { ...shown('url', words('webhook_url')), hint: words('hint_webhook_url') },
      { type: 'url', required: true, maxlength: 2000, autocomplete: 'off' },
    )}`,
    html`<div class="pair">
      ${textField(shown('name', words('name')), { maxlength: 200, autocomplete: 'off' })}
      ${textField(
        { ...shown('user', words('webhook_user')), hint: words('hint_webhook_user') },
        { required: true, inputmode: 'numeric', list: 'webhook-users', maxlength: 15, autocomplete: 'off' },
      )}
      <datalist id="webhook-users">${users.map(({ id, name }) => html`<option value=${String(id)}>${name}</option>`)}</datalist>
    </div>`,
    html`<details class="box filters-of" open=${hasFilters(values) || isAboutFilters(problem)}>
      <summary>${words('webhook_filters')}</summary>
      <div class="fields">
        <p class="hint">${words('hint_webhook_filters')}</p>
        ${ticks('kinds', words('kind'), values.kinds, kindOptions(request), fields.kind)}
        ${textField({ ...shown('types', words('webhook_types')), hint: words('hint_webhook_types') }, { maxlength: 2000 })}
        ${ticks('role', words('webhook_roles'), values.role, roleOptions(request), fields.role)}
        <div class="pair">
          ${textField({ ...shown('actor', words('webhook_actors')), hint: words('hint_webhook_actors') }, { maxlength: 1000 })}
          ${textField({ ...shown('field', words('webhook_fields')), hint: words('hint_webhook_fields') }, { maxlength: 1000 })}
        </div>
        ${textField(shown('reason', words('reason_has')), { maxlength: 200 })}
      </div>
    </details>`,
  ].flat();
}

const FILTERS = ['kinds', 'types', 'actor', 'role', 'field', 'reason'] as const;
const hasFilters = (values: Values): boolean => FILTERS.some((name) => values[name].length > 0);
const isAboutFilters = (problem: Problem | null): boolean =>
  Object.keys(problem?.fields ?? {}).some((name) => FILTERS.some((one) => one === name));

type Options = readonly (readonly [value: string, text: string])[];

const kindOptions = ({ words }: DeskRequest): Options => CHANGE_KINDS.map((kind) => [kind, words(`kind_${kind}`)]);
const roleOptions = ({ words }: DeskRequest): Options => ACTOR_ROLES.map((role) => [role, words(`role_${role}`)]);

const ticks = (
  name: string,
  label: string,
  chosen: readonly string[],
  options: Options,
  problem: string | undefined,
): Html =>
  html`<fieldset><legend>${label}</legend>
    <div class="checks">${options.map(
      ([value, text]) => html`<div class="check">
        <input type="checkbox" id=${`${name}-${value}`} name=${`${name}[]`} value=${value} checked=${chosen.includes(value)} />
        <label for=${`${name}-${value}`}>${text}</label></div>`,
    )}</div>
    ${problem && html`<p class="problem">${problem}</p>`}
  </fieldset>`;

/** The labels of what may be refused. */
export const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } => ({
  ...{ url: words('webhook_url'), name: words('name'), user: words('webhook_user'), types: words('webhook_types') },
  ...{ actor: words('webhook_actors'), field: words('webhook_fields'), reason: words('reason_has') },
});

/** In words, as far as there are some; '' for all changes. */
export function filtersText({ words }: DeskRequest, { types, actor, role, field, reason }: Webhook['filters']): string {
  const parts = [
    types.map((word) => (isKind(word) ? words(`kind_${word}`) : word)).join(', '),
    role.map((one) => words(`role_${one}`)).join(', '),
    actor.length > 0 ? `${words('webhook_actors')}: ${actor.join(', ')}` : '',
    field.length > 0 ? `${words('webhook_fields')}: ${field.join(', ')}` : '',
    reason === '' ? '' : `${words('reason_has')}: ${reason}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
