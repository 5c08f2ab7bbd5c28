// The routes of subscriptions to changes: /webhooks. For administrators alone.
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Written } from '../../../commands/context.ts';
import type { CommandResult } from '../../../commands/handle-command.ts';
import { present } from '../../../domain/present.ts';
import type { ChangesDependencies } from '../../../editorial/audit/queries/changes.ts';
import type { Body } from '../../../http/answers/reply.ts';
import { foundOr } from '../../../http/errors.ts';
import { guardedRoutes } from '../../../http/guarded-routes.ts';
import {
  answering,
  changingInLog,
  creatingInLog,
  deletingInLog,
  reading,
} from '../../../http/openapi/documentation.ts';
import { EVENT, ID } from '../../../http/plugins/routing.ts';
import type { Routes } from '../../../http/route.ts';
import { sendMarked } from '../../../http/routes/pages.ts';
import { contextOf, type RouteDependencies, sendWritten, writtenOr } from '../../../http/routes/writing.ts';
import { byDelivery, byId } from '../../../http/schemas/path.ts';
import Type from '../../../http/schemas/type.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { mayManageWebhooks } from '../../../people/auth/policy.ts';
import type { SubjectKeys } from '../../../people/personal-data/facts/subject-keys.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { loadDeliveries, sendAgain } from '../commands/deliveries.ts';
import {
  allWebhooks,
  changeWebhookOf,
  createWebhook,
  type LoadedWebhook,
  loadWebhook,
  newWebhookSecret,
  removeWebhookOf,
  stepOfWebhook,
} from '../commands/webhooks.ts';
import { pauseWebhook, resumeWebhook, rotateSecret, type Webhook, type WebhookSettings } from '../domain/webhook.ts';
import { type Send, testDelivery } from '../reactions/webhook-sender.ts';
import { deliveryRows, outstandingObject, webhookObject } from './webhook-answers.ts';
import {
  type WebhookWarning,
  webhookDeliveries,
  webhookList,
  webhookTables,
  webhookTest,
  webhookWithSecret,
} from './webhook-schema.ts';
import { settingsIn, urlIn } from './webhook-settings.ts';

const right = { of: 'endpoint', may: mayManageWebhooks } as const;
const about = { group: 'Webhooks', answer: Type.Ref('Webhook') } as const;
const all = guardedRoutes(right, about);
const one = guardedRoutes(right, { ...about, errors: ['rest_webhook_not_found'] });

export interface WebhookRouteDependencies extends RouteDependencies {
  /** To name what deliveries are about. */
  readonly changes: ChangesDependencies;
  /** The keys under which addresses and secrets are encrypted. */
  readonly keys: Pick<SubjectKeys, 'destroy'>;
  readonly privateHosts: PrivateHosts;
  readonly send: Send;
  /** What receivers would wonder about. */
  readonly warnings: readonly WebhookWarning[];
}

