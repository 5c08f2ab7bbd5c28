// What else changes can be selected by: who made them, in which role, when, why, as part of what, and in which fields.

import { foldLetters } from '../../../kernel/text/ascii-folding.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import { instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { ROLES } from '../../../people/auth/caller.ts';
import type { ActorRole, Actors } from '../../../people/users/facts/actors.ts';

export const ACTOR_ROLES: readonly ActorRole[] = [...ROLES, 'system'];

/** All that is given must hold. */
export interface ChangeFilter {
  /** Ids of users, or present names as changes show them; one of them. */
  readonly actors?: readonly string[];
  /** One of them, at the time of the change. */
  readonly roles?: readonly ActorRole[];
  /** One of them has changed. */
  readonly fields?: readonly string[];
  /** Part of the reason; case and accents do not matter. */
  readonly reason?: string;
  /** The correlation id of the request or import. */
  readonly request?: string;
  /** Both inclusive. */
  readonly from?: EpochSeconds;
  readonly to?: EpochSeconds;
}

export const NO_FILTER: ChangeFilter = {};

/** Checks what is recorded with every event: cheap, so it comes first. */
export async function matchesRecord(filter: ChangeFilter, event: RecordedEvent, people: Actors): Promise<boolean> {
  const { actors, roles, reason, request, from = -Infinity, to = Infinity } = filter;
  const { metadata } = event;
  if (request !== undefined && metadata.correlationId !== request) return false;
  const at = instantOf(event);
  if (at < from || at > to) return false;
  if (reason !== undefined && !hasReason(metadata.reason ?? null, reason)) return false;
  if (actors !== undefined && !(await isOneOf(actors, event, people))) return false;
  return roles === undefined || includesRole(roles, await people.roleOf(event));
}

const includesRole = (roles: readonly ActorRole[], role: ActorRole | null): boolean =>
  role !== null && roles.includes(role);

async function isOneOf(words: readonly string[], { metadata: { actor } }: RecordedEvent, actors: Actors) {
  if (actor.id !== null && words.includes(String(actor.id))) return true;
  const names = words.filter((word) => !/^\d+$/.test(word)).map(foldLetters);
  return names.length > 0 && names.includes(foldLetters(await actors.nameOf(actor)));
}

/** Whether more is needed than `matchesRecord`: what the reader is shown of the change. */
export const needsContent = ({ fields, reason }: ChangeFilter): boolean => fields !== undefined || reason !== undefined;

/** Checks what a reader is shown of a change: what has been erased is not found either. */
export const matchesShown = (
  { fields, reason }: ChangeFilter,
  change: { readonly reason: string | null; readonly fields: readonly string[] },
): boolean =>
  (reason === undefined || hasReason(change.reason, reason)) &&
  (fields === undefined || fields.some((field) => change.fields.includes(field)));

const hasReason = (reason: string | null, text: string): boolean =>
  reason !== null && foldLetters(reason).includes(foldLetters(text));
