import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evolveAll } from '../../../src/domain/decider.ts';
import {
  CONFIRM_WITHIN_SECONDS,
  confirmSubmission,
  drawLink,
  evolveSubmission,
  expireSubmission,
  noteMailed,
  type Submission,
  type SubmissionFact,
  type SubmittedForm,
  withdrawSubmission,
} from '../../../src/exchange/submissions/domain/submission.ts';

const test = suite('submissions from the public');

const AT = 1_000_000;
const FORM = { title: 'Fair' } as SubmittedForm; // The rest is not looked at.
const RECEIVED: SubmissionFact = {
  type: 'SubmissionReceived',
  data: { id: 3, name: 'Zoe', email: 'zoe@example.com', language: 'en', site: 'https://example.org', form: FORM },
};
const DRAWN: SubmissionFact = { type: 'SubmissionLinkDrawn', data: { digest: 'one' } };
const MAILED: SubmissionFact = { type: 'SubmissionMailed', data: {} };
const CONFIRMED: SubmissionFact = { type: 'SubmissionConfirmed', data: { proposal: 9 } };
const WITHDRAWN: SubmissionFact = { type: 'SubmissionWithdrawn', data: {} };
const EXPIRED: SubmissionFact = { type: 'SubmissionExpired', data: {} };

function given(...facts: readonly SubmissionFact[]): Submission {
  const submission = evolveAll(evolveSubmission, null, [RECEIVED, ...facts], AT);
  if (!submission) throw new Error('these facts make no submission');
  return submission;
}

const LATE = AT + CONFIRM_WITHIN_SECONDS;

test('one process sends the mail; another takes over after a minute, and later the more were drawn', () => {
  assert.equal(drawLink(given(), 'one', AT), [DRAWN]);
  assert.equal(drawLink(given(DRAWN), 'two', AT + 59), []);
  assert.equal(drawLink(given(DRAWN), 'two', AT + 60).length, 1);
  assert.equal(drawLink(given(DRAWN, DRAWN), 'three', AT + 119), []);
  assert.equal(drawLink(given(DRAWN, DRAWN), 'three', AT + 120).length, 1);
  assert.equal(given(DRAWN, { type: 'SubmissionLinkDrawn', data: { digest: 'two' } }).links, ['one', 'two']);
});

test('a mail that was sent is sent no more, nor one of a submission that has ended', () => {
  assert.equal(noteMailed(given(DRAWN)), [MAILED]);
  assert.equal(noteMailed(given(DRAWN, MAILED)), []);
  for (const facts of [[DRAWN, MAILED], [WITHDRAWN], [EXPIRED], [CONFIRMED]])
    assert.equal(drawLink(given(...facts), 'two', AT + 10_000), [], facts.map(({ type }) => type).join());
  assert.equal(drawLink(given(), 'two', LATE), []);
});

test('a confirmation makes it a proposal, once and in time', () => {
  assert.equal(confirmSubmission(given(), 9, AT), [CONFIRMED]);
  assert.equal(confirmSubmission(given(CONFIRMED), 10, AT), []);
  assert.equal(confirmSubmission(given(), 9, LATE - 1), [CONFIRMED]);
  assert.equal(confirmSubmission(given(), 9, LATE), []);
  assert.equal(confirmSubmission(given(WITHDRAWN), 9, AT), []);
  assert.is(given(CONFIRMED).proposal, 9);
});

test('what is not confirmed expires after 48 hours; what is confirmed does not', () => {
  assert.equal(expireSubmission(given(), LATE - 1), []);
  assert.equal(expireSubmission(given(), LATE), [EXPIRED]);
  assert.equal(expireSubmission(given(CONFIRMED), LATE), []);
  assert.equal(expireSubmission(given(EXPIRED), LATE), []);
});

test('it can be withdrawn before and after its confirmation, once', () => {
  assert.equal(withdrawSubmission(given()), [WITHDRAWN]);
  assert.equal(withdrawSubmission(given(CONFIRMED)), [WITHDRAWN]);
  for (const end of [WITHDRAWN, EXPIRED]) assert.equal(withdrawSubmission(given(end)), []);
});

test.run();
