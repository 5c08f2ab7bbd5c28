// A part of a batch in the format of the script: what to store of each document, then everything for the same set,
// counter or token list, collected over all of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EventDocument, statusCode } from '../documents.ts';
import type { Batch, DocumentChange } from '../read-model.ts';
import { storedBody, storedRest } from './documents.ts';
import { attended, described, type Indexed, indexed, PERIOD } from './index-entries.ts';
import { documentName, type Keys } from './keys.ts';
import { CHUNK, searchedTokens, tokenChanges } from './token-changes.ts';
import type { TrackedCache } from './tracked-cache.ts';
import type { Writer } from './writer.ts';

/** Numbers below 2^16, two bytes each. */
function packed(numbers: readonly number[]): Buffer {
  const list = Buffer.allocUnsafe(2 * numbers.length);
  let at = 0;
  for (const number of numbers) at = list.writeUInt16BE(number, at);
  return list;
}

function add<Item>(lists: Map<string, Item[]>, name: string, ...items: Item[]): void {
  const list = lists.get(name);
  if (list) list.push(...items);
  else lists.set(name, items);
}

/** What a part adds to sets, by their names. */
function gathering() {
  const byFirst = new Map<string, number[]>();
  const bySecond = new Map<string, number[]>();
  const counters = new Map<string, number>();
  const pairs = new Map<string, string[]>();
  /** Offsets of events that start in a period, by set and name. */
  const periods = new Map<string, { readonly header: readonly string[]; readonly offsets: number[] }>();
  /** The last start of an event of a post, by letter and link. */
  const last = new Map<string, { readonly letter: string; readonly link: Buffer; start: number }>();

  return {
    document(number: number, { first, second, counters: counted, place, dated, names }: Indexed) {
      for (const set of first) add(byFirst, set, number);
      for (const set of second) add(bySecond, set, number);
      for (const counter of counted) counters.set(counter, (counters.get(counter) ?? 0) + 1);
      if (place) add(pairs, 'lat', String(place.lat), place.member);
      for (const set of dated?.sets ?? []) add(pairs, set, String(dated?.date), dated?.member ?? '');
      for (const entry of names) add(pairs, 'names', '0', entry);
    },
    attendance(event: EventDocument, start: number) {
      for (const [letter, link] of attended(event)) {
        const key = letter + link.toString('latin1');
        const found = last.get(key);
        if (found) found.start = Math.max(found.start, start);
        else last.set(key, { letter, link, start });
      }
    },
    period({ id, status, hidden, protected: guarded }: EventDocument, start: number) {
      if (hidden) return;
      const chunk = Math.floor(id / CHUNK);
      const period = Math.floor(start / PERIOD);
      const set = (guarded ? 'R' : 'r') + statusCode(status);
      const name = `${chunk}.${period}`;
      const key = `${set} ${name}`;
      const gathered = periods.get(key) ?? { header: [set, String(period), name], offsets: [] };
      gathered.offsets.push(id - chunk * CHUNK);
      periods.set(key, gathered);
    },
    write(payload: Payload) {
      for (const sets of [byFirst, bySecond]) {
        payload.number(sets.size);
        for (const [set, numbers] of sets) {
          payload.value(set);
          payload.value(packed(numbers));
        }
      }
      payload.number(pairs.size);
      for (const [key, values] of pairs) {
        payload.value(key);
        payload.number(values.length);
        for (const value of values) payload.value(value);
      }
      payload.number(last.size);
      for (const { letter, link, start } of last.values()) {
        payload.value(letter);
        payload.value(String(start));
        payload.value(link);
      }
      payload.number(counters.size);
      for (const [counter, by] of counters) {
        payload.value(counter);
        payload.number(by);
      }
      payload.number(periods.size);
      for (const { header, offsets } of periods.values()) {
        for (const value of header) payload.value(value);
        payload.value(packed(offsets));
      }
    },
  };
}

/** A part of a batch: keys and values that are staged for the script, and its arguments. */
interface Part {
  readonly waiting: readonly (string | Buffer)[];
  readonly payload: Buffer;
}

const MEMBER_LENGTH_DIGITS = 5;

/** Documents after which other work gets a turn: requests, and the previous batch, which is being sent. */
const AT_ONCE = 50;

/**
 * Prepares a part as far as possible before the present documents are read. The returned function takes the present
 * search text of each event, in the order of the changes (null: none), and completes the part.
 */
