// `daybook audit keys`: shows and makes the keys that sign audit trails.

import { command, type Output } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/errors.ts';
import { say } from '../../../cli/terminal.ts';
import { JSON_FLAG } from '../../../cli/values.ts';
import { instantOf } from '../../../cli/with-log.ts';
import { readConfig } from '../../../config.ts';
import { type AuditKey, auditKeysFile, openAuditKeys, rotateAuditKeys } from '../../../kernel/files/audit-keys.ts';
import { errorText } from '../../../kernel/text/error-text.ts';

interface KeysDependencies extends Output {
  readonly dataDir: string;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

export const auditKeys = command(
  {
    name: 'audit keys',
    summary: 'show the public keys of audit trails, and make the first one',
    description: [
      'The private key signs what `daybook audit export` writes. It stays in audit-keys.json in DAYBOOK_DATA_DIR, which only its owner can read; include that file in backups. Give the public key to those who are to check trails.',
    ],
    options: {
      new: { description: 'make a new key; the previous one no longer signs, but still verifies what it has signed' },
      json: JSON_FLAG,
    },
    examples: [
      ['daybook audit keys', 'shows the public keys'],
      ['daybook audit keys --new', 'replaces the signing key'],
    ],
  },
  async ({ new: isNew }, { dataDir, now }: KeysDependencies) => {
    const file = auditKeysFile(dataDir);
    const { present, retired } = keysOr(() => (isNew ? rotateAuditKeys(file, now()) : openAuditKeys(file, now())));
    const keys: readonly AuditKey[] = [present, ...[...retired].reverse()];
    return {
      json: keys.map(({ id, created, retired: until, publicKey }) => ({
        id,
        created,
        retired: until,
        public_key: publicKey,
      })),
      lines: keys.flatMap(({ id, created, retired: until, publicKey }) => [
        `${id}  ${until === null ? `signs since ${created}` : `signed from ${created} to ${until}`}`,
        publicKey.trimEnd(),
      ]),
    };
  },
  (work) => work({ dataDir: readConfig(process.env).dataDir, out: say, now: instantOf }),
);

/** Problems of the file in one line. */
export function keysOr<Keys>(open: () => Keys): Keys {
  try {
    return open();
  } catch (error) {
    throw new UsageError(errorText(error), 1);
  }
}
