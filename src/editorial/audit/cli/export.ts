// `daybook audit export`: who did what, with the hashes of the log, signed.
import type { Writable } from 'node:stream';
import { command } from '../../../cli/command.ts';
import { ended, UsageError } from '../../../cli/errors.ts';
import { openProgress } from '../../../cli/rate-progress.ts';
import { interruption, warn } from '../../../cli/terminal.ts';
import { oneOf, TEXT } from '../../../cli/values.ts';
import { historyOf, instantOf, onLog, SURROUNDINGS, type Surroundings } from '../../../cli/with-log.ts';
import { committed, openFileSink, openStreamSink } from '../../../exchange/export/sink.ts';
import { throwIfAborted } from '../../../exchange/export/unusable.ts';
import type { Progress } from '../../../exchange/import/progress.ts';
import { auditKeysFile, openAuditKeys } from '../../../kernel/files/audit-keys.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { resolveRange, type TimeRange } from '../../../kernel/time/time-range.ts';
import type { EventStore } from '../../../log/event-store.ts';
import { VERSION } from '../../../version.ts';
import { AUDIT_LAYOUTS, type AuditSigner } from '../export/audit-trail.ts';
import { writeSignedTrail } from '../http/signed-trail.ts';
import type { AuditDependencies } from '../queries/audit-entries.ts';
import { keysOr } from './keys.ts';

interface AuditExportDependencies extends AuditDependencies, Pick<Surroundings, 'now' | 'out'> {
  readonly store: EventStore;
  readonly signer: () => AuditSigner;
  readonly stdout: Writable;
  /** Writes one line for people while standard output carries the trail. */
  readonly warn: (line: string) => void;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const DATE = 'a day such as 2030-05-31, or an instant';

export const exportAudit = command(
  {
    name: 'audit export',
    summary: 'write who changed what, when and why to a signed file',
    description: [
      'All changes of events, venues, organizers, categories, tags, proposals, sets, rules of review and users, in the order of the log, each with the hash that it has in the log. Erased personal data are not in it. JSON lines end with their signature; the signature of a table is beside it, in FILE.sig. `daybook audit verify` checks both without the log.',
    ],
    options: {
      out: { value: 'FILE', description: 'where to write; - is standard output', type: TEXT, default: '-' },
      from: {
        value: 'DATE',
        description: `only changes from here on: ${DATE}`,
        type: TEXT,
        otherwise: 'the beginning',
      },
      to: {
        value: 'DATE',
        description: 'only changes up to here, including the whole day',
        type: TEXT,
        otherwise: 'now',
      },
      format: { value: 'FORMAT', description: 'jsonl or csv', type: oneOf(AUDIT_LAYOUTS), default: 'jsonl' },
    },
    examples: [
      ['daybook audit export --from 2030-01-01 --to 2030-03-31 --out audit.jsonl', 'writes a quarter as JSON lines'],
      ['daybook audit export --format csv --out audit.csv', 'writes a table, and its signature to audit.csv.sig'],
    ],
    check: ({ format, out }) =>
      format === 'csv' && out === '-'
        ? '--format csv needs --out FILE: its signature is written beside it, to FILE.sig.'
        : null,
  },
  async ({ out, format, ...sent }, dependencies: AuditExportDependencies) => {
    const { signer, stdout, progress, signal, now } = dependencies;
    const range = rangeIn(sent, dependencies);
    const key = signer();
    const tell = out === '-' ? dependencies.warn : dependencies.out;
    try {
      const sink = out === '-' ? openStreamSink(stdout) : await openFileSink(out);
      const signature = format === 'csv' ? await openFileSink(`${out}.sig`) : null;
      const onRead = (read: number): void => {
        throwIfAborted(signal);
        progress.reach(read);
      };
      const asked = { layout: format, range, signer: key, now: now(), version: VERSION, onRead };
      const write = () => writeSignedTrail(dependencies, asked, sink, signature);
      progress.begin('Writing', 'events', null);
      const rows = await committed(sink, () => (signature ? committed(signature, write) : write()));
      progress.end();
      tell(`${counted(rows, 'change')}, signed with ${key.id}`);
      return 0;
    } catch (error) {
      progress.end();
      return ended(error, () => tell('Interrupted: there is no complete trail.'));
    }
  },
  onLog('read', (stores, config) => ({
    ...historyOf(stores, config),
    siteZone: config.siteZone,
    signer: () => keysOr(() => openAuditKeys(auditKeysFile(config.dataDir), instantOf()).present),
    stdout: process.stdout,
    warn,
    progress: openProgress(),
    signal: interruption(),
    now: SURROUNDINGS.now,
  })),
);

function rangeIn(
  sent: { readonly from?: string | undefined; readonly to?: string | undefined },
  { now, siteZone }: AuditExportDependencies,
): TimeRange {
  const range = resolveRange(sent, { now: now(), zone: siteZone });
  if (typeof range === 'string')
    throw new UsageError(`--${range} must be ${DATE}, not ${JSON.stringify(sent[range])}.`);
  const { from, to } = range;
  if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from must not be after --to.');
  return range;
}
