// Finding resources by name on the write side: one registry stream per kind and name. A name may have several owners.
import { createHash } from 'node:crypto';
import type { EventMetadata, NewEvent, RecordedEvent } from '../../event-store/envelope.ts';
import type { EventStore, ExpectedRevision, StreamAppend } from '../../event-store/event-store.ts';
import { currentSchemaVersion } from '../../event-store/upcasting/upcasters.ts';

/** 128 bits of the digest: two names that meet by chance are not to be expected, and would be told apart all the same. */
const DIGEST_LENGTH = 32;

export interface NameOwners {
  readonly kind: string;
  readonly name: string;
  /** Streams of the resources of this name (`venue-45`), in the order in which they took it. */
  readonly owners: readonly string[];
  /** At which the registry was read: an append at it loses against anybody who took or released the name since. */
  readonly expected: ExpectedRevision;
}

export interface NameChange {
  readonly owner: string;
  readonly metadata: EventMetadata;
  readonly newEventId: () => string;
}

/**
 * Who bears a name, letter case aside (names are compared in lower case and Unicode normal form C, otherwise exactly).
 * Where appends to several streams are not one transaction, an owner may stand here whose own stream was never written:
 * who uses an owner loads it, and passes over one that is not there.
 */
export async function ownersOf(store: Pick<EventStore, 'readStream'>, kind: string, name: string): Promise<NameOwners> {
  const events = await store.readStream(nameStream(kind, name));
  const owners = new Set<string>();
  for (const event of events) {
    const { owner, name: registered } = factOf(event);
    if (event.type === 'NameReleased') owners.delete(owner);
    else if (folded(registered) === folded(name)) owners.add(owner);
  }
  return { kind, name, owners: [...owners], expected: events.at(-1)?.revision ?? 'no_stream' };
}

/** Enters an owner; null when it is entered already. The append belongs before the resource's own in the same batch. */
export function takeName(found: NameOwners, change: NameChange): StreamAppend | null {
  if (found.owners.includes(change.owner)) return null;
  return appendTo(found, 'NameTaken', { owner: change.owner, name: found.name }, change);
}

/** Strikes an owner out; null when it is not entered. The append belongs after the resource's own in the same batch. */
export function releaseName(found: NameOwners, change: NameChange): StreamAppend | null {
  if (!found.owners.includes(change.owner)) return null;
  return appendTo(found, 'NameReleased', { owner: change.owner }, change);
}

function appendTo(found: NameOwners, type: string, data: NewEvent['data'], change: NameChange): StreamAppend {
  const { metadata, newEventId } = change;
  const event = { id: newEventId(), type, schemaVersion: currentSchemaVersion(type), data, metadata };
  return { stream: nameStream(found.kind, found.name), expected: found.expected, events: [event] };
}

// A digest, because a name may be longer than a stream's name should be and hold any character.
function nameStream(kind: string, name: string): string {
  const digest = createHash('sha256').update(folded(name)).digest('hex').slice(0, DIGEST_LENGTH);
  return `name-${kind}-${digest}`;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function factOf({ data }: RecordedEvent): { owner: string; name: string } {
  // Only this file writes to these streams.
  const { owner, name = '' } = data as { owner: string; name?: string };
  return { owner, name };
}
