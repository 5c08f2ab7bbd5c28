// Encrypts personal data on its way into the log and decrypts it on the way out. It is outside the hash chain, which covers
// what is stored and so stays valid when a key is destroyed.
// decision 6: nonces are derived, because an append may be repeated.

import { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { askedOnce } from '../../../kernel/event-loop/shared-work.ts';
import type { Actor, EventMetadata, Json, NewEvent, RecordedEvent } from '../../../log/envelope.ts';
import type { StreamAppend, StreamReader } from '../../../log/event-store.ts';
import type { StageMaker } from '../../../log/pipeline.ts';
import { todaysShape, upcasters } from '../../../log/upcasting/upcast.ts';
import { ERASED, erasedSlug, isErasedSlug, isUnreadableValue, unreadableValue } from '../domain/erasure.ts';
import { type KeyRing, openUnreadable, type Unreadable } from './key-ring.ts';
import { ERASING, isObject, type Personal, personalIn, valuesOf, withFields } from './personal-fields.ts';
import type { KeyState, Subject } from './subject-keys.ts';

/** An event with personal data, among others. */
interface PersonalEvent {
  readonly index: number;
  readonly personal: readonly Personal[];
}

const NO_SUBJECTS: ReadonlySet<Subject> = new Set();

/**
 * Encrypts what is written. Personal data is read as `[erased]` if the subject's key was destroyed or the stream contains
 * the erasure, also if it was recorded before encryption. The name of an actor with an id is not stored: it is derived from
 * the id. Reservation streams are named as they are asked for; reads of the whole log tell the names under which they are
 * stored.
 *
 * An append that would store personal data of a subject whose key is destroyed is a conflict: it was decided before
 * that. Data that no key decrypts, although none was destroyed, is read as `[unreadable]` and reported to
 * `unreadable`. Rejections: `KeysReplaced` for every append while the keys are not the original ones.
 */
export const personalData = (keys: KeyRing, unreadable: Unreadable = openUnreadable()): StageMaker => {
  const open = (events: readonly RecordedEvent[]) => openPersonal(events, keys, unreadable);
  return (log) => ({
    nameOf: openRegisterNames(log, keys),
    async prepare(batch) {
      const subjects = new Set<Subject>();
      for (const { stream, events } of batch.flat()) {
        for (const event of events) {
          for (const personal of personalIn({ ...event, stream }))
            if (hasPersonalValue(event, personal)) subjects.add(personal.subject);
        }
      }
      if (subjects.size === 0) await keys.assertInPlace();
      const states = subjects.size === 0 ? new Map<Subject, KeyState>() : await keys.make([...subjects]);
      // Several units may carry the same events: a reservation that they share.
      const done = new Map<StreamAppend['events'], StreamAppend>();
      return () => (append) => {
        const before = done.get(append.events);
        if (before?.stream === append.stream) return { ...append, events: before.events };
        const events = append.events.map((event) => encryptEvent(event, append.stream, states));
        if (events.includes(null)) return null;
        const encrypted = { ...append, events: events.filter((event) => event !== null) };
        done.set(append.events, encrypted);
        return encrypted;
      };
    },
    ofStream: open,
    ofLog: open,
    close: () => keys.close(),
  });
};

/** What readers need: decrypted, and in today's shape. */
export const legible = (keys: KeyRing, unreadable?: Unreadable): readonly StageMaker[] => [
  personalData(keys, unreadable),
  todaysShape(upcasters),
];

/**
 * Decrypts what can be decrypted; the rest is masked and reported to `unreadable`. Events without personal data stay
 * the same objects.
 */
export function openPersonal<Events extends readonly RecordedEvent[]>(
  events: Events,
  keys: Pick<KeyRing, 'look'>,
  unreadable: Unreadable,
): Events | Promise<RecordedEvent[]> {
  const personalEvents: PersonalEvent[] = [];
  let erased = NO_SUBJECTS;
  for (const [index, event] of events.entries()) {
    if (ERASING.has(event.type)) erased = new Set([...erased, event.stream]);
    const personal = personalIn(event);
    if (personal.length > 0) personalEvents.push({ index, personal });
  }
  return personalEvents.length === 0 ? events : opened(events, personalEvents, erased, keys, unreadable);
}

async function opened(
  events: readonly RecordedEvent[],
  personalEvents: readonly PersonalEvent[],
  erased: ReadonlySet<Subject>,
  keys: Pick<KeyRing, 'look'>,
  unreadable: Unreadable,
): Promise<RecordedEvent[]> {
  const subjects = { encrypted: new Set<Subject>(), others: new Set<Subject>() };
  for (const { index, personal } of personalEvents) {
    for (const { subject, fields } of personal) {
      const isAnyEncrypted = valuesOf(events[index]?.data ?? null, fields).some(isEncrypted);
      subjects[isAnyEncrypted ? 'encrypted' : 'others'].add(subject);
    }
  }
  const keyOf = await keys.look(subjects.encrypted, subjects.others);
  const all = [...events];
  for (const { index, personal } of personalEvents) {
    const stateOf = (subject: Subject): KeyState | undefined => (erased.has(subject) ? 'destroyed' : keyOf(subject));
    const event = events[index];
    if (event) all[index] = openEvent(event, personal, stateOf, unreadable);
  }
  return all;
}

const isFilledText = (value: Json): value is string => typeof value === 'string' && value !== '';

/** Without the name of a user: one object for all events of a request. */
const withoutName = askedOnce(
  (metadata: EventMetadata): EventMetadata =>
    isUser(metadata.actor) ? { ...metadata, actor: { ...metadata.actor, name: '' } } : metadata,
  new WeakMap(),
);

/** Null if it would store personal data of an erased subject. */
function encryptEvent(event: NewEvent, stream: string, states: ReadonlyMap<Subject, KeyState>): NewEvent | null {
  const metadata = withoutName(event.metadata);
  let encrypted: NewEvent | null = metadata === event.metadata ? event : { ...event, metadata };
  for (const personal of personalIn({ ...event, stream })) {
    const key = states.get(personal.subject);
    if (key !== undefined) encrypted = encrypted && encryptFields(encrypted, stream, personal, key);
  }
  return encrypted;
}

function encryptFields(event: NewEvent, stream: string, { subject, fields }: Personal, key: KeyState): NewEvent | null {
  let exposesErased = false;
  const data = withFields(event.data, fields, (value, field) => {
    const place = { stream, type: event.type, field, id: event.id };
    // Of another subject as well, whose key has encrypted it already.
    if (isEncrypted(value)) return key === 'destroyed' ? value : encryptText(key, place, value.$sealed);
    if (!isFilledText(value) || isMask(subject, field, value)) return value;
    if (key !== 'destroyed') return encryptText(key, place, value);
    if (value !== maskOf(subject, field, value)) exposesErased = true;
    return value;
  });
  return exposesErased ? null : { ...event, data };
}

/** A user who can sign in and whose stream has the name. Programs have no id, or 0. */
const isUser = ({ id }: Actor): boolean => id !== null && id > 0;

/** From the outermost layer inwards. */
function openEvent(
  event: RecordedEvent,
  personal: readonly Personal[],
  stateOf: (subject: Subject) => KeyState | undefined,
  unreadable: Unreadable,
): RecordedEvent {
  return personal.reduceRight((opened, layer, index) => {
    const inner = new Set(personal.slice(0, index).flatMap(({ fields }) => fields));
    return openFields(opened, layer, { state: stateOf(layer.subject), inner, unreadable });
  }, event);
}

interface Opening {
  readonly state: KeyState | undefined;
  /** Fields that another subject's key has encrypted before. */
  readonly inner: ReadonlySet<string>;
  readonly unreadable: Unreadable;
}

function openFields(
  event: RecordedEvent,
  { subject, fields }: Personal,
  { state, inner, unreadable }: Opening,
): RecordedEvent {
  const data = withFields(event.data, fields, (value, field) => {
    if (state === 'destroyed') unreadable.opened(subject, event);
    if (state === 'destroyed') return isEncrypted(value) || isFilledText(value) ? maskOf(subject, field, value) : value;
    if (!isEncrypted(value)) return value;
    const { stream, type, id } = event;
    const text = state && decryptText(state, { stream, type, field, id }, value);
    if (typeof text === 'string') {
      unreadable.opened(subject, event);
      return inner.has(field) ? { $sealed: text } : text;
    }
    unreadable.note(subject, state === undefined ? 'missing' : 'other', event);
    return unreadableValue(field, idOf(subject));
  });
  return { ...event, data };
}

/** The placeholder for an erased value. A slug that reveals no name stays. */
function maskOf(subject: Subject, field: string, value: Json): string {
  if (field !== 'slug') return ERASED;
  const id = idOf(subject);
  return typeof value === 'string' && isErasedSlug(value, id) ? value : erasedSlug(id);
}

const idOf = (subject: Subject): number => Number(subject.slice(subject.lastIndexOf('-') + 1));

/** The placeholder of an unreadable value that is sent back: there is nothing to encrypt. */
const isMask = (subject: Subject, field: string, value: string): boolean =>
  isUnreadableValue(field, idOf(subject), value);

const hasPersonalValue = (event: NewEvent, { subject, fields }: Personal): boolean => {
  let isAny = false;
  withFields(event.data, fields, (value, field) => {
    if (isFilledText(value) && !isMask(subject, field, value)) isAny = true;
    return value;
  });
  return isAny;
};

// Names of reservation streams that contain personal data: a login, an e-mail address, the slug of an organizer. In the
// log such a stream is named by a keyed digest, which finds it and reveals nothing.

const REGISTERS = ['slug-user-', 'slug-organizer-', 'name-organizer-'] as const;
/** No login, e-mail address or slug looks like this: logins have at most 60 characters, the others never begin so. */
const STORED = /^~[0-9a-f]{64}$/;
/** Names whose stored name is cached; others are looked up again. */
const MAX_CACHED = 50_000;

/**
 * The names of streams in the log. Reservation streams that were started under plain names continue under them: a stream cannot be renamed. Whether
 * there is one is checked once.
 */
function openRegisterNames(log: StreamReader, keys: Pick<KeyRing, 'pepper'>) {
  // Not `max`: that allocates room for all of them at once, in every process that starts.
  const cache = new LRUCache<string, string>({ maxSize: MAX_CACHED, sizeCalculation: () => 1 });

  async function place(stream: string, register: string): Promise<string> {
    const [plain] = await log.readStream(stream, { limit: 1 });
    if (plain) return stream;
    const digest = createHmac('sha256', createSecretKey(await keys.pepper()))
      .update(stream)
      .digest('hex');
    return `${register}~${digest}`;
  }

  async function placed(stream: string, register: string): Promise<string> {
    const name = await place(stream, register);
    cache.set(stream, name);
    return name;
  }

  return (stream: string): string | Promise<string> => {
    const register = registerOf(stream);
    if (register === undefined || STORED.test(stream.slice(register.length))) return stream;
    return cache.get(stream) ?? placed(stream, register);
  };
}

/** Most streams reserve no personal data; their first letter shows it. */
function registerOf(stream: string): string | undefined {
  if (stream[0] !== 's' && stream[0] !== 'n') return undefined;
  return REGISTERS.find((register) => stream.startsWith(register));
}

// One encrypted value of an event: AES-256-GCM under the key of its subject. The format, for other tools:
//
//   {"$sealed": "v1:" + base64url( nonce (12 bytes) + ciphertext + tag (16 bytes) )}
//
//   plaintext  the text in UTF-8
//   additional authenticated data  the JSON text of [stream, type, field, event id], so that no value can be moved
//   nonce      the first 12 bytes of HMAC-SHA-256(HMAC-SHA-256(key, "daybook nonce"), additional data + "\n" + text)
//
// Keys are handed over as objects: of bytes, Node finds out by two exceptions that they are none, which takes three quarters of
// the time.
//
// The nonce is derived, not random: an append with unknown outcome is repeated and must then be the same to the byte,
// or the hash chain would continue from a hash that was never stored. Two different values get the same nonce no sooner
// than two random ones would.

/** A value as stored in the log. */
interface EncryptedValue {
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
  const secret = createSecretKey(key);
  const ofNonces = createHmac('sha256', secret).update('daybook nonce').digest();
  const nonce = createHmac('sha256', createSecretKey(ofNonces))
    .update(`${context}\n${text}`)
    .digest()
    .subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { $sealed: VERSION + encrypted.toString('base64url') };
}

/** Null if it was not encrypted at this place under this key. */
export function decryptText(key: Uint8Array, place: ValuePlace, { $sealed }: EncryptedValue): string | null {
  const bytes = Buffer.from($sealed.slice(VERSION.length), 'base64url');
  if (!$sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const cipher = createDecipheriv(CIPHER, createSecretKey(key), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
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
