// The feed of changes, and reverts of requests, as the API answers them.
import { toWallClock, type Zone } from '../../../time/zone.ts';
import { momentText } from '../../dates.ts';
import { FOLDERS } from '../review/reading.ts';

export const KINDS = [
  'event',
  'venue',
  'organizer',
  'category',
  'tag',
  'proposal',
  'set',
  'policy',
  'settings',
  'picture',
  'series',
  'webhook',
  'source',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Change {
  readonly kind: Kind;
  readonly id: number;
  readonly instant: string;
  readonly actor: { readonly name: string };
  readonly reason: string | null;
  readonly summary: string;
  readonly correlation_id: string;
  /** Why it was made without the review that the rules demand. */
  readonly bypassed_review?: string;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Where the next page begins. */
  readonly next: string;
  readonly has_more: boolean;
}

export interface RevertedResource {
  readonly kind: keyof typeof FOLDERS | 'series';
  readonly id: number;
  readonly action: 'trash' | 'delete' | 'revert';
  readonly to_revision?: number;
  readonly outcome: 'done' | 'unchanged' | 'changed_later' | 'in_use' | 'refused' | 'left';
  readonly why?: string;
}

export interface RequestReverted {
  readonly correlation_id: string | null;
  readonly complete: boolean;
  readonly done: number;
  readonly unchanged: number;
  readonly conflicts: number;
  readonly left: number;
  readonly resources: readonly RevertedResource[];
}

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
