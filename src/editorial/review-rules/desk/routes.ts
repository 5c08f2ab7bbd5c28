// The routes of the rules of review.
import type { FastifyReply } from 'fastify';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { field, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { saveTagged } from '../../../pages/desk/section-kit.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayReadReviewPolicy } from '../../../people/auth/policy.ts';
import { type HistoryShown, historyList } from '../../history/desk/history-list.ts';

const RULES = '/desk/rules';
const HISTORY_SHOWN = 10;

export const ruleSection: DeskSection = {
  word: 'rules',
  path: RULES,
  may: mayReadReviewPolicy,
  routes(app) {
    app.get(RULES, (_request, reply) => showRules(reply, null));
    app.post(RULES, ({ desk }, reply) => save(desk, reply));
  },
};

async function showRules(reply: FastifyReply, problem: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const { api } = desk;
  const { body: rules, etag: tag } = await api.tagged<Rules>('/policy');
  const { history } = await api.read<{ readonly history: readonly HistoryShown[] }>('/policy/history', {
    per_page: HISTORY_SHOWN,
  });
  const maySet = await api.allows('PATCH', '/policy');
  return show(reply, rulesPage(desk, { rules, tag, history, problem, maySet }));
}

async function save({ form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  return saveTagged(reply, {
    path: '/policy',
    members: Object.fromEntries(COLLECTIONS.map((name) => [name, rulesIn(form, name)])),
    terms: { reason: textOf(form, '_reason') },
    to: RULES,
    again: (problem) => showRules(reply, problem),
  });
}

function rulesIn(form: ParameterMap, name: Collection): object {
  const modes = WRITING_ROLES.map((role) => [role, textOf(form, fieldOf(name, role))]);
  const isTicked = (member: string): boolean => textOf(form, fieldOf(name, member)) === 'true';
  return {
    ...Object.fromEntries(modes),
    approvals: Number(textOf(form, fieldOf(name, 'approvals'))),
    bypass: isTicked('bypass'),
    ...(name === 'events' && { notice: isTicked('notice') ? 'required' : 'optional' }),
  };
}

// The rules of review: one part for each kind, a choice for each role.

/** The collections, as the API names them, with the word for their kind. */
const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
type Collection = (typeof COLLECTIONS)[number];
const WRITING_ROLES = ['contributor', 'author', 'editor', 'administrator'] as const;
const MODES = ['direct', 'review'] as const;

/** As the API answers. */
interface KindRules extends Readonly<Record<(typeof WRITING_ROLES)[number], string>> {
  readonly approvals: number;
  readonly bypass: boolean;
  readonly notice?: string;
}
type Rules = { readonly [Name in Collection]: KindRules };

interface RulesShown {
  readonly rules: Rules;
  readonly tag: string;
  readonly history: readonly HistoryShown[];
  readonly problem: Problem | null;
  /** Whether the API lets this user set them. */
  readonly maySet: boolean;
}

function rulesPage(request: DeskRequest, shown: RulesShown): DeskPage {
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
    problem,
    main: [
      html`<h1>${words('rules')}</h1>`,
      html`<p>${words('rules_text')}</p>`,
      problem !== null && problemNote(lockedOut(problem), labelsOf(request)),
      html`<form method="post" action=${RULES} class="fields">
        ${formFields(request)}
        <input type="hidden" name="_tag" value=${tag} />
        ${COLLECTIONS.map((name) => kindPart(request, name, shown))}
        ${maySet && textField(reason)}
        ${maySet && html`<p class="actions"><button class="main" type="submit">${words('save')}</button></p>`}
      </form>`,
      historyList(request, words('rules_history'), history),
    ],
  };
}

/** Rules that no proposal could meet are said at the role that they are about. */
function lockedOut(problem: Problem): Problem {
  const name = lockedField(problem);
  return name === null ? problem : { ...problem, fields: { [name]: problem.message } };
}

const KINDS: { readonly [Name in Collection]: string } = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
};

function lockedField({ code, data }: Problem): string | null {
  const name = COLLECTIONS.find((one) => KINDS[one] === data.kind);
  return code === 'rest_policy_locks_out' && name ? fieldOf(name, String(data.role)) : null;
}

/** `events-author`: a field of the form, and its id. */
const fieldOf = (name: Collection, member: string): string => `${name}-${member}`;

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
        name: approvals,
        label: words('rule_approvals'),
        value: typedOr('approvals', String(rules.approvals)),
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
