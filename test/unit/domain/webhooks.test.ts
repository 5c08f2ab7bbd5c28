// Decisions about subscriptions, and what becomes of their deliveries.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { accepted, evolveAll } from '../../../src/domain/decider.ts';
import {
  BACKOFF,
  type Deliveries,
  type DeliveryFact,
  evolveDeliveries,
  isDue,
  isSpent,
  MAX_RETRY_AFTER,
  nextAttempt,
  type Place,
  waitingFrom,
} from '../../../src/exchange/webhooks/domain/deliveries.ts';
import {
  changeWebhook,
  evolveWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  signingSecrets,
  type Webhook,
  type WebhookFact,
} from '../../../src/exchange/webhooks/domain/webhook.ts';

const NOW = 1_800_000_000;
const CREATED: WebhookFact = {
  type: 'WebhookCreated',
  data: { id: 1, name: 'Site', url: 'https://hooks.example/', user: 1, filters: { types: ['event'] }, secret: 'one' },
};
const PAUSED: WebhookFact = { type: 'WebhookPaused', data: { why: 'gone' } };

function given(...facts: readonly WebhookFact[]): Webhook {
  const webhook = evolveAll(evolveWebhook, null, [CREATED, ...facts], NOW);
  if (!webhook) throw new Error('nothing was given');
  return webhook;
}

test('only what differs is changed', () => {
  const same = { name: 'Site', filters: { types: ['event'] } };
  assert.equal(changeWebhook(given(), same), accepted([]));
  const wanted = { ...same, user: 2 };
  assert.equal(changeWebhook(given(), wanted), accepted([{ type: 'WebhookChanged', data: { user: 2 } }]));
});

test('a paused webhook stays paused for its first reason, until it is resumed', () => {
  assert.equal(pauseWebhook('gone')(given()), accepted([PAUSED]));
  assert.equal(pauseWebhook('asked')(given(PAUSED)), accepted([]));
  assert.equal(resumeWebhook(given(PAUSED)), accepted([{ type: 'WebhookResumed', data: {} }]));
  assert.equal(resumeWebhook(given()), accepted([]));
});

test('the secret before a rotation signs for a day, beside the new one', () => {
  const decision = rotateSecret('two', NOW);
  if (decision.kind !== 'accepted') throw new Error('refused');
  const rotated = given(...decision.facts);
  assert.equal(signingSecrets(rotated, NOW), ['two', 'one']);
  assert.equal(signingSecrets(rotated, NOW + 86_399), ['two', 'one']);
  assert.equal(signingSecrets(rotated, NOW + 86_400), ['two']);
});

const place = (revision: number): Place => ({ event: `event ${revision}`, stream: 'event-1', revision });
const done = (revision: number) => ({
  ...place(revision),
  ...({ at: NOW, attempt: 1, status: 200, outcome: 'delivered' } as const),
});
const failed = (revision: number, attempt = 1): DeliveryFact => ({
  type: 'DeliveryFailed',
  data: { ...place(revision), at: NOW, attempt, status: 500, failure: 'status', next: NOW + 3 },
});
const after = (...facts: readonly DeliveryFact[]): Deliveries => {
  const state = evolveAll(evolveDeliveries, null, facts, NOW);
  if (!state) throw new Error('no state');
  return state;
};
const eventsOf = (places: readonly Place[]): readonly number[] => places.map(({ revision }) => revision);

const CONFIRMED: DeliveryFact = {
  type: 'DeliveriesConfirmed',
  data: { upTo: place(3), done: [done(1)], waiting: [place(2), place(3)] },
};

test('what is not done waits, in the order of the log, until it is', () => {
  assert.equal(eventsOf(after(CONFIRMED).waiting), [2, 3]);
  const later: DeliveryFact = {
    type: 'DeliveriesConfirmed',
    data: { upTo: place(4), done: [done(2), done(4)], waiting: [] },
  };
  assert.equal(eventsOf(after(CONFIRMED, later).waiting), [3]);
  assert.equal(after(CONFIRMED, later).upTo, place(4));
});

