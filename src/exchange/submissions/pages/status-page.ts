// What a sender sees of a submission by the private link, and the page after the form.

import type { PageWord } from '../../../locales/language.ts';
import { type Html, html } from '../../../pages/html.ts';
import { layout, type Surroundings } from '../../../pages/public/layout.ts';
import type { FollowedSubmission, FormProblems } from '../http/submissions.ts';

export interface StatusShown extends FollowedSubmission {
  readonly token: string;
  /** Of the event, once visitors may see it. */
  readonly eventPath: string | null;
  /** Why it could not be confirmed. */
  readonly problems: FormProblems | null;
}

export const sentPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: surroundings.words('submit_sent'),
    main: html`<h1>${surroundings.words('submit_sent')}</h1><p>${surroundings.words('submit_sent_text')}</p>`,
  });

/** In words, and a sentence about it. */
type Stage = readonly [word: PageWord, text: PageWord];

const GONE: PageWord = 'submission_gone_text';

function stageOf({ submission, proposal }: FollowedSubmission): Stage {
  if (submission.state === 'expired') return ['submission_expired', GONE];
  if (submission.state === 'withdrawn' || submission.state === 'erased') return ['submission_withdrawn', GONE];
  if (proposal === null) return ['submission_received', 'submission_received_text'];
  switch (proposal.state) {
    case 'open':
    case 'approved_for_set':
      return ['submission_review', 'submission_review_text'];
    case 'changes_requested':
      return ['submission_changes', 'submission_changes_text'];
    case 'approved':
    case 'applied':
      return ['submission_accepted', 'submission_accepted_text'];
    case 'rejected':
      return ['submission_declined', 'submission_declined_text'];
    case 'withdrawn':
      return ['submission_withdrawn', GONE];
  }
}

export function statusPage(surroundings: Surroundings, shown: StatusShown): Html {
  const { words } = surroundings;
  const { submission, proposal, token, eventPath, problems } = shown;
  const [word, text] = stageOf(shown);
  const isReviewed = word === 'submission_changes' || word === 'submission_declined';
  const isWaiting = word === 'submission_received' || word === 'submission_review' || word === 'submission_changes';
  const button = (step: 'confirm' | 'withdraw', more: string | false): Html =>
    html`<form method="post" action=${`/submit/${token}/${step}`}><button type="submit" class=${more}>${words(`submission_${step}`)}</button></form>`;
  return layout(surroundings, {
    title: words(word),
    main: html`<h1>${words(word)}</h1>
      ${isWaiting && html`<p><strong>${submission.form.title}</strong></p>`}
      <p>${words(text)}</p>
      ${problems && html`<div class="problem" role="alert">${Object.values(problems).map((problem) => html`<p>${problem}</p>`)}</div>`}
      ${isReviewed && proposal?.said && html`<h2>${words('submission_said')}</h2><blockquote><p>${proposal.said}</p></blockquote>`}
      ${eventPath !== null && word === 'submission_accepted' && html`<p><a class="button" href=${eventPath}>${words('to_event')}</a></p>`}
      <div class="steps">
        ${word === 'submission_received' && button('confirm', false)}
        ${isWaiting && button('withdraw', 'quiet')}
      </div>`,
  });
}
