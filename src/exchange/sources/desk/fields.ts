// The form of a source: where it is, how often it is polled, and what becomes of what it says.

import type { Problem } from '../../../pages/desk/api.ts';
import { field, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayManageUsers } from '../../../people/auth/policy.ts';
import { ON_MISSING, SOURCE_MODES } from '../domain/source.ts';
import { type Source, STATUSES } from './reading.ts';

const NAMES = ['address', 'name', 'every', 'mode', 'on_missing', 'status'] as const;
type Values = { readonly [Name in (typeof NAMES)[number] | 'user']: string };

const blankFor = ({ user }: DeskRequest): Values => ({
  ...{ address: '', name: '', every: '60', mode: 'apply', on_missing: 'leave', status: '' },
  user: String(user.id),
});

const valuesOf = (source: Source): Values => ({
  ...source,
  every: String(source.every),
  user: String(source.user.id),
});

const typedIn = (form: DeskRequest['form']): Values => ({
  ...{
    address: textOf(form, 'address').trim(),
    name: textOf(form, 'name').trim(),
    every: textOf(form, 'every').trim(),
  },
  ...{ mode: textOf(form, 'mode'), on_missing: textOf(form, 'on_missing'), status: textOf(form, 'status') },
  user: textOf(form, 'user').trim(),
});

const numberOr = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** The members of a creation or a change; all that the form shows. */
export function membersIn({ form }: DeskRequest): object {
  const { every, user, ...texts } = typedIn(form);
  return { ...texts, every: numberOr(every), ...('user' in form && { user: numberOr(user) }) };
}

export interface FieldsShown {
  /** Null: a new one. */
  readonly source: Source | null;
  readonly problem: Problem | null;
}

export function sourceFields(request: DeskRequest, { source, problem }: FieldsShown): Html[] {
  const { words, form, user } = request;
  const values = 'address' in form ? typedIn(form) : source ? valuesOf(source) : blankFor(request);
  const labels = labelsOf(request);
  const shown = (name: keyof Values) => ({
    ...{ name, label: labels[name] ?? name, value: values[name], problem: problem?.fields[name] },
  });
  const choice = (name: keyof Values, options: readonly (readonly [value: string, text: string])[]): Html =>
    field(
      shown(name),
      html`<select id=${name} name=${name}>${options.map(
        ([value, text]) => html`<option value=${value} selected=${value === values[name]}>${text}</option>`,
      )}</select>`,
    );
  return [
    textField(
      { ...shown('address'), hint: words('hint_source_address') },
      { required: true, maxlength: 2000, autocomplete: 'off', inputmode: 'url' },
    ),
    html`<div class="pair">
      ${textField(shown('name'), { maxlength: 200, autocomplete: 'off' })}
      ${textField(shown('every'), { required: true, inputmode: 'numeric', maxlength: 5, autocomplete: 'off' })}
    </div>`,
    html`<div class="pair">
      ${choice(
        'mode',
        SOURCE_MODES.map((mode) => [mode, words(`source_mode_${mode}`)]),
      )}
      ${choice(
        'on_missing',
        ON_MISSING.map((fate) => [fate, words(`source_missing_${fate}`)]),
      )}
    </div>`,
    html`<div class="pair">
      ${choice('status', [
        ['', words('as_recorded')],
        ...STATUSES.map((status) => [status, words(`state_${status}`)] as const),
      ])}
      ${
        mayManageUsers(user) &&
        textField(shown('user'), { required: true, inputmode: 'numeric', maxlength: 15, autocomplete: 'off' })
      }
    </div>`,
  ].flat();
}

/** The labels of what may be refused. */
export const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } => ({
  ...{ address: words('source_address'), name: words('name'), every: words('source_every') },
  ...{ mode: words('source_mode'), on_missing: words('source_missing'), status: words('import_status') },
  user: words('source_user'),
});
