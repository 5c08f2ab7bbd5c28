// One set: its proposals, what stands in their way, and when they are applied.

import { toWallClock } from '../../../kernel/time/zone.ts';
import { ASSETS } from '../../../pages/assets.ts';
import { siteMomentText } from '../../../pages/dates.ts';
import type { Problem } from '../../../pages/desk/api.ts';
import { buttonForm, formFields, problemNote } from '../../../pages/desk/forms.ts';
import { momentField, typedMoment } from '../../../pages/desk/moments.ts';
import type { DeskPage, DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html, modules } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { guestsLink } from '../../guest-links/desk/guests-link.ts';
import { hasPreview, hiddenIn, type Proposal, wishText } from '../../proposals/desk/reading.ts';
import { commentList, type ReviewStep, stepForm } from '../../proposals/desk/steps.ts';
import { aheadPathOf, listAhead } from './ahead-page.ts';
import { SETS } from './list-page.ts';
import { type ChangeSet, isUndecided, type SetMember, type TriedSet } from './reading.ts';

interface SetShown {
  readonly set: ChangeSet;
  /** Of one that is not decided. */
  readonly tried: TriedSet | null;
  readonly members: readonly SetMember[];
  readonly etag: string;
  /** What this user may do in its review. */
  readonly steps: readonly ReviewStep[];
  readonly problem: Problem | null;
}

export function setPage(request: DeskRequest, shown: SetShown): DeskPage {
  const { words } = request;
  const { set, problem, tried } = shown;
  return {
    title: set.name,
    section: SETS,
    problem,
    head: modules([ASSETS.moments.path]),
    main: [
      html`<p><a href=${SETS}>${words('sets')}</a></p>`,
      html`<h1>${set.name}</h1>`,
      problemNote(problem, { at: words('apply_at'), text: words('comment') }),
      html`<p><span class=${set.state === 'failed' ? 'label bad' : 'label'}>${words(`set_${set.state}`)}</span>
        ${set.at !== null && html` ${words('set_at', { date: siteMomentText(request, set.at) })}`}</p>`,
      review(request, set),
      set.description !== '' && html`<p>${set.description}</p>`,
      tried !== null &&
        tried.others.length > 0 &&
        html`<p class="note">${words('set_others', { names: tried.others.map(({ name }) => name).join(', ') })}</p>`,
      members(request, shown),
      isUndecided(set) &&
        shown.members.length > 0 &&
        html`<p class="actions"><a class="button" href=${aheadPathOf(set)}>${words('changes_ahead')}</a>
          <a class="button" href=${listAhead(set)}>${words('list_ahead')}</a>
          ${guestsLink(request, 'set', set.id)}</p>`,
      commentList(request, set.comments),
      stepForm(request, {
        action: `${SETS}/${set.id}/step`,
        etag: shown.etag,
        revisions: set.revisions,
        steps: shown.steps,
        problem,
      }),
      isUndecided(set) && applying(request, shown),
      set.request !== null &&
        html`<p><a class="button" href=${address('/desk/audit/revert', [['request', set.request]])}>${words('undo_set')}</a></p>`,
    ],
  };
}

/** Of a set that is to be reviewed, or has been judged all the same. */
function review({ words }: DeskRequest, set: ChangeSet): Html | false {
  const { approvals, approvals_needed: needed, approvals_given, changes_requested: requester } = set;
  const isJudged = approvals.length > 0 || requester !== null;
  if (!isUndecided(set) || (needed === 0 && !isJudged)) return false;
  const count = needed === 0 ? approvals.length : approvals_given;
  const given = [words('approvals_of', { given: count, needed }), ...approvals.map(({ name }) => name)];
  return html`<dl class="facts">
    <div><dt>${words('approvals')}</dt><dd>${given.join(' · ')}</dd></div>
    ${requester !== null && html`<div><dt>${words('proposal_changes_requested')}</dt><dd>${requester.name}</dd></div>`}
  </dl>`;
}

function members(request: DeskRequest, { set, tried, members: all }: SetShown): Html {
  const { words } = request;
  const problems = tried?.problems ?? set.problems;
  // The last one stays: a set that is not wanted is withdrawn.
  const isShrinking = isUndecided(set) && all.length > 1;
  if (all.length === 0) return html`<p role="status">${words('set_empty')}</p>`;
  return html`<ul class="rows">${all.map(
    ({ id, proposal }) => html`<li>
      <div><p class="what"><a href=${`/desk/review/${id}`}>${proposal === null ? `${words('kind_proposal')} ${id}` : wishText(request, proposal)}</a></p>
        ${proposal !== null && html`<p class="hint">${words(`proposal_${proposal.state}`)}</p>`}
        ${proposal !== null && hasPreview(proposal) && html`<p><a href=${previewIn(set, proposal)}>${words('preview')}</a></p>`}
        ${proposal !== null && hiddenIn(request, proposal) !== null && html`<p class="note">${hiddenIn(request, proposal)}</p>`}
        ${problems.filter((one) => one.proposal === id).map(({ problem }) => html`<p class="problem">${problem}</p>`)}</div>
      ${isShrinking && buttonForm(request, `${SETS}/${set.id}/take-out`, words('take_out'), { proposal: String(id) })}
    </li>`,
  )}</ul>`;
}

/** With everything else that the set changes; what it creates is not there without its proposal. */
const previewIn = ({ id, at }: ChangeSet, { id: proposal, creates, target }: Proposal): string =>
  creates
    ? `/desk/review/${proposal}/preview`
    : address(`/desk/events/${target.id}/preview`, [
        ['with', `set:${id}`],
        ['as_of', at ?? ''],
      ]);

function applying(request: DeskRequest, { set: { id, at, revisions }, etag, problem }: SetShown): Html {
  const { words, siteZone } = request;
  const planned = at === null ? '' : toWallClock(Math.floor(Date.parse(at) / 1000), siteZone).replace(' ', 'T');
  const value = typedMoment(request, 'at') || planned.slice(0, 16);
  const when = { name: 'at', label: words('apply_at'), value, problem: problem?.fields.at };
  return html`<section class="box fields">
    <div class="actions">${buttonForm(request, `${SETS}/${id}/apply`, words('apply_now'), { _etag: etag, _revisions: revisions.join() })}
      ${at !== null && buttonForm(request, `${SETS}/${id}/unschedule`, words('unschedule'))}
      ${buttonForm(request, `${SETS}/${id}/withdraw`, words('step_withdraw'))}</div>
    <form method="post" action=${`${SETS}/${id}/schedule`}>
      ${formFields({ ...request, form: {} })}
      ${momentField(request, { ...when, hint: siteZone.name }, { required: true })}
      <p class="actions"><button type="submit">${words('schedule_it')}</button></p>
    </form>
  </section>`;
}
