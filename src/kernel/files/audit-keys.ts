// The keys that sign exported audit trails: Ed25519, in a file for its owner alone. Only the newest one signs; earlier
// ones stay as public keys, so that what they have signed can still be checked.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePrivateFolder } from './private-files.ts';

export interface AuditKey {
  /** `ed25519:…`, from the public key. */
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly created: string;
  /** When another one took its place; null for the present one. */
  readonly retired: string | null;
  /** PEM. */
  readonly publicKey: string;
}

/** The present key, which signs. */
interface SigningKey extends AuditKey {
  readonly retired: null;
  /** PEM. */
  readonly privateKey: string;
}

interface AuditKeys {
  readonly present: SigningKey;
  /** The oldest first. */
  readonly retired: readonly AuditKey[];
}

const VERSION = 1;
const FILE_MODE = 0o600;

export const AUDIT_KEYS = 'audit-keys.json';

export const auditKeysFile = (dataDir: string): string => path.join(dataDir, AUDIT_KEYS);

/** The name of a public key: the same on every machine. */
export const keyIdOf = (key: KeyObject): string =>
  `ed25519:${createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')}`;

/** The keys of a file, made with its first one if it is missing. Throws if it is damaged or cannot be written. */
export function openAuditKeys(file: string, now: string): AuditKeys {
  const existing = readKeys(file);
  if (existing) return existing;
  makePrivateFolder(path.dirname(file));
  try {
    write(file, { present: makeKey(now), retired: [] }, 'wx');
  } catch (error) {
    // Another process may have made it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const keys = readKeys(file);
  if (!keys) throw new Error(`${file} has disappeared`);
  return keys;
}

/** Makes a new key. The private part of the one before is gone afterwards. */
export function rotateAuditKeys(file: string, now: string): AuditKeys {
  const { present, retired } = openAuditKeys(file, now);
  const { privateKey: _, ...former } = present;
  const rotated: AuditKeys = { present: makeKey(now), retired: [...retired, { ...former, retired: now }] };
  const part = `${file}.part-${randomUUID().slice(0, 8)}`;
  try {
    write(part, rotated, 'wx');
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  return rotated;
}

/** Copies the keys where there are none: for backups, and what is made of them. */
export function copyAuditKeys(from: string, to: string): 'copied' | 'none' | 'others are there' {
  if (!existsSync(from)) return 'none';
  if (existsSync(to)) return 'others are there';
  makePrivateFolder(path.dirname(to));
  writeFileSync(to, readFileSync(from), { mode: FILE_MODE, flag: 'wx', flush: true });
  return 'copied';
}

function makeKey(now: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    id: keyIdOf(publicKey),
    created: now,
    retired: null,
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const write = (file: string, keys: AuditKeys, flag: 'wx'): void =>
  writeFileSync(file, `${JSON.stringify({ version: VERSION, ...keys }, null, 2)}\n`, {
    mode: FILE_MODE,
    flag,
    flush: true,
  });

/** Null if there is no such file. */
function readKeys(file: string): AuditKeys | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    // Checked below as far as it is used.
    const { version, ...keys } = JSON.parse(text) as AuditKeys & { readonly version: number };
    const isWhole = version === VERSION && Array.isArray(keys.retired) && typeof keys.present.privateKey === 'string';
    if (isWhole && keyIdOf(createPublicKey(keys.present.privateKey)) === keys.present.id) return keys;
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is damaged or of another version: restore it from a backup, or move it away for new keys.`);
}
