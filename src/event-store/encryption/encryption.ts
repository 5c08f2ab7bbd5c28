// One encrypted value of an event: AES-256-GCM under the key of its subject. The format, for other tools:
//
//   {"$sealed": "v1:" + base64url( nonce (12 bytes) + ciphertext + tag (16 bytes) )}
//
//   plaintext  the text in UTF-8
//   additional authenticated data  the JSON text of [stream, type, field, event id], so that no value can be moved
//   nonce      the first 12 bytes of HMAC-SHA-256(HMAC-SHA-256(key, "daybook nonce"), additional data + "\n" + text)
//
// The nonce is derived, not random: an append with unknown outcome is repeated and must then be the same to the byte,
// or the hash chain would continue from a hash that was never stored. Two different values get the same nonce no sooner
// than two random ones would.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Json } from '../envelope.ts';
import { isObject } from './personal-fields.ts';

/** A value as stored in the log. */
export interface EncryptedValue {
  readonly $sealed: string;
  readonly [other: string]: Json;
}

/** The place of a value. `id` of the event. */
export interface ValuePlace {
  readonly stream: string;
  readonly type: string;
  readonly field: string;
  readonly id: string;
}

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const isEncrypted = (value: Json | undefined): value is EncryptedValue =>
  isObject(value) && typeof value.$sealed === 'string';

/** The same value at the same place under the same key has the same ciphertext. */
export function encryptText(key: Uint8Array, place: ValuePlace, text: string): EncryptedValue {
  const context = contextOf(place);
  const nonce = createHmac('sha256', createHmac('sha256', key).update('daybook nonce').digest())
    .update(`${context}\n${text}`)
    .digest()
    .subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { $sealed: VERSION + encrypted.toString('base64url') };
}

/** Null if it was not encrypted at this place under this key. */
export function decryptText(key: Uint8Array, place: ValuePlace, { $sealed }: EncryptedValue): string | null {
  const bytes = Buffer.from($sealed.slice(VERSION.length), 'base64url');
  if (!$sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(contextOf(place)))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + cipher.final('utf8');
  } catch {
    return null;
  }
}

/** Stores return ids in lower case, however they were written. */
const contextOf = ({ stream, type, field, id }: ValuePlace): string =>
  JSON.stringify([stream, type, field, id.toLowerCase()]);
