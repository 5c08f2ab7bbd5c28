// The documentation of the routes of subscriptions to changes.
import Type, { type TSchema } from 'typebox';
import {
  bodyOf,
  type Described,
  type Documentation,
  documented,
} from '../../../http/openapi/documentation/documentation.ts';
import { WEBHOOK_EXAMPLES } from '../../../http/openapi/documentation/examples.ts';
import { reading } from '../../../http/openapi/documentation/reads.ts';
import type { Right } from '../../../http/openapi/documentation/rights.ts';
import type { DescriptionKey } from '../../../locales/language.ts';
import { mayManageWebhooks } from '../../../people/auth/policy.ts';
import { webhookDeliveries, webhookList, webhookTest, webhookWithSecret } from './webhook-schema.ts';

const right: Right = { of: 'endpoint', may: mayManageWebhooks };
const about = { group: 'Webhooks', right } as const;
const answer = Type.Ref('Webhook');
const errors = ['rest_forbidden', 'rest_webhook_not_found'] as const;

interface Step extends Pick<Described, 'summary' | 'description' | 'example'> {
  readonly answer?: TSchema;
}

/** A write of one of them. No read model shows it, so there is no position to wait for. */
const changing = (
  { answer: shown = answer, ...rest }: Step,
  description: DescriptionKey = 'answer.changed',
): Documentation =>
  documented(
    { ...about, ...rest, errors: [...errors, 'rest_precondition_failed'], takes: ['ChangeReason', 'IfMatch'] },
    { 200: { description, ...bodyOf(shown), carries: ['ETag'] } },
  );

export const WEBHOOK_DOCUMENTATION = {
  list: reading({ ...about, summary: 'webhook.list', answer: webhookList, errors: ['rest_forbidden'] }),
  read: reading({ ...about, summary: 'webhook.read', answer, errors }),
  create: documented(
    {
      ...about,
      summary: 'webhook.create',
      description: 'webhook.create_description',
      example: WEBHOOK_EXAMPLES.create,
      errors: ['rest_forbidden', 'rest_precondition_failed', 'rest_too_many_webhooks'],
      takes: ['ChangeReason', 'IdempotencyKey'],
    },
    { 201: { description: 'answer.created', ...bodyOf(webhookWithSecret), carries: ['ETag', 'Location'] } },
  ),
  change: changing({ summary: 'webhook.change', description: 'write.merge', example: WEBHOOK_EXAMPLES.change }),
  rotate: changing({
    ...{ summary: 'webhook.rotate', description: 'webhook.rotate_description' },
    answer: webhookWithSecret,
  }),
  pause: changing({ summary: 'webhook.pause', description: 'webhook.pause_description' }),
  resume: changing({ summary: 'webhook.resume', description: 'webhook.pause_description' }),
  remove: changing({ summary: 'webhook.remove' }, 'answer.deleted'),
  deliveries: reading({ ...about, summary: 'webhook.deliveries', answer: webhookDeliveries, errors }),
  sendAgain: documented(
    { ...about, summary: 'webhook.send_again', errors: [...errors, 'rest_delivery_not_found'] },
    { 200: { description: 'answer.read', ...bodyOf(webhookDeliveries), carries: [] } },
  ),
  test: documented(
    { ...about, summary: 'webhook.test', description: 'webhook.test_description', errors },
    { 200: { description: 'webhook.test_answer', ...bodyOf(webhookTest), carries: [] } },
  ),
} as const;
