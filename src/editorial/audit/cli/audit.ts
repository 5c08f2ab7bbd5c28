// `daybook audit`: writes who did what into a signed file, checks such files, and shows the keys.

import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { command, type Group, type Output } from '../../../cli/command.ts';
import { ended, UsageError } from '../../../cli/errors.ts';
import { openProgress } from '../../../cli/rate-progress.ts';
import { interruption, printable, say, warn } from '../../../cli/terminal.ts';
import { JSON_FLAG, oneOf, TEXT } from '../../../cli/values.ts';
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
import { type AuditCheck, type AuditProblem, checkAuditTrail, type TrustedKey } from '../export/check-audit-trail.ts';
import { writeSignedTrail } from '../http/signed-trail.ts';
import type { AuditDependencies } from '../queries/audit-entries.ts';
import { auditKeys, keysOr } from './keys.ts';

// `daybook audit export`: who did what, with the hashes of the log, signed.

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

const exportAudit = command(
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
  async ({ out, format, ...dates }, dependencies: AuditExportDependencies) => {
    const { signer, stdout, progress, signal, now } = dependencies;
    const range = rangeIn(dates, dependencies);
    const key = signer();
    const tell = out === '-' ? dependencies.warn : dependencies.out;
    try {
      const sink = out === '-' ? openStreamSink(stdout) : await openFileSink(out);
      const signature = format === 'csv' ? await openFileSink(`${out}.sig`) : null;
      const onRead = (read: number): void => {
        throwIfAborted(signal);
        progress.reach(read);
      };
      const options = { layout: format, range, signer: key, now: now(), version: VERSION, onRead };
      const write = () => writeSignedTrail(dependencies, options, sink, signature);
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
  dates: { readonly from?: string | undefined; readonly to?: string | undefined },
  { now, siteZone }: AuditExportDependencies,
): TimeRange {
  const range = resolveRange(dates, { now: now(), zone: siteZone });
  if (typeof range === 'string')
    throw new UsageError(`--${range} must be ${DATE}, not ${JSON.stringify(dates[range])}.`);
  const { from, to } = range;
  if (from !== undefined && to !== undefined && from > to) throw new UsageError('--from must not be after --to.');
  return range;
}

// `daybook audit verify`: checks a signed audit trail, without the log it comes from.

/** Returns 1 if there are problems. */
const verifyAudit = command(
  {
    name: 'audit verify',
    summary: 'check a signed audit trail, without the log it comes from',
    description: [
      'Says which rows were altered, removed or moved, whether the trail was cut off, and who signed it. Without --key any signature that fits is accepted: pass the key that `daybook audit keys` shows where the trail was written. Exit code 1: problems were found.',
    ],
    arguments: { file: { label: 'FILE', description: 'what `daybook audit export` has written' } },
    options: {
      key: {
        value: 'KEY',
        description: 'the key that must have signed it: a file with the public key, or its name (ed25519:…)',
        type: TEXT,
        otherwise: 'the key in the trail',
      },
      signature: { value: 'FILE', description: 'signature of a table', type: TEXT, otherwise: 'FILE.sig' },
      json: JSON_FLAG,
    },
    examples: [
      ['daybook audit verify audit.jsonl --key daybook.pem', 'checks that this key signed exactly these rows'],
    ],
  },
  async ({ file, key, signature = `${file}.sig` }, _: Output) => {
    const trusted = key === undefined ? null : await trustedKey(key);
    try {
      const check = await checkAuditTrail(file, signature, trusted);
      const { problems } = check;
      const fits = problems.length === 0;
      return { json: { fits, ...check }, lines: linesOf(check, trusted).map(printable), code: fits ? 0 : 1 };
    } catch (error) {
      return ended(error, () => {}, `${file}: `);
    }
  },
  (work) => work({ out: say }),
);

async function trustedKey(key: string): Promise<TrustedKey> {
  if (key.startsWith('ed25519:')) return key;
  const wrong = (why: string) => new UsageError(`--key ${key}: ${why}.`);
  const pem = await readFile(key, 'utf8').catch(() => null);
  if (pem === null) throw wrong('there is no such file, and key names begin with ed25519:');
  try {
    const publicKey = createPublicKey(pem);
    if (publicKey.asymmetricKeyType === 'ed25519') return publicKey;
  } catch {
    // Reported below.
  }
  throw wrong('it is not an Ed25519 public key');
}

function linesOf({ rows, key, header, problems }: AuditCheck, trusted: TrustedKey | null): string[] {
  const range = header && `, from ${header.from ?? 'the beginning'} to ${header.to ?? header.exported}`;
  return [
    `${counted(rows, 'change')}${range ?? ''}`,
    ...problems.map((problem) => `PROBLEM: ${sentenceOf(problem)}`),
    ...(problems.length > 0 ? ['PROBLEMS FOUND.'] : [`No problems found. Signed with ${key}.`]),
    ...(problems.length === 0 && trusted === null
      ? ['Whose key that is was not checked: pass --key with the public key that you trust.']
      : []),
  ];
}

function sentenceOf(problem: AuditProblem): string {
  switch (problem.problem) {
    case 'altered row':
      return `row ${problem.row} was altered (line ${problem.line})`;
    case 'removed rows':
      return problem.row === problem.last
        ? `row ${problem.row} was removed (before line ${problem.line})`
        : `rows ${problem.row} to ${problem.last} were removed (before line ${problem.line})`;
    case 'wrong order':
      return `row ${problem.row} is in the wrong place (line ${problem.line})`;
    case 'repeated row':
      return `row ${problem.row} is repeated (line ${problem.line})`;
    case 'unreadable line':
      return `line ${problem.line} is not a row`;
    case 'altered header':
      return 'the header, with range and origin of the trail, was altered';
    case 'cut off':
      return `the trail is cut off after row ${problem.row}${problem.rows === null ? '' : ` of ${problem.rows}`}`;
    case 'added rows':
      return `rows ${problem.row} to ${problem.last} were added after the signed ones`;
    case 'no signature':
      return 'there is no signature';
    case 'other key':
      return `it was signed with another key: ${problem.found}, not ${problem.expected}`;
    case 'wrong signature':
      return 'the signature does not match: the trail was rewritten, or the signature altered';
  }
}

export const auditGroup: Group = {
  name: 'audit',
  subcommands: [exportAudit, verifyAudit, auditKeys],
};
