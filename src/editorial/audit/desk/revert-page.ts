// What a revert of a whole request or import would change; and what it has changed.
import type { Answer } from '../../../http/schemas/components.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote, textField } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { html } from '../../../pages/html.ts';
import { AUDIT } from './list-page.ts';
import { pathOf, type RequestReverted } from './reading.ts';

interface RevertShown {
  readonly by: 'request' | 'import';
  readonly id: string;
  /** Null: the API refused it. */
  readonly reverted: RequestReverted | null;
  /** Nothing has been changed yet. */
  readonly isPreview: boolean;
  readonly problem: Problem | null;
}

export function revertPage(request: DeskRequest, shown: RevertShown): DeskPage {
  const { words, form } = request;
  const { by, id, reverted, isPreview, problem } = shown;
  const title = words(by === 'request' ? 'revert_request' : 'revert_import');
  return {
    title,
    section: AUDIT,
    status: problem?.status ?? 200,
    main: [
      html`<p><a href=${AUDIT}>${words('audit')}</a></p>`,
      html`<h1>${title}</h1>`,
      html`<p class="hint">${id}</p>`,
      problemNote(problem),
      reverted !== null &&
        html`<p role="status" class="note">${words(isPreview ? 'revert_would' : 'revert_did', countsOf(reverted))}</p>`,
      reverted !== null && table(request, reverted.resources),
      reverted !== null &&
        isPreview &&
        reverted.done > 0 &&
        html`<form class="box" method="post" action=${`${AUDIT}/revert`}>
          ${formFields(request)}
          <input type="hidden" name=${by} value=${id} />
          ${textField({ name: 'reason', label: words('reason'), value: textOf(form, 'reason'), hint: words('hint_reason') })}
          <p class="actions"><button class="main" type="submit">${title}</button></p>
        </form>`,
    ],
  };
}

const countsOf = ({ done, unchanged, conflicts, left }: RequestReverted) => ({ done, unchanged, conflicts, left });

const table = ({ words }: DeskRequest, resources: RequestReverted['resources']) =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${words('what_changes')}><table>
    <thead><tr><th scope="col">${words('what')}</th><th scope="col">${words('revert_action')}</th><th scope="col">${words('revert_outcome')}</th></tr></thead>
    <tbody>${resources.map(
      ({ kind, id, action, to_revision: revision, outcome, why }) => html`<tr>
        <td><a href=${pathOf(kind, id)}>${words(`kind_${kind}`)} ${id}</a></td>
        <td>${words(`revert_${action}`, { revision: revision ?? '' })}</td>
        <td><span class=${BAD.has(outcome) ? 'label bad' : 'label'}>${words(`outcome_${outcome}`)}</span> ${why}</td>
      </tr>`,
    )}</tbody></table></div>`;

const BAD: ReadonlySet<Answer<'RevertedResource'>['outcome']> = new Set(['changed_later', 'in_use', 'refused', 'left']);