export const webhookRoutes: Routes<WebhookRouteDependencies> = async (api, dependencies) => {
  const { commands, changes, keys, privateHosts, send, warnings } = dependencies;
  const { store } = commands;

  const objectOf = async ({ links, now }: FastifyRequest, loaded: Pick<LoadedWebhook, 'state' | 'revision'>) =>
    webhookObject(loaded, (await loadDeliveries(store, loaded.state.id)).state, {
      links,
      now,
      warnings,
      actors: openActors(store),
    });

  const webhookOf = (id: number) => foundOr('rest_webhook_not_found', loadWebhook(store, id));

  const sendOne = (reply: FastifyReply, result: CommandResult<Webhook>): Promise<Body> =>
    sendWritten(reply, result, (written) => objectOf(reply.request, written));

  api.get(
    '/webhooks',
    all(reading, { summary: 'webhook.list', answer: webhookList }, { querystring: webhookTables.list }),
    async (request, reply) => {
      const webhooks = await Promise.all((await allWebhooks(store)).map((one) => objectOf(request, one)));
      return sendMarked(reply, { webhooks });
    },
  );

  api.post(
    '/webhooks',
    all(
      creatingInLog,
      {
        summary: 'webhook.create',
        description: 'webhook.create_description',
        example: { url: 'https://hooks.example/daybook', name: 'Web site', types: ['event', 'VenueRelocated'] },
        answer: webhookWithSecret,
        errors: ['rest_too_many_webhooks'],
      },
      { body: webhookTables.create },
    ),
    async (request, reply) => {
      const { caller, body } = request;
      const settings: WebhookSettings = {
        name: '',
        user: caller?.id ?? 0,
        filters: {},
        ...settingsIn(body),
        url: urlIn(body.url, privateHosts),
      };
      const secret = newWebhookSecret();
      const result = await createWebhook(commands, contextOf(request), settings, secret);
      const object = async (written: Written<Webhook>) => ({
        ...(await objectOf(request, written)),
        // A repeated request gets the webhook of the first one, whose secret has been shown.
        secret: written.created ? secret : null,
      });
      return sendWritten(reply, result, object, 'webhooks');
    },
  );

  api.get(
    `/webhooks/${ID}`,
    one(reading, { summary: 'webhook.read' }, { params: byId, querystring: webhookTables.read }),
    async (request, reply) => {
      const loaded = await webhookOf(request.params.id);
      return sendMarked(reply, await objectOf(request, loaded), { revision: loaded.revision });
    },
  );

  api.patch(
    `/webhooks/${ID}`,
    one(
      changingInLog,
      { summary: 'webhook.change', description: 'write.merge', example: { field: 'start_date,end_date' } },
      { params: byId, body: webhookTables.update },
    ),
    async (request, reply) => {
      const { params, body } = request;
      const { state } = await webhookOf(params.id);
      const url = body.url === undefined ? undefined : urlIn(body.url, privateHosts);
      const changes = present({ ...settingsIn(body, state.filters), url });
      return sendOne(reply, await changeWebhookOf(commands, contextOf(request), params.id, changes));
    },
  );

  api.delete(
    `/webhooks/${ID}`,
    one(deletingInLog, { summary: 'webhook.remove' }, { params: byId, querystring: webhookTables.step }),
    async (request, reply) => {
      return sendOne(reply, await removeWebhookOf(commands, contextOf(request), request.params.id, keys.destroy));
    },
  );

  api.post(
    `/webhooks/${ID}/rotate`,
    one(
      changingInLog,
      { summary: 'webhook.rotate', description: 'webhook.rotate_description', answer: webhookWithSecret },
      { params: byId, body: webhookTables.step },
    ),
    async (request, reply) => {
      const secret = newWebhookSecret();
      const context = contextOf(request);
      const rotate = () => rotateSecret(secret, context.now);
      const result = await stepOfWebhook(commands, context, request.params.id, rotate);
      return sendWritten(reply, result, async (written) => ({ ...(await objectOf(request, written)), secret }));
    },
  );

  for (const [step, decide] of [
    ['pause', pauseWebhook('asked')],
    ['resume', resumeWebhook],
  ] as const)
    api.post(
      `/webhooks/${ID}/${step}`,
      one(
        changingInLog,
        { summary: `webhook.${step}`, description: 'webhook.pause_description' },
        { params: byId, body: webhookTables.step },
      ),
      async (request, reply) => {
        return sendOne(reply, await stepOfWebhook(commands, contextOf(request), request.params.id, decide));
      },
    );

  api.post(
    `/webhooks/${ID}/test`,
    one(
      answering(200, 'webhook.test_answer', webhookTest),
      { summary: 'webhook.test', description: 'webhook.test_description' },
      { params: byId, body: webhookTables.step },
    ),
    async (request, reply) => {
      const { state } = await webhookOf(request.params.id);
      const delivery = testDelivery(state, { id: randomUUID(), now: request.now });
      const begun = performance.now();
      const { failure, status } = await send(delivery, reply.waiting());
      const milliseconds = Math.round(performance.now() - begun);
      return reply.send({ delivered: failure === null, status, failure, milliseconds });
    },
  );

  async function deliveriesObject(request: FastifyRequest, id: number, before?: number): Promise<object> {
    const { links, now } = request;
    const { renewed } = (await webhookOf(id)).state;
    const page = await deliveryRows(changes, id, before, links);
    const { state } = await loadDeliveries(store, id);
    return {
      deliveries: page.rows,
      ...outstandingObject(changes, state, { links, now, renewed }),
      before: page.before,
    };
  }

  api.get(
    `/webhooks/${ID}/deliveries`,
    one(
      reading,
      { summary: 'webhook.deliveries', answer: webhookDeliveries },
      { params: byId, querystring: webhookTables.deliveries },
    ),
    async (request, reply) => {
      return sendMarked(reply, await deliveriesObject(request, request.params.id, request.query.before));
    },
  );

  api.post(
    `/webhooks/${ID}/deliveries/${EVENT}/send-again`,
    one(
      answering(200, 'answer.read', webhookDeliveries),
      { summary: 'webhook.send_again', errors: ['rest_delivery_not_found'] },
      { params: byDelivery, body: webhookTables.step },
    ),
    async (request, reply) => {
      const { id, event } = request.params;
      writtenOr(await sendAgain(commands, contextOf(request), id, event), request);
      return reply.send(await deliveriesObject(request, id));
    },
  );
};
