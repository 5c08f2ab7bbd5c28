// `daybook audit keys`: shows and makes the keys that sign audit trails.

import { command, type GivenTo, synopsis } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { say } from '../../../cli/terminal.ts';
import { JSON_FLAG } from '../../../cli/values.ts';
import { instantOf } from '../../../cli/with-log.ts';
import { readConfig } from '../../../config.ts';
import { type AuditKey, auditKeysFile, openAuditKeys, rotateAuditKeys } from '../../../kernel/files/audit-keys.ts';

interface KeysDependencies {
  readonly dataDir: string;
  readonly out: (line: string) => void;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

const SPEC = synopsis({
  name: 'audit keys',
  summary: 'show the public keys of audit trails, and make the first one',
  description: [
    'The private key signs what `daybook audit export` writes. It stays in audit-keys.json in DAYBOOK_DATA_DIR, which only its owner can read; include that file in backups. Give the public key to those who are to check trails.',
  ],
  arguments: {},
  options: {
    new: { description: 'make a new key; the previous one no longer signs, but still verifies what it has signed' },
    json: JSON_FLAG,
  },
  examples: [
    ['daybook audit keys', 'shows the public keys'],
    ['daybook audit keys --new', 'replaces the signing key'],
  ],
});

export const auditKeys = command(SPEC, {
  perform: runKeys,
  run: (given) => runKeys(given, { dataDir: readConfig(process.env).dataDir, out: say, now: instantOf }),
});

async function runKeys(
  { new: isNew, json }: GivenTo<typeof SPEC>,
  { dataDir, out, now }: KeysDependencies,
): Promise<0> {
  const file = auditKeysFile(dataDir);
  const { present, retired } = keysOr(() => (isNew ? rotateAuditKeys(file, now()) : openAuditKeys(file, now())));
  const keys: readonly AuditKey[] = [present, ...[...retired].reverse()];
  if (json) {
    out(
      JSON.stringify(
        keys.map(({ id, created, retired: until, publicKey }) => ({
          id,
          created,
          retired: until,
          public_key: publicKey,
        })),
      ),
    );
    return 0;
  }
  for (const { id, created, retired: until, publicKey } of keys) {
    out(`${id}  ${until === null ? `signs since ${created}` : `signed from ${created} to ${until}`}`);
    out(publicKey.trimEnd());
  }
  return 0;
}

/** Problems of the file in one line. */
export function keysOr<Keys>(open: () => Keys): Keys {
  try {
    return open();
  } catch (error) {
    throw new UsageError(`audit: ${error instanceof Error ? error.message : String(error)}`, 1);
  }
}
