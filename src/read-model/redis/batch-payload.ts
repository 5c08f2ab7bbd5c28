// A part of a batch in the format of the script: what to store of each document, then everything for the same set,
// counter or token list, collected over all of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventDocument } from '../documents.ts';
import { statusCode } from '../indexed-fields.ts';
import type { DocumentChange } from '../read-model.ts';
import { storedBody, storedRest } from './documents.ts';
import { attended, described, type Indexed, indexed, PERIOD } from './index-entries.ts';
import { documentName, type Keys } from './keys.ts';
import { newPayload, type Payload } from './payload.ts';
import { CHUNK, searchedTokens, tokenChanges } from './token-changes.ts';

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
export interface Part {
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
export async function preparedPart(
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
