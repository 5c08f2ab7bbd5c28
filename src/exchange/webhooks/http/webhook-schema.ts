// Subscriptions to changes on the wire: what their routes take, and what they answer.
import Type from 'typebox';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, anything, integer, optional, text } from '../../../http/schemas/primitives.ts';
import type { Role } from '../../../people/auth/caller.ts';
import { DELIVERY_FAILURES } from '../domain/deliveries.ts';
import { PAUSE_REASONS } from '../domain/webhook.ts';

const filters = {
  types: anything('changes.types'),
  kind: anything('changes.kind'),
  actor: anything('webhook.actor'),
  role: anything('changes.role'),
  field: anything('changes.field'),
  reason: text('changes.reason', 'stringOrEmpty'),
};

const settings = {
  name: text('webhook.name', 'stringOrEmpty'),
  user: integer('webhook.user', 'userId'),
  ...filters,
};

const url = text('webhook.url', 'nonEmptyString');
const id = anyId('webhook');

export const webhookTables = {
  list: Type.Object({}),
  read: Type.Object({ id }),
  create: Type.Object({ url, ...optional(settings) }),
  update: Type.Object({ id, ...optional({ url, ...settings }) }),
  /** What takes nothing but the id. */
  step: Type.Object({ id }),
  deliveries: Type.Object({ id, ...optional({ before: integer('webhook.before', 'positiveInt') }) }),
};

const shownFilters = shown.object('webhook.filters', {
  types: shown.listOf(Type.String(), 'changes.types'),
  actor: shown.listOf(Type.Integer(), 'webhook.actor'),
  role: shown.listOf(Type.Unsafe<Role | 'system'>({ type: 'string' }), 'changes.role'),
  field: shown.listOf(Type.String(), 'changes.field'),
  reason: shown.text('changes.reason'),
});

/** `links_to_localhost`: `DAYBOOK_SITE_URL` is not set, and what is sent has no request whose host could be taken. */
const WEBHOOK_WARNINGS = ['links_to_localhost'] as const;
export type WebhookWarning = (typeof WEBHOOK_WARNINGS)[number];

const members = {
  id: shown.integer('webhook.id'),
  name: shown.text('webhook.name'),
  url: shown.address('webhook.url'),
  user: shown.component('Actor', 'webhook.user'),
  filters: shownFilters,
  paused: shown.orNull(shown.oneOf('webhook.paused', PAUSE_REASONS)),
  created: shown.instant('webhook.created'),
  former_secret_until: shown.orNull(shown.instant('webhook.former_secret_until')),
  waiting: shown.integer('webhook.waiting'),
  parked: shown.integer('webhook.parked'),
  warnings: shown.listOf(shown.oneOf('webhook.warnings', WEBHOOK_WARNINGS), 'webhook.warnings'),
  rest_url: shown.address('shown.url'),
};

export const webhook = shown.object('webhook', members);

/** With the secret, which is shown this once. */
export const webhookWithSecret = shown.object('webhook', {
  ...members,
  secret: shown.orNull(shown.text('webhook.secret')),
});

export const webhookList = shown.object('webhook.list_answer', {
  webhooks: shown.listOf(Type.Ref('Webhook'), 'webhook.list_answer'),
});

const place = {
  event: shown.text('delivery.event'),
  kind: shown.text('resource.kind'),
  id: shown.integer('resource.id'),
  url: shown.address('change_entry.url'),
};

const DELIVERY_OUTCOMES = ['delivered', 'dropped', 'failed', 'parked', 'requested'] as const;

const attempt = {
  attempt: shown.integer('delivery.attempt'),
  status: shown.orNull(shown.integer('delivery.status')),
  failure: shown.orNull(shown.oneOf('delivery.failure', DELIVERY_FAILURES)),
};

export const webhookDelivery = shown.object('delivery', {
  ...place,
  outcome: shown.oneOf('delivery.outcome', DELIVERY_OUTCOMES),
  at: shown.instant('delivery.at'),
  ...attempt,
});

const waitingDelivery = shown.object('delivery.waiting', {
  ...place,
  since: shown.instant('delivery.since'),
  ...attempt,
  next: shown.orNull(shown.instant('delivery.next')),
});

const parkedDelivery = shown.object('delivery.parked', { ...place, at: shown.instant('delivery.at'), ...attempt });

export const webhookDeliveries = shown.object('delivery.answer', {
  deliveries: shown.listOf(Type.Ref('WebhookDelivery'), 'delivery.answer'),
  waiting: shown.listOf(waitingDelivery, 'delivery.all_waiting'),
  parked: shown.listOf(parkedDelivery, 'delivery.all_parked'),
  quiet_until: shown.orNull(shown.instant('delivery.quiet_until')),
  before: shown.orNull(shown.integer('delivery.before')),
});

export const webhookTest = shown.object('webhook.test_answer', {
  delivered: shown.flag('webhook.test_delivered'),
  status: shown.orNull(shown.integer('delivery.status')),
  failure: shown.orNull(shown.oneOf('delivery.failure', DELIVERY_FAILURES)),
  milliseconds: shown.integer('webhook.test_milliseconds'),
});
