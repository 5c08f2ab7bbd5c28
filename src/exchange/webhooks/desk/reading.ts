// Webhooks and their deliveries, as the API answers them.

import type { Answer, AnswerOf } from '../../../http/schemas/components.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import type { webhookDeliveries, webhookTest } from '../http/webhook-schema.ts';

export const WEBHOOKS = '/desk/webhooks';

export type Webhook = Answer<'Webhook'>;
export type Deliveries = AnswerOf<typeof webhookDeliveries>;
export type TestResult = AnswerOf<typeof webhookTest>;

/** Deliveries were given up, or the service has paused it: users pause one on purpose. */
export const isFailing = ({ paused, parked }: Webhook): boolean => parked > 0 || (paused ?? 'asked') !== 'asked';

/** What it is called in lists: its name, or its address. */
export const titleOf = ({ name, url }: Webhook): string => (name === '' ? url : name);

/** Why an attempt failed, with the status of the answer; '' if it did not. */
export const failureText = (
  { words }: DeskRequest,
  { failure, status }: Pick<TestResult, 'failure' | 'status'>,
): string => (failure === null ? '' : words(`webhook_failure_${failure}`, { status: status ?? '' }));
