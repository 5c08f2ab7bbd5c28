// The routes of the rules of review.

import type { FastifyReply } from 'fastify';
import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import type { ParameterMap } from '../../../http/parameters/parameter-map.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { choiceField, formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { saveTagged } from '../../../pages/desk/section-kit.ts';
import { show } from '../../../pages/desk/show.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayReadReviewPolicy } from '../../../people/auth/policy.ts';
import { latestChanges } from '../../history/desk/history-list.ts';
import { WRITE_MODES, WRITING_ROLES } from '../domain/review-policy.ts';

const RULES = '/desk/rules';

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
  const { api, words, form } = desk;
  const { body: rules, etag: tag } = await api.tagged<Rules>('/policy');
  const history = await latestChanges(desk, '/policy', desk.words('rules_history'));
  const maySet = await api.allows('PATCH', '/policy');
  const reason = {
    name: '_reason',
    label: words('reason'),
    value: textOf(form, '_reason'),
    hint: words('hint_reason'),
  };
  return show(reply, {
    title: words('rules'),
    section: RULES,
    problem,
    main: [
      html`<h1>${words('rules')}</h1>`,
      html`<p>${words('rules_text')}</p>`,
      problem !== null && problemNote(lockedOut(problem), labelsOf(desk)),
      html`<form method="post" action=${RULES} class="fields">
        ${formFields(desk)}
        <input type="hidden" name="_tag" value=${tag} />
        ${NAMES.map((name) => kindPart(desk, name, rules[name], { problem, maySet }))}
        ${maySet && textField(reason)}
        ${maySet && html`<p class="actions"><button class="main" type="submit">${words('save')}</button></p>`}
      </form>`,
      history,
    ],
  });
}

async function save({ form }: DeskRequest, reply: FastifyReply): Promise<FastifyReply> {
  return saveTagged(reply, {
    path: '/policy',
    members: Object.fromEntries(NAMES.map((name) => [name, rulesIn(form, name)])),
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

type Rules = Answer<'ReviewPolicy'>;
type Collection = keyof Rules;
const NAMES = Object.values(COLLECTIONS);

/** Rules that no proposal could meet are said at the role that they are about. */
function lockedOut(problem: Problem): Problem {
  const name = lockedField(problem);
  return name === null ? problem : { ...problem, fields: { [name]: problem.message } };
}

function lockedField({ code, data }: Problem): string | null {
  const [, name] = Object.entries(COLLECTIONS).find(([kind]) => kind === data.kind) ?? [];
  return code === 'rest_policy_locks_out' && name ? fieldOf(name, String(data.role)) : null;
}

/** `events-author`: a field of the form, and its id. */
const fieldOf = (name: Collection, member: string): string => `${name}-${member}`;

const labelsOf = ({ words }: DeskRequest): { readonly [name: string]: string } =>
  Object.fromEntries(
    NAMES.flatMap((name) =>
      WRITING_ROLES.map((role) => [fieldOf(name, role), `${words(name)}: ${words(`role_${role}`)}`]),
    ),
  );

function kindPart(
  request: DeskRequest,
  name: Collection,
  rules: Rules[Collection],
  { problem, maySet }: { readonly problem: Problem | null; readonly maySet: boolean },
): Html {
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
      const why = wrong === id ? problem?.message : undefined;
      return choiceField(
        { name: id, label: words(`role_${role}`), value: typedOr(role, rules[role]), problem: why },
        WRITE_MODES.map((mode) => [mode, words(`mode_${mode}`)]),
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
