// The log's audit trail of a span of time, signed: for the command line, and for browsers.

import type { TimeRange } from '../../../kernel/time/time-range.ts';
import type { EpochSeconds } from '../../../kernel/time/zone.ts';
import type { EventStore } from '../../../log/event-store.ts';
import {
  type AuditLayout,
  type AuditRow,
  type AuditSigner,
  type Lines,
  writeAuditTrail,
} from '../export/audit-trail.ts';
import { type AuditDependencies, type AuditEntry, auditEntries } from '../queries/audit-entries.ts';

interface TrailRequest {
  readonly layout: AuditLayout;
  readonly range: TimeRange;
  readonly signer: AuditSigner;
  readonly now: EpochSeconds;
  /** The version of this Daybook. */
  readonly version: string;
  /** Gets the number of events read so far; what it throws ends the trail. */
  readonly onRead: (events: number) => void;
}

/** Up to the present end of the log; `beside` gets header and trailer of a table. Returns the number of changes. */
export async function writeSignedTrail(
  dependencies: AuditDependencies & { readonly store: Pick<EventStore, 'head'> },
  { layout, range, signer, now, version, onRead }: TrailRequest,
  sink: Lines,
  beside: Lines | null,
): Promise<number> {
  const head = await dependencies.store.head();
  const header = { layout, daybook: version, exported: isoOf(now), ...limitsOf(range), head };
  const rows = rowsOf(auditEntries(dependencies, range, head, onRead));
  return writeAuditTrail({ header, rows, signer }, sink, beside);
}

const isoOf = (at: EpochSeconds): string => new Date(at * 1000).toISOString();

const limitsOf = ({ from, to }: TimeRange) => ({
  from: from === undefined ? null : isoOf(from),
  to: to === undefined ? null : isoOf(to),
});

async function* rowsOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<AuditRow> {
  for await (const { event, kind, id, role, ...entry } of entries)
    yield {
      position: event.position,
      stream: event.stream,
      revision: event.revision,
      event_id: event.id,
      instant: entry.instant,
      kind,
      id,
      type: entry.type,
      summary: entry.summary,
      actor_id: entry.actor.id,
      actor: entry.actor.name,
      role,
      reason: entry.reason,
      request: entry.correlation_id,
      proposal: entry.proposal?.id ?? null,
      fields: entry.changes.map(({ field }) => field),
      hash: event.metadata.hash ?? null,
      changes: entry.changes.map(({ field, before, after }) => ({ field, before, after })),
    };
}