async function preparedPart(
  keys: Keys,
  changes: readonly DocumentChange[],
): Promise<(before: readonly (string | null)[]) => Part> {
  const payload = newPayload();
  const gathered = gathering();
  const waiting: string[] = [];
  const come: (ReadonlySet<string> | null)[] = [];
  payload.number(changes.length);
  for (const [at, { key, document }] of changes.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const name = documentName(key);
    const entry = document && indexed(document);
    come.push(key.kind === 'event' ? searchedTokens(entry?.text ?? '') : null);
    payload.value(name);
    if (!document || !entry) {
      payload.value();
      payload.value();
      payload.number(0);
      continue;
    }
    const { member, scores, text } = entry;
    payload.value(String(member.length).padStart(MEMBER_LENGTH_DIGITS, '0'), member, described(entry));
    payload.value(`${scores[0]} ${scores[1]}`);
    payload.number(text === '' ? 0 : 1);
    waiting.push(keys.waiting(`b:${name}`), storedBody(document), keys.waiting(`z:${name}`), storedRest(document));
    if (text !== '') waiting.push(keys.waiting(`t:${name}`), text);
    gathered.document(at, entry);
    if (document.kind !== 'event') continue;
    gathered.attendance(document, scores[0]);
    gathered.period(document, scores[0]);
  }
  gathered.write(payload);
  return (before) => {
    const tokens = tokenChanges();
    changes.forEach(({ key }, at) => {
      const now = come[at];
      if (now) tokens.replace(key.id, searchedTokens(before[at] ?? ''), now);
    });
    tokens.write(payload);
    return { waiting, payload: payload.written() };
  };
}

// One long value instead of many short ones: a script splits it in a fraction of the time that it takes a client to
// write thousands of arguments and a server to read them.

const FIRST_BYTES = 2 ** 16;
const LENGTH_BYTES = 4;
/** No character of a JavaScript string takes more in UTF-8. */
const MAX_BYTES = 3;

export interface Payload {
  /** A whole number below 2^32, big-endian in four bytes. */
  number(value: number): void;
  /** Their length in bytes as a `number`, then the pieces one after the other: text in UTF-8, or bytes. */
  value(...pieces: readonly (string | Buffer)[]): void;
  written(): Buffer;
}

function newPayload(): Payload {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let at = 0;

  const makeRoom = (bytes: number) => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * buffer.length, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };

  return {
    number(value) {
      makeRoom(LENGTH_BYTES);
      at = buffer.writeUInt32BE(value, at);
    },
    value(...pieces) {
      makeRoom(LENGTH_BYTES);
      const from = at;
      at += LENGTH_BYTES;
      for (const piece of pieces) {
        makeRoom(MAX_BYTES * piece.length);
        at += typeof piece === 'string' ? buffer.write(piece, at) : piece.copy(buffer, at);
      }
      buffer.writeUInt32BE(at - from - LENGTH_BYTES, from);
    },
    written: () => buffer.subarray(0, at),
  };
}

// Sends a batch, in parts that one script call can handle.

/** Documents per script call: some tens of milliseconds, far below what Redis calls busy. */
const PART = 1_000;

/** The last change of each document: earlier ones would be overwritten at once. */
function lastChanges(changes: readonly DocumentChange[]): DocumentChange[] {
  return [...new Map(changes.map((change) => [documentName(change.key), change])).values()];
}

const partName = (at: number, parts: number): string => {
  if (parts === 1) return 'only';
  if (at === 0) return 'first';
  return at === parts - 1 ? 'last' : 'middle';
};

/**
 * The present search texts of the events. They cannot change before the batch is applied: otherwise the checkpoint
 * would differ, and the batch would be stale.
 */
async function textsBefore(writer: Writer, keys: Keys, changes: readonly DocumentChange[]): Promise<(string | null)[]> {
  const events = changes.filter(({ key }) => key.kind === 'event');
  if (events.length === 0) return [];
  const texts = await writer.with(keys.base, (redis) => redis.mget(events.map(({ key }) => keys.text(key))));
  const before = new Map(events.map(({ key }, at) => [key, texts[at] ?? null]));
  return changes.map(({ key }) => before.get(key) ?? null);
}

/**
 * Returns the script's result; see lua/apply-batch.lua. Preparation starts at once, so that a caller who passes the
 * next batch early has it prepared while the server is busy with this one.
 */
export async function applyBatch(writer: Writer, cache: TrackedCache, keys: Keys, batch: Batch): Promise<string> {
  const changes = lastChanges(batch.changes);
  const count = Math.max(1, Math.ceil(changes.length / PART));
  const slices = Array.from({ length: count }, (_, at) => [at * PART, (at + 1) * PART] as const);
  const preparing = Promise.all(slices.map(([from, to]) => preparedPart(keys, changes.slice(from, to))));
  // The call that waits for its turn gets the failure.
  preparing.catch(() => {});
  const outcome = await writer.inTurn(async () => {
    const prepared = await preparing;
    const before = await textsBefore(writer, keys, changes);
    return writer.applyParts(
      keys.base,
      prepared.map((finish, at) => {
        const { waiting, payload } = finish(before.slice(...(slices[at] ?? [])));
        return {
          waiting,
          parameters: [
            keys.base,
            partName(at, count),
            batch.after,
            batch.upTo,
            payload,
            batch.fill ?? '',
            batch.mark ?? '',
          ],
        };
      }),
    );
  });
  if (outcome !== 'applied') return outcome;
  // The server says so as well, but on another connection, and perhaps a moment later than this reply.
  for (const { key } of changes) {
    cache.invalidate(keys.body(key));
    cache.invalidate(keys.rest(key));
  }
  cache.invalidate(keys.termsVersion);
  return outcome;
}
