// Events and stores for tests that do not care what exactly is in them.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../../src/commands/context.ts';
import type { EventMetadata, Json, NewEvent } from '../../src/log/envelope.ts';

export function metadataAt(instant: string): EventMetadata {
  return { actor: { id: 1, name: 'Ada' }, instant, correlationId: 'request-1', causationId: 'request-1' };
}

export const someMetadata = metadataAt('2026-03-01T10:00:00Z');

/** Of a command that no user gives, at a time in seconds. */
export const contextAt = (now: number): CommandContext => ({
  caller: null,
  actor: { id: null, name: 'test' },
  now,
  correlationId: 'request-1',
});

export const someContext = contextAt(Date.parse(someMetadata.instant) / 1000);

export function newEvent(type = 'SomethingHappened', data: Json = {}): NewEvent {
  return { id: randomUUID(), type, schemaVersion: 1, data, metadata: someMetadata };
}

export function newEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent('SomethingHappened', { index }));
}

/** A directory of its own for a test, and how to be rid of it. */
export async function temporaryDirectory(): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
