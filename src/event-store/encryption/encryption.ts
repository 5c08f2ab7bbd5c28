// One value of an event, encrypted: AES-256-GCM under the key of its subject. The form, for
// other tools:
//
//   {"$sealed": "v1:" + base64url( nonce (12 bytes) + ciphertext + tag (16 bytes) )}
//
//   plaintext  the text in UTF-8
//   additional authenticated data  the JSON text of [stream, type, field, event id], so that no value can be moved to
//              another place
//   nonce      the first 12 bytes of HMAC-SHA-256(HMAC-SHA-256(key, "daybook nonce"), additional data + "\n" + text)
//
// The nonce is made from what it is for, not drawn: an append may be repeated when it is unknown whether it arrived, and
// must then be the same to the byte, or the chain of hashes would go on from a hash that was never stored. Two different
// values get the same nonce no sooner than two drawn ones would.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Json } from '../envelope.ts';
import { isObject } from './personal-fields.ts';

/** A value as it lies in the log. */
export interface EncryptedValue {
  readonly $sealed: string;
  readonly [other: string]: Json;
}

/** Where a value lies. `id` of the event. */
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

/** The same value at the same place under the same key is encrypted the same. */
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

/** Null when it is not what was encrypted at this place under this key. */
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

/** Stores give ids back in lower case, however they were written. */
const contextOf = ({ stream, type, field, id }: ValuePlace): string =>
  JSON.stringify([stream, type, field, id.toLowerCase()]);
