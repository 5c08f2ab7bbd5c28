// The feed of changes, and reverts of requests, as the API answers them.

import type { Answer, AnswerOf } from '../../../http/schemas/components.ts';
import { toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import { momentText } from '../../../pages/dates.ts';
import { FOLDERS } from '../../proposals/desk/reading.ts';
import type { changesPage } from '../http/changes-schema.ts';

export type Change = Answer<'ChangeEntry'>;
export type Kind = Change['kind'];

export type ChangesPage = Pick<AnswerOf<typeof changesPage>, 'changes' | 'has_more' | 'next'>;
export type RequestReverted = Answer<'RequestReverted'>;

/** Where the desk shows it, and when it was. */
export function placeOf({ kind, id, instant }: Change, language: string, zone: Zone) {
  const when = momentText(language, toWallClock(Math.floor(Date.parse(instant) / 1000), zone));
  return { path: pathOf(kind, id), when, time: instant };
}

/** Null: the desk has no page of it. */
export function pathOf(kind: Kind, id: number): string | null {
  if (kind === 'policy') return '/desk/rules';
  if (kind === 'settings') return '/desk/settings';
  if (kind === 'picture') return `/desk/pictures/${id}`;
  if (kind === 'series') return `/desk/events?series=${id}`;
  if (kind === 'webhook') return `/desk/webhooks/${id}`;
  if (kind === 'source') return `/desk/sources/${id}`;
  if (kind === 'proposal') return `/desk/review/${id}`;
  return kind === 'set' ? `/desk/sets/${id}` : `/desk/${FOLDERS[kind]}/${id}/history`;
}
