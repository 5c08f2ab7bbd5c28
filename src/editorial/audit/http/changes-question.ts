// What a request asks of the feed of changes: from its parameters to the question.

import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { present } from '../../../domain/present.ts';
import { forbidden, refusedParameter } from '../../../http/errors.ts';
import { timeRangeIn } from '../../../http/routes/time-range.ts';
import { listOf } from '../../../kernel/text/wire-words.ts';
import { phrase } from '../../../locales/phrases.ts';
import { mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { ACTOR_ROLES, type ChangeFilter, NO_FILTER } from '../queries/change-filter.ts';
import { CHANGES_ORDERS, type ChangesOrder } from '../queries/changes.ts';
import { CHANGE_KINDS, type ChangeKind, type Selection, selectionOf } from '../queries/selection.ts';
import type { changeFeed } from './changes-schema.ts';

export type FeedInput = Static<typeof changeFeed>;

/** The kinds and types of facts that `types` and `kind` both allow. */
export function selectionIn({ types, kind }: FeedInput): Selection {
  const selection = selectionOf(types === undefined ? [] : listOf(types));
  if ('unknown' in selection)
    throw refusedParameter('types', phrase('unknown_type', { word: selection.unknown, kinds: CHANGE_KINDS }));
  if (kind === undefined) return selection;
  const kinds = wordsIn('kind', kind, [...selection.keys()]);
  return new Map(kinds.map((one): [ChangeKind, 'all' | ReadonlySet<string>] => [one, selection.get(one) ?? 'all']));
}

/** Who made the changes, in which fields, and why. */
export const filterOf = ({ actor, role, field, reason }: FeedInput): ChangeFilter =>
  present({
    actors: actor === undefined ? actor : listOf(actor),
    roles: role === undefined ? role : wordsIn('role', role, ACTOR_ROLES),
    fields: field === undefined ? field : listOf(field),
    reason,
  });

/** Roles are told only to callers who read every history: authors may not know what others are. */
export function filterIn(request: FastifyRequest, query: FeedInput): ChangeFilter {
  const { role, request: id } = query;
  const filter = { ...filterOf(query), ...present({ request: id }), ...timeRangeIn(request, query) };
  if (role !== undefined && !mayReadEveryHistory(request.caller)) throw forbidden(request.caller);
  return Object.keys(filter).length === 0 ? NO_FILTER : filter;
}

/** Only what is there can be listed newest first: not what is waited for. */
export function orderIn({ order = 'asc' }: FeedInput, way: 'page' | 'waiting'): ChangesOrder {
  const allowed = CHANGES_ORDERS.filter((one) => way === 'page' || one === 'asc');
  const match = allowed.find((one) => one === order);
  if (match === undefined)
    throw refusedParameter('order', phrase('allowed_one_of', { name: 'order', values: allowed }));
  return match;
}

function wordsIn<Word extends string>(name: string, value: unknown, allowed: readonly Word[]): readonly Word[] {
  const words = listOf(value);
  const matches = allowed.filter((word) => words.includes(word));
  if (matches.length === 0 || words.some((word) => !allowed.some((one) => one === word)))
    throw refusedParameter(name, phrase('allowed_some_of', { name, values: allowed }));
  return matches;
}

/** Whether any of the parameters narrows or turns the feed; only then the answer says whether its page is short. */
export const isNarrowed = (query: FeedInput): boolean => NARROWING.some((name) => query[name] !== undefined);

const NARROWING = ['order', 'kind', 'actor', 'role', 'field', 'reason', 'request', 'from', 'to'] as const;

/** The parameters of the feed, in the order of links. */
export const FEED_ARGUMENTS = ['after', 'types', ...NARROWING, 'per_page', 'wait'] as const;
