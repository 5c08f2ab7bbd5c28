// The history of one user: what happened to the account, who did it, when and why. Never includes hashes.

import type { Zone } from '../../../kernel/time/zone.ts';
import type { Sentences } from '../../../locales/language.ts';
import { ENGLISH } from '../../../locales/languages.ts';
import { factOf, type Json, type RecordedEvent } from '../../../log/envelope.ts';
import type { StreamReader } from '../../../log/event-store.ts';
import { evolveUser, type UserAccount, type UserFact } from '../../../people/users/domain/user.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { sentenceFor, sentenceForUnknown } from './describe-change.ts';
import { changedFields, changesOf, isObject } from './field-changes.ts';
import { frameOf, type HistoryEntry } from './history.ts';
import { recordedAt } from './moments.ts';

interface UserHistoryDependencies {
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
    const { actor, ...frame } = await frameOf(event, { siteZone }, actors);
    entries.push({ ...frame, ...contentOf(words, event, before, after), actor });
    before = after === 'unknown' ? before : after;
  }
  return entries.reverse();
}

/** A fact that this version cannot read is listed as such, and changes nothing for later ones. */
function folded(account: UserAccount | null, event: RecordedEvent): UserAccount | null | 'unknown' {
  try {
    return evolveUser(account, factOf<UserFact>(event), recordedAt(event).at);
  } catch {
    return 'unknown';
  }
}

function contentOf(
  words: Sentences,
  event: RecordedEvent,
  before: UserAccount | null,
  after: UserAccount | null | 'unknown',
): Omit<HistoryEntry, 'revision' | 'instant' | 'date' | 'actor'> {
  const { reason, correlationId } = event.metadata;
  const isUnknown = after === 'unknown';
  const former = before && fieldsOf(before);
  const present = isUnknown || after === null ? (former ?? {}) : fieldsOf(after);
  return {
    reason: reason ?? null,
    type: event.type,
    summary: isUnknown
      ? sentenceForUnknown(words, event.type)
      : sentenceFor(words, event, former, { ...present, ...credentialIn(event, before) }),
    changes: isUnknown ? [] : changesOf(changedFields(former, present), former, present),
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
