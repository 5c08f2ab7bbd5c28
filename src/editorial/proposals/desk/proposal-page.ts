// One proposal: what it would change, what has changed meanwhile, what was said about it, and its decision.

import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { formFields, problemNote } from '../../../pages/desk/forms.ts';
import { type DeskPage, type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { textChanges } from '../../compare/queries/text-changes.ts';
import { guestsLink } from '../../guest-links/desk/guests-link.ts';
import type { FieldChange } from '../../history/desk/reading.ts';
import { changeList, fieldName, valueText } from '../../history/desk/values.ts';
import { REVIEW } from './queue-page.ts';
import {
  authorText,
  hasPreview,
  hiddenIn,
  isUndecided,
  nameIn,
  noteText,
  type ReadProposal,
  wishText,
} from './reading.ts';
import { commentList, type ReviewStep, stepForm } from './steps.ts';

interface ProposalShown {
  readonly proposal: ReadProposal;
  /** Of what is shown. */
  readonly etag: string;
  /** What this user may do about it. */
  readonly steps: readonly ReviewStep[];
  /** Sets that it can be put into. */
  readonly sets: readonly { readonly id: number; readonly name: string }[];
  readonly problem: Problem | null;
}

export function proposalPage(request: DeskRequest, shown: ProposalShown): DeskPage {
  const { words } = request;
  const { proposal, problem } = shown;
  const { changes, target, fits } = proposal;
  const hidden = hiddenIn(request, proposal);
  const title = [wishText(request, proposal), nameIn(proposal)].filter(Boolean).join(' – ');
  return {
    title,
    section: REVIEW,
    problem,
    main: [
      html`<p><a href=${REVIEW}>${words('review')}</a></p>`,
      html`<h1>${title}</h1>`,
      problemNote(isTold(shown) ? null : problem, { text: words('comment') }),
      facts(request, proposal),
      isUndecided(proposal) && proposal.sets.length > 0 && html`<p class="note">${words('hint_in_set')}</p>`,
      proposal.note !== '' && html`<blockquote class="reason"><p>${noteText(proposal.note)}</p></blockquote>`,
      hidden !== null && html`<p class="note">${hidden}</p>`,
      // A conflict is shown field by field.
      fits === false && proposal.conflicts.length === 0 && html`<div class="problems"><p>${proposal.problem}</p></div>`,
      proposal.conflicts.length > 0 && conflicts(request, shown),
      html`<section class="box"><h2>${words('what_changes')}</h2>
        ${changes.length === 0 ? html`<p>${words('no_difference')}</p>` : changeList(request, changes.map(wordByWord))}
        <p class="actions">${hasPreview(proposal) && html`<a class="button" href=${`${REVIEW}/${proposal.id}/preview`}>${words('preview')}</a>`}
          ${guestsLink(request, 'proposal', proposal.id)}</p>
        ${!proposal.creates && html`<p><a href=${`/desk/${COLLECTIONS[target.kind]}/${target.id}/history`}>${words('history')}</a></p>`}
      </section>`,
      commentList(request, proposal.comments),
      stepForm(request, {
        action: `${REVIEW}/${proposal.id}/step`,
        etag: shown.etag,
        steps: shown.steps,
        problem,
      }),
      shown.sets.length > 0 && collecting(request, shown),
    ],
  };
}

/** Texts, and not what merely is one: a date is another one as a whole. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'excerpt', 'venue', 'organizer', 'name']);

function wordByWord(change: FieldChange): FieldChange {
  const { field: name, before, after } = change;
  const isText = TEXTS.has(name) && typeof before === 'string' && typeof after === 'string';
  return isText ? { ...change, words: textChanges(before, after) } : change;
}

const facts = (request: DeskRequest, proposal: ReadProposal): Html => {
  const { words } = request;
  const { state, opened, submission, decided_by: decided, approvals, approvals_needed: needed, sets } = proposal;
  const row = (label: string, value: Html | string | readonly Html[]): Html =>
    html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts">
    ${row(words('field_status'), html`<span class=${state === 'applied' ? 'label good' : 'label'}>${words(`proposal_${state}`)}</span>`)}
    ${row(words('proposed_by'), `${authorText(request, proposal)}, ${siteMomentText(request, opened)}`)}
    ${submission && row(words('submitted_by'), [submission.name, submission.email].filter(Boolean).join(' · '))}
    ${
      isUndecided(proposal) &&
      row(
        words('approvals'),
        [words('approvals_of', { given: approvals.length, needed }), ...approvals.map(({ name }) => name)].join(' · '),
      )
    }
    ${
      sets.length > 0 &&
      row(
        words('sets'),
        sets.map(
          ({ id, name, at }, place) =>
            html`${place > 0 && ' · '}<a href=${`/desk/sets/${id}`}>${name}</a>${at !== null && ` (${words('set_at', { date: siteMomentText(request, at) })})`}`,
        ),
      )
    }
    ${decided !== null && row(words('decided_by'), decided.name)}
  </dl>`;
};

/** That others settle a conflict is said with the conflict. */
const isTold = ({ proposal, problem, steps }: ProposalShown): boolean =>
  problem?.code === 'rest_proposal_conflict' && proposal.conflicts.length > 0 && !isSettled({ proposal, steps });

/** Whether this user, as its author or as a reviewer, chooses what is to hold. */
const isSettled = ({ proposal, steps }: Pick<ProposalShown, 'proposal' | 'steps'>): boolean =>
  (steps.includes('withdraw') || steps.includes('reject')) && proposal.action === 'change';

/** Chosen field by field; a choice makes a revision of the proposal. */
function conflicts(request: DeskRequest, { proposal, steps }: ProposalShown): Html {
  const { words } = request;
  const isRevised = isSettled({ proposal, steps });
  const text = (name: string, value: ReadProposal['conflicts'][number]['mine']): string =>
    valueText(request, name, value);
  const option = (name: string, value: string, label: string): Html =>
    html`<label class="check"><input type="radio" name=${`keep[${name}]`} value=${value} required checked=${textOf(request.form, `keep[${name}]`) === value} /> ${label}</label>`;
  const table = html`<div class="scroll" role="region" tabindex="0" aria-label=${words('conflicts')}><table>
    <thead><tr><th scope="col">${words('field')}</th><th scope="col">${words('conflict_base')}</th>
      <th scope="col">${words('theirs')}</th><th scope="col">${words('conflict_mine')}</th></tr></thead>
    <tbody>${proposal.conflicts.map(
      ({ field: name, base, theirs, mine }) => html`<tr><th scope="row">${fieldName(request, name)}</th>
        <td class="text">${text(name, base)}</td>
        <td class="text">${text(name, theirs)}${isRevised && option(name, 'theirs', words('take_this'))}</td>
        <td class="text">${text(name, mine)}${isRevised && option(name, 'mine', words('take_this'))}</td></tr>`,
    )}</tbody></table></div>`;
  return html`<section class="conflict">
    <h2>${words('conflicts')}</h2>
    ${
      isRevised
        ? html`<form method="post" action=${`${REVIEW}/${proposal.id}/revise`}>${formFields(request)}${table}
            <p class="actions"><button class="main" type="submit">${words('revise')}</button></p></form>`
        : html`<p class="problem" role="alert">${words('conflict_of_author')}</p>${table}`
    }
  </section>`;
}

const collecting = (request: DeskRequest, { proposal, sets }: ProposalShown): Html => {
  const { words } = request;
  return html`<form class="bulk" method="post" action="/desk/sets/collect">
    ${formFields({ ...request, form: {} })}
    <input type="hidden" name="proposal" value=${proposal.id} />
    <div class="field"><label for="set">${words('put_into_set')}</label>
      <select id="set" name="set">${sets.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</select></div>
    <p class="actions"><button type="submit">${words('carry_out')}</button></p>
  </form>`;
};
