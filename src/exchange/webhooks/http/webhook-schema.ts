// Subscriptions to changes on the wire: what their routes take, and what they answer.
import * as member from '../../../http/schemas/members.ts';
import { anyId, anything, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
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

const shownFilters = member.object('webhook.filters', {
  types: member.listOf(Type.String(), 'changes.types'),
  actor: member.listOf(Type.Integer(), 'webhook.actor'),
  role: member.listOf(Type.Unsafe<Role | 'system'>({ type: 'string' }), 'changes.role'),
  field: member.listOf(Type.String(), 'changes.field'),
  reason: member.text('changes.reason'),
});

/** `links_to_localhost`: `DAYBOOK_SITE_URL` is not set, and what is sent has no request whose host could be taken. */
const WEBHOOK_WARNINGS = ['links_to_localhost'] as const;
export type WebhookWarning = (typeof WEBHOOK_WARNINGS)[number];

const members = {
  id: member.integer('webhook.id'),
  name: member.text('webhook.name'),
  url: member.address('webhook.url'),
  user: member.component('Actor', 'webhook.user'),
  filters: shownFilters,
  paused: member.orNull(member.oneOf('webhook.paused', PAUSE_REASONS)),
  created: member.instant('webhook.created'),
  former_secret_until: member.orNull(member.instant('webhook.former_secret_until')),
  waiting: member.integer('webhook.waiting'),
  parked: member.integer('webhook.parked'),
  warnings: member.listOf(member.oneOf('webhook.warnings', WEBHOOK_WARNINGS), 'webhook.warnings'),
  rest_url: member.address('shown.url'),
};

export const webhook = member.object('webhook', members);

/** With the secret, which is shown this once. */
export const webhookWithSecret = member.object('webhook', {
  ...members,
  secret: member.orNull(member.text('webhook.secret')),
});

export const webhookList = member.object('webhook.list_answer', {
  webhooks: member.listOf(Type.Ref('Webhook'), 'webhook.list_answer'),
});

const place = {
  event: member.text('delivery.event'),
  kind: member.text('resource.kind'),
  id: member.integer('resource.id'),
  url: member.address('change_entry.url'),
};

const DELIVERY_OUTCOMES = ['delivered', 'dropped', 'failed', 'parked', 'requested'] as const;

const attempt = {
  attempt: member.integer('delivery.attempt'),
  status: member.orNull(member.integer('delivery.status')),
  failure: member.orNull(member.oneOf('delivery.failure', DELIVERY_FAILURES)),
};

export const webhookDelivery = member.object('delivery', {
  ...place,
  outcome: member.oneOf('delivery.outcome', DELIVERY_OUTCOMES),
  at: member.instant('delivery.at'),
  ...attempt,
});

const waitingDelivery = member.object('delivery.waiting', {
  ...place,
  since: member.instant('delivery.since'),
  ...attempt,
  next: member.orNull(member.instant('delivery.next')),
});

const parkedDelivery = member.object('delivery.parked', { ...place, at: member.instant('delivery.at'), ...attempt });

export const webhookDeliveries = member.object('delivery.answer', {
  deliveries: member.listOf(Type.Ref('WebhookDelivery'), 'delivery.answer'),
  waiting: member.listOf(waitingDelivery, 'delivery.all_waiting'),
  parked: member.listOf(parkedDelivery, 'delivery.all_parked'),
  quiet_until: member.orNull(member.instant('delivery.quiet_until')),
  before: member.orNull(member.integer('delivery.before')),
});

export const webhookTest = member.object('webhook.test_answer', {
  delivered: member.flag('webhook.test_delivered'),
  status: member.orNull(member.integer('delivery.status')),
  failure: member.orNull(member.oneOf('delivery.failure', DELIVERY_FAILURES)),
  milliseconds: member.integer('webhook.test_milliseconds'),
});
