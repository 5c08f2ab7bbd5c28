// The rules of review: one part for each kind, a choice for each role.

import type { Problem } from '../../../pages/desk/api.ts';
import { field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { type HistoryShown, historyList } from '../../history/desk/history-list.ts';

export const RULES = '/desk/rules';

/** The collections, as the API names them, with the word for their kind. */
export const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
export type Collection = (typeof COLLECTIONS)[number];
export const WRITING_ROLES = ['contributor', 'author', 'editor', 'administrator'] as const;
const MODES = ['direct', 'review'] as const;

/** As the API answers. */
export interface KindRules extends Readonly<Record<(typeof WRITING_ROLES)[number], string>> {
  readonly approvals: number;
  readonly bypass: boolean;
  readonly notice?: string;
}
export type Rules = { readonly [Name in Collection]: KindRules };

export interface RulesShown {
  readonly rules: Rules;
  readonly tag: string;
  readonly history: readonly HistoryShown[];
  readonly problem: Problem | null;
  /** Whether the API lets this user set them. */
  readonly maySet: boolean;
}

export function rulesPage(request: DeskRequest, shown: RulesShown): DeskPage {
  const { words, form } = request;
  const { tag, history, problem, maySet } = shown;
  const reason = {
    name: '_reason',
    label: words('reason'),
    value: textOf(form, '_reason'),
    hint: words('hint_reason'),
  };
  return {
    title: words('rules'),
    section: RULES,
    status: problem?.status ?? 200,
    main: [
      html`<h1>${words('rules')}</h1>`,
      html`<p>${words('rules_text')}</p>`,
      ...(problem ? [problemNote(lockedOut(problem), labelsOf(request))] : []).filter((part) => part !== false),
      html`<form method="post" action=${RULES} class="fields">
        ${formFields(request)}
        <input type="hidden" name="_tag" value=${tag} />
        ${COLLECTIONS.map((name) => kindPart(request, name, shown))}
        ${maySet && textField(reason)}
        ${maySet && html`<p class="actions"><button class="main" type="submit">${words('save')}</button></p>`}
      </form>`,
      historyList(request, words('rules_history'), history),
    ].filter((part) => part !== false),
  };
}

/** Rules that no proposal could meet are said at the role that they are about. */
function lockedOut(problem: Problem): Problem {
  const name = lockedField(problem);
  return name === null ? problem : { ...problem, fields: { [name]: problem.message } };
}

const KINDS: { readonly [Name in Collection]: string } = {
  ...{ events: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag' },
};

function lockedField({ code, data }: Problem): string | null {
  const name = COLLECTIONS.find((one) => KINDS[one] === data.kind);
  return code === 'rest_policy_locks_out' && name ? fieldOf(name, String(data.role)) : null;
}

/** `events-author`: a field of the form, and its id. */
export const fieldOf = (name: Collection, member: string): string => `${name}-${member}`;

const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } =>
  Object.fromEntries(
    COLLECTIONS.flatMap((name) =>
      WRITING_ROLES.map((role) => [fieldOf(name, role), `${words(name)}: ${words(`role_${role}`)}`]),
    ),
  );

function kindPart(request: DeskRequest, name: Collection, { rules: all, problem, maySet }: RulesShown): Html {
  const rules = all[name];
  const { words, form } = request;
  const isGivenBack = 'events-author' in form;
  const typedOr = (member: string, value: string): string => {
    const id = fieldOf(name, member);
    return isGivenBack ? textOf(form, id) : value;
  };
  const wrong = problem && lockedField(problem);
  const approvals = fieldOf(name, 'approvals');
  return html`<fieldset class="box" disabled=${!maySet}><legend>${words(name)}</legend>
    <div class="pair">${WRITING_ROLES.map((role) => {
      const id = fieldOf(name, role);
      return field(
        { name: id, label: words(`role_${role}`), problem: wrong === id ? problem?.message : undefined },
        html`<select id=${id} name=${id}>${MODES.map(
          (mode) =>
            html`<option value=${mode} selected=${typedOr(role, rules[role]) === mode}>${words(`mode_${mode}`)}</option>`,
        )}</select>`,
      );
    })}
    ${textField(
      {
        ...{ name: approvals, label: words('rule_approvals'), value: typedOr('approvals', String(rules.approvals)) },
        problem: problem?.fields[name],
      },
      { type: 'number', min: 1, max: 10, required: true },
    )}</div>
    ${tick(fieldOf(name, 'bypass'), words('rule_bypass'), typedOr('bypass', rules.bypass ? 'true' : '') === 'true')}
    ${
      rules.notice !== undefined &&
      tick(
        fieldOf(name, 'notice'),
        words('rule_notice'),
        typedOr('notice', rules.notice === 'required' ? 'true' : '') === 'true',
      )
    }
  </fieldset>`;
}

const tick = (id: string, label: string, isTicked: boolean): Html =>
  html`<div class="check"><input type="checkbox" id=${id} name=${id} value="true" checked=${isTicked} />
    <label for=${id}>${label}</label></div>`;
