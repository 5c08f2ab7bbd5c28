// Subscriptions and their deliveries as clients see them.

import { addressOf } from '../../../editorial/audit/http/changes-routes.ts';
import { type ChangesDependencies, keyOf } from '../../../editorial/audit/queries/changes.ts';
import type { Links } from '../../../http/route.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { instantText } from '../../../kernel/time/instant.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import type { Actors } from '../../../people/users/facts/actors.ts';
import { type LoadedDeliveries, portionsBackwards } from '../commands/deliveries.ts';
import type { LoadedWebhook } from '../commands/webhooks.ts';
import { type DeliveryFact, isQuiet, type Place, type Waiting } from '../domain/deliveries.ts';
import type { WebhookWarning } from './webhook-schema.ts';

const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : instantText(at));

/** Without its secrets. */
export async function webhookObject(
  { state, revision: _ }: Pick<LoadedWebhook, 'state' | 'revision'>,
  deliveries: LoadedDeliveries['state'],
  {
    links,
    actors,
    now,
    warnings,
  }: {
    readonly links: Links;
    readonly actors: Actors;
    readonly now: number;
    readonly warnings: readonly WebhookWarning[];
  },
) {
  const { id, name, url, user, filters, paused, created, former } = state;
  const { types = [], actors: by = [], roles = [], fields = [], reason = '' } = filters;
  return {
    id,
    name,
    url,
    user: await actors.person(user),
    filters: { types, actor: by, role: roles, field: fields, reason },
    paused,
    created: instantText(created),
    former_secret_until: former && former.until > now ? instantText(former.until) : null,
    waiting: deliveries.waiting.length,
    parked: deliveries.parked.length,
    warnings,
    rest_url: `${links.root}/webhooks/${id}`,
  };
}

/** Rows on a page at least, where there are that many: one fact records many deliveries. */
const MIN_ROWS = 50;

/** What happened to deliveries, newest first, before a place in their stream. */
export async function deliveryRows(
  { store, ...dependencies }: ChangesDependencies,
  webhook: number,
  before: number | undefined,
  links: Links,
) {
  const placeMembers = placesShown({ store, ...dependencies }, links);
  const rows: object[] = [];
  for await (const portion of portionsBackwards(store, webhook, before))
    for (const event of portion) {
      rows.push(...rowsOf(event).map(({ place, ...row }) => ({ ...placeMembers(place), ...row })));
      if (rows.length >= MIN_ROWS) return { rows, before: event.revision > 0 ? event.revision : null };
    }
  return { rows, before: null };
}

type Row = Omit<Answer<'WebhookDelivery'>, keyof ReturnType<ReturnType<typeof placesShown>>>;

function rowsOf(event: RecordedEvent): (Row & { readonly place: Place })[] {
  const fact = factOf<DeliveryFact>(event);
  const at = instantText(instantOf(event));
  const none = { at, attempt: 0, status: null, failure: null };
  switch (fact.type) {
    case 'DeliveriesConfirmed':
      return fact.data.done
        .map(({ outcome, at: instant, attempt, status, ...place }) => ({
          place,
          outcome,
          attempt,
          status,
          at: instantText(instant),
          failure: null,
        }))
        .reverse();
    case 'DeliveryFailed': {
      const { at: instant, attempt, status, failure } = fact.data;
      return [{ place: fact.data, outcome: 'failed', at: instantText(instant), attempt, status, failure }];
    }
    case 'DeliveryParked':
      return [{ place: fact.data, outcome: 'parked', ...none }];
    case 'DeliveryRequested':
      return [{ place: fact.data, outcome: 'requested', ...none }];
    default:
      return [];
  }
}

/** What an event of the log is about. */
const placesShown =
  (dependencies: ChangesDependencies, { root }: Links) =>
  ({ event, stream }: Place) => {
    const key = keyOf(dependencies, stream);
    const { kind, id } = key ?? { kind: stream, id: 0 };
    return { event, kind, id, url: key ? addressOf(root, key) : root };
  };

/** What waits and what was given up. */
export function outstandingObject(
  dependencies: ChangesDependencies,
  { waiting, parked, ...quiet }: LoadedDeliveries['state'],
  { links, now, renewed }: { readonly links: Links; readonly now: number; readonly renewed: number },
) {
  const placeMembers = placesShown(dependencies, links);
  return {
    waiting: waiting.map((one) => ({ ...placeMembers(one), ...waitingObject(one) })),
    parked: parked.map((one) => {
      const { at, attempts: attempt, status, failure } = one;
      return { ...placeMembers(one), at: instantText(at), attempt, status, failure };
    }),
    quiet_until: isQuiet(quiet, now, renewed) ? instantText(quiet.quietUntil) : null,
  };
}

const waitingObject = ({ since, attempts, failed }: Waiting) => ({
  since: instantText(since),
  attempt: attempts,
  status: failed?.status ?? null,
  failure: failed?.failure ?? null,
  next: isoOrNull(failed?.next),
});
