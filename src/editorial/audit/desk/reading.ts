// The feed of changes, and reverts of requests, as the API answers them.

import { COLLECTIONS } from '../../../calendar/resource/domain/collections.ts';
import type { Answer, AnswerOf } from '../../../http/schemas/components.ts';
import { CHANGE_KINDS } from '../../history/http/history-schema.ts';
import type { changesPage } from '../http/changes-schema.ts';
import { isReview } from '../queries/changes.ts';
import { isSingle, REVIEW_STREAMS } from '../queries/review-changes.ts';

export const AUDIT = '/desk/audit';

export type Change = Answer<'ChangeEntry'>;
type Kind = Change['kind'];

/** Not all that is parked or sent to webhooks has changes that are listed. */
export const isKind = (kind: string): kind is Kind => CHANGE_KINDS.some((one) => one === kind);

export type ChangesPage = Pick<AnswerOf<typeof changesPage>, 'changes' | 'has_more' | 'next'>;
export type RequestReverted = Answer<'RequestReverted'>;

/** Where the desk shows it. Null: it has no page of it. */
export function pathOf(kind: string, id: number): string | null {
  if (!isKind(kind)) return null;
  if (kind === 'policy') return '/desk/rules';
  if (kind === 'settings') return '/desk/settings';
  if (kind === 'picture') return `/desk/pictures/${id}`;
  if (kind === 'series') return `/desk/events?series=${id}`;
  if (kind === 'webhook') return `/desk/webhooks/${id}`;
  if (kind === 'guest') return `/desk/guests/${id}`;
  if (kind === 'source') return `/desk/sources/${id}`;
  if (kind === 'proposal') return `/desk/review/${id}`;
  return kind === 'set' ? `/desk/sets/${id}` : `/desk/${COLLECTIONS[kind]}/${id}/history`;
}

/** The facts of the log, for administrators. */
export const LOG = '/desk/log';

export const factPath = (stream: string, revision: number): string =>
  `${LOG}/${encodeURIComponent(stream)}/${revision}`;

/** The stream of what has changed. */
export const streamOf = ({ kind, id }: Pick<Change, 'kind' | 'id'>): string =>
  isSingle(kind) ? REVIEW_STREAMS[kind] : `${isReview(kind) ? REVIEW_STREAMS[kind] : `${kind}-`}${id}`;

/** A proposal is called as what it is about. */
export const subjectOf = ({ kind, id, target }: Change) => target ?? { kind, id };
