// What is sent of the settings of a subscription, over HTTP and at the command line. Those who manage webhooks read every history.
import { present } from '../../../domain/present.ts';
import { filterOf, selectionIn } from '../../../editorial/audit/http/changes-question.ts';
import { EVERYTHING, wordsOf } from '../../../editorial/audit/queries/selection.ts';
import { refusedParameter } from '../../../http/errors.ts';
import type { Static } from '../../../http/schemas/type.ts';
import { isDestination, MAX_DESTINATION_LENGTH } from '../../../kernel/outbound/destinations.ts';
import type { PrivateHosts } from '../../../kernel/outbound/fetch-outside.ts';
import { oneLine } from '../../../kernel/text/plain-text.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { phrase } from '../../../locales/phrases.ts';
import type { WebhookFilters, WebhookSettings } from '../domain/webhook.ts';
import type { webhookTables } from './webhook-schema.ts';

/** Users to filter by. */
const MAX_ACTORS = 100;

/** A creation has them all. */
type Body = Partial<Static<typeof webhookTables.create>>;

/** Throws 400 for an address that no webhook may have. */
export function urlIn(text: string, privateHosts: PrivateHosts): string {
  const url = text.trim();
  if (isDestination(url, privateHosts)) return url;
  throw refusedParameter('url', phrase('allowed_webhook_address', { most: MAX_DESTINATION_LENGTH }));
}

/** What was sent; filters that were not sent stay as they are. Throws 400 for what is not allowed. */
export function settingsIn(
  body: Body,
  before: WebhookFilters = {},
): Partial<Pick<WebhookSettings, 'name' | 'user' | 'filters'>> {
  const { name, user } = body;
  return present({ name: name && oneLine(name), user, filters: filtersIn(body, before) });
}

/** Parameters, and the filter that each of them is about. */
const FILTERS = {
  types: 'types',
  kind: 'types',
  actor: 'actors',
  role: 'roles',
  field: 'fields',
  reason: 'reason',
} as const satisfies { readonly [Name in keyof Body]: keyof WebhookFilters };

/** Undefined: none was sent. Empty values select all. */
function filtersIn(body: Body, before: WebhookFilters): WebhookFilters | undefined {
  // The keys of the body are names of filters.
  const names = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((name) => body[name] !== undefined);
  if (names.length === 0) return undefined;
  const filled = names.filter((name) => listOf(body[name]).some((one) => one !== ''));
  const values = Object.fromEntries(filled.map((name) => [name, body[name]]));
  const selection = selectionIn(values);
  const { actors = [], roles = [], fields = [], reason = '' } = filterOf(values);
  const ids = actors.map(Number);
  if (ids.length > MAX_ACTORS || ids.some((id) => !Number.isSafeInteger(id) || id <= 0))
    throw refusedParameter('actor', phrase('allowed_any_ids', { name: 'actor', most: MAX_ACTORS }));
  const types = selection === EVERYTHING ? [] : wordsOf(selection);
  const filters = { types, actors: ids, roles, fields, reason };
  const chosen = { ...before, ...Object.fromEntries(names.map((name) => [FILTERS[name], filters[FILTERS[name]]])) };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value.length > 0));
}
