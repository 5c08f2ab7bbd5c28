// The history of one user: what happened to the account, who did it, when and why. Never includes hashes.

import { toWallClock, type Zone } from '../../../kernel/time/zone.ts';
import type { Sentences } from '../../../locales/language.ts';
import { ENGLISH } from '../../../locales/languages.ts';
import type { Json, RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../people/users/domain/user.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { sentenceFor, sentenceForUnknown } from './describe-change.ts';
import { type Change, changedFields, isObject } from './field-changes.ts';
import type { HistoryEntry } from './history.ts';
import { recordedAt } from './moments.ts';

export interface UserHistoryDependencies {
  readonly store: StreamReader;
  readonly siteZone: Zone;
  /** Default: English. */
  readonly sentences?: Sentences;
}

/** The history of a user, newest first; empty if there never was one with that id. */
export async function userHistory(
  { store, siteZone, sentences = ENGLISH.sentences }: UserHistoryDependencies,
  id: number,
): Promise<HistoryEntry[]> {
  const events = await store.readStream(`user-${id}`);
  const words: Sentences = { ...sentences, facts: { ...sentences.facts, ...sentences.users } };
  const actors = openActors(store);
  const entries: HistoryEntry[] = [];
  let before: UserAccount | null = null;
  for (const event of events) {
    const after = folded(before, event);
    const { actor } = event.metadata;
    const told = entryOf(words, siteZone, event, before, after);
    entries.push({ ...told, actor: { id: actor.id, name: await actors.nameOf(actor) } });
    before = after === 'unknown' ? before : after;
  }
  return entries.reverse();
}

/** A fact that this version cannot read is listed as such, and changes nothing for later ones. */
function folded(account: UserAccount | null, event: RecordedEvent): UserAccount | null | 'unknown' {
  try {
    // The log contains only what our deciders have decided, upcast to today's form.
    return evolveUser(account, { type: event.type, data: event.data } as UserFact, recordedAt(event).at);
  } catch {
    return 'unknown';
  }
}

function entryOf(
  words: Sentences,
  siteZone: Zone,
  event: RecordedEvent,
  before: UserAccount | null,
  after: UserAccount | null | 'unknown',
): Omit<HistoryEntry, 'actor'> {
  const { instant, reason, correlationId } = event.metadata;
  const isUnknown = after === 'unknown';
  const shownBefore = before && fieldsOf(before);
  const shownAfter = isUnknown || after === null ? (shownBefore ?? {}) : fieldsOf(after);
  return {
    revision: event.revision,
    instant,
    date: toWallClock(recordedAt(event).at, siteZone),
    reason: reason ?? null,
    type: event.type,
    summary: isUnknown
      ? sentenceForUnknown(words, event.type)
      : sentenceFor(words, event, shownBefore, { ...shownAfter, ...credentialIn(event, before) }),
    changes: isUnknown ? [] : changesBetween(shownBefore, shownAfter),
    correlation_id: correlationId,
  };
}

const fieldsOf = ({ login, name, email, role, credentials }: UserAccount): Fields => ({
  login,
  name,
  email,
  role,
  credentials: credentials.map(({ id, label }) => ({ id, label })),
});

const changesBetween = (before: Fields | null, after: Fields): Change[] =>
  changedFields(before, after).map((field) => ({
    field,
    before: before?.[field] ?? null,
    after: after[field] ?? null,
  }));

/** Number and purpose of the credential of a fact. */
function credentialIn({ data }: RecordedEvent, account: UserAccount | null): Fields {
  if (!isObject(data)) return {};
  const { credential, credentialId } = data;
  if (isObject(credential)) return named(credential.id, credential.label);
  if (credentialId === undefined) return {};
  return named(credentialId, account?.credentials.find(({ id }) => id === credentialId)?.label);
}

const named = (id: Json | undefined, label: Json | undefined): Fields => ({
  credential: id ?? null,
  label: label ?? null,
});
