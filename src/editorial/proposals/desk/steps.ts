// What was said in the review of a proposal or a set, and the form for the next step of it.

import { siteMomentText } from '../../../pages/dates.ts';
import type { DeskApi, Problem } from '../../../pages/desk/api.ts';
import { formFields, textArea, typedField } from '../../../pages/desk/forms.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Proposal } from './reading.ts';

export const REVIEW_STEPS = ['approve', 'request-changes', 'reject', 'withdraw', 'comments'] as const;
export type ReviewStep = (typeof REVIEW_STEPS)[number];

/** Those that the API lets this user take. `path`: of the proposal or the set. */
export async function allowedOf(api: DeskApi, path: string, steps: readonly ReviewStep[]): Promise<ReviewStep[]> {
  const allowed = await Promise.all(steps.map((step) => api.allows('POST', `${path}/${step}`)));
  return steps.filter((_, at) => allowed[at]);
}

export const commentList = (request: DeskRequest, said: Proposal['comments']): Html | false =>
  said.length > 0 &&
  html`<section><h2>${request.words('comments')}</h2>
    <ol class="rows">${said.map(
      ({ actor, instant, text }) =>
        html`<li><div><p class="hint">${siteMomentText(request, instant)} · ${actor.name}</p><p>${text}</p></div></li>`,
    )}</ol></section>`;

interface StepForm {
  readonly action: string;
  /** The entity tag of what is shown: a step counts only for the state that its user has seen. */
  readonly etag: string;
  /** The revisions of the proposals of a set. */
  readonly revisions?: readonly number[];
  /** What this user may do about it. */
  readonly steps: readonly ReviewStep[];
  readonly problem: Problem | null;
}

/** One text for all buttons: what was typed stays, whichever is pressed. */
export function stepForm(request: DeskRequest, { action, etag, revisions, steps, problem }: StepForm): Html | false {
  const { words } = request;
  if (steps.length === 0) return false;
  return html`<form class="box decision" method="post" action=${action}>
    ${formFields(request)}
    <input type="hidden" name="_etag" value=${etag} />
    ${revisions && html`<input type="hidden" name="_revisions" value=${revisions.join()} />`}
    ${textArea(typedField(request, problem, 'text', 'comment', 'hint_comment'), 3)}
    <p class="actions">${steps.map(
      (step) =>
        html`<button type="submit" name="step" value=${step} class=${STEP_CLASSES[step]}>${words(`step_${WORDED[step]}`)}</button> `,
    )}</p>
  </form>`;
}

const STEP_CLASSES: { readonly [Name in ReviewStep]?: string } = {
  approve: 'main',
  reject: 'danger',
  withdraw: 'danger',
};
const WORDED = {
  approve: 'approve',
  'request-changes': 'request_changes',
  reject: 'reject',
  withdraw: 'withdraw',
  comments: 'comment',
} as const;
