// `daybook audit verify`: checks a signed audit trail, without the log it comes from.
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { command, type Output } from '../../../cli/command.ts';
import { ended, UsageError } from '../../../cli/errors.ts';
import { printable, say } from '../../../cli/terminal.ts';
import { JSON_FLAG, TEXT } from '../../../cli/values.ts';
import { counted } from '../../../kernel/text/counted.ts';
import { type AuditCheck, type AuditProblem, checkAuditTrail, type TrustedKey } from '../export/check-audit-trail.ts';

/** Returns 1 if there are problems. */
export const verifyAudit = command(
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
    const found = createPublicKey(pem);
    if (found.asymmetricKeyType === 'ed25519') return found;
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
