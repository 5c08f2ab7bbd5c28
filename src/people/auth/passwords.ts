// Secrets: generating, hashing and comparing them.
import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Without characters that are easily confused (0 and O, 1 and l and I). */
const ALPHABET = '23456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const SECRET_LENGTH = 24;
const TOKEN = /^([1-9]\d{0,14})-([1-9]\d{0,8})-([A-Za-z0-9]{24})$/;

/** log2 of the cost, block size, parallelism: 16 MiB and some 50 ms of one core each time. */
const TODAY = { ln: 14, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]{43})$/;
/** A stored text with a higher cost is not ours: 128 MiB. */
const MAX_LN = 17;

export interface Token {
  readonly user: number;
  /** Number of the credential among those of its user. */
  readonly credential: number;
  /** The only part that is secret. */
  readonly secret: string;
}

/** 24 characters, some 139 bits, from the system's random source. */
export const newSecret = (): string =>
  Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/**
 * A token as shown to users, such as `7-2-` and 24 characters: user 7, credential 2. The numbers are not secret; they
 * make one form serve Basic, which sends a login too, and Bearer, where the token names its user.
 */
export const tokenText = ({ user, credential, secret }: Token): string => `${user}-${credential}-${secret}`;

/** Parses a token; blanks in it, left over from grouping, are ignored. Null: not of our form. */
export function parseToken(presented: string): Token | null {
  const [, user, credential, secret] = TOKEN.exec(presented.replace(/\s+/g, '')) ?? [];
  if (user === undefined || credential === undefined || secret === undefined) return null;
  return { user: Number(user), credential: Number(credential), secret };
}

/**
 * Salted hash of a secret or password, as text that also records its parameters, so that the cost can be raised later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return storedText(salt, await derive(password, salt, TODAY));
}

/** Whether a password matches a stored hash. A text that `hashPassword` did not make never matches. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, ln = '', r = '', p = '', salt = '', hash = ''] = STORED.exec(stored) ?? [];
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (hash === '' || cost.ln < 1 || cost.ln > MAX_LN || cost.r < 1 || cost.p < 1) return false;
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
}

/** A hash of today's cost that matches no password: comparing with it takes as long as comparing with a real one. */
export const unmatchableHash = (): string => storedText(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

interface Cost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

function storedText(salt: Buffer, hash: Buffer): string {
  const { ln, r, p } = TODAY;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  // Twice what the derivation needs; without it the library refuses costs above its default.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * r * (N + p) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