test('a failed delivery is due at its next attempt, and at once if the clock was put back', () => {
  const [first, second] = after(CONFIRMED, failed(2)).waiting;
  if (!first || !second) throw new Error('nothing waits');
  assert.equal(
    [first.attempts, isDue(first, NOW + 2, 0), isDue(first, NOW + 3, 0), isDue(first, NOW - 1, 0)],
    [1, false, true, true],
  );
  assert.ok(isDue(second, NOW, 0));
});

test('what is parked waits no more, and can be asked for once more', () => {
  const parked = after(CONFIRMED, failed(2, 9), { type: 'DeliveryParked', data: place(2) });
  assert.equal([eventsOf(parked.waiting), eventsOf(parked.parked), parked.parked[0]?.attempts], [[3], [2], 9]);
  const again = evolveDeliveries(parked, { type: 'DeliveryRequested', data: place(2) }, NOW);
  assert.equal([eventsOf(again?.waiting ?? []), again?.parked], [[3, 2], []]);
});

test('one that waits and is asked for is due at once, in its turn', () => {
  const state = after(CONFIRMED, failed(2), { type: 'DeliveryRequested', data: place(2) });
  assert.equal(eventsOf(state.waiting), [2, 3]);
  assert.ok(state.waiting[0] && isDue(state.waiting[0], NOW, 0));
});

test('a summary is the state that it sums up', () => {
  const state = after(CONFIRMED, failed(2), { type: 'DeliveryParked', data: place(3) });
  assert.equal(after({ type: 'DeliveriesSummarized', data: state }), state);
});

test('attempts are further and further apart, and end after 72 hours', () => {
  let at = NOW;
  let attempts = 0;
  for (let attempt = 1; at - NOW < BACKOFF.total; attempt += 1) {
    const next = nextAttempt(BACKOFF, { attempt, at }, 0.5);
    assert.ok(next > at && next - at <= BACKOFF.longest);
    at = next;
    attempts = attempt;
  }
  assert.ok(attempts >= 12 && attempts <= 20, String(attempts));
  assert.not.ok(isSpent(waitingFrom(place(1), NOW), BACKOFF, NOW + 259_199, NOW));
  assert.ok(isSpent(waitingFrom(place(1), NOW), BACKOFF, NOW + 259_200, NOW));
});

test('once resumed, or at another address, it is tried at once, and has 72 hours again', () => {
  const RENEWED = NOW + 300_000;
  for (const fact of [
    { type: 'WebhookResumed', data: {} },
    { type: 'WebhookChanged', data: { url: 'https://hooks.example/new' } },
  ] as const)
    assert.is(evolveWebhook(given(PAUSED), fact, RENEWED)?.renewed, RENEWED);
  assert.is(evolveWebhook(given(), { type: 'WebhookChanged', data: { name: 'x' } }, RENEWED)?.renewed, NOW);
  const [first] = after(CONFIRMED, failed(2)).waiting;
  if (!first) throw new Error('nothing waits');
  assert.equal([isDue(first, NOW + 1, NOW), isDue(first, NOW + 1, NOW + 1)], [false, true]);
  assert.equal(
    [isSpent(first, BACKOFF, RENEWED + 1, NOW), isSpent(first, BACKOFF, RENEWED + 1, RENEWED)],
    [true, false],
  );
});

test('chance moves an attempt by a fifth, and the receiver may ask for a day at most', () => {
  const times = [0, 1].map((random) => nextAttempt(BACKOFF, { attempt: 7, at: NOW }, random) - NOW);
  assert.equal(times, [Math.ceil(729 * 0.8), Math.ceil(729 * 1.2)]);
  assert.is(nextAttempt(BACKOFF, { attempt: 1, at: NOW }, 0.5, 60), NOW + 60);
  assert.is(nextAttempt(BACKOFF, { attempt: 1, at: NOW }, 0.5, 1e9), NOW + MAX_RETRY_AFTER);
});

test.run();
