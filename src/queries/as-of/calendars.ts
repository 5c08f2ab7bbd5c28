// The last few calendars of the past, made when they are asked for, one at a time. A kept one answers for as long as the
// log says nothing that it does not know: each request looks at what has been recorded since.

import { ERASING } from '../../event-store/encryption/personal-fields.ts';
import type { Position } from '../../event-store/envelope.ts';
import type { Document, DocumentKey } from '../../read-model/documents.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import { recordedAt } from '../history/moment.ts';
import type { PastCalendar, PastLog, Texts } from './calendar.ts';

export interface PastCalendars {
  /**
   * Does something with the calendar of an instant, which is not let go of before that is done. Throws `PastQueueFull`
   * when too many others wait for calendars of other instants already. Rejections: those of the event store.
   */
  use<Result>(at: EpochSeconds, texts: Texts, work: (calendar: NamedCalendar) => Promise<Result>): Promise<Result>;
  firstInstant(): Promise<EpochSeconds | null>;
}

/** `name`: no two that ever were have the same. */
export type NamedCalendar = PastCalendar & { readonly name: string };

/** Making a calendar takes seconds of work: no more than so many are waited for. */
export class PastQueueFull extends Error {
  override readonly name = 'PastQueueFull';
}

export interface PastLimits {
  readonly mostKept: number;
  readonly mostBytes: number;
  /** Beside the one that is being made. */
  readonly mostWaiting: number;
}

export const PAST_LIMITS: PastLimits = { mostKept: 4, mostBytes: 256 * 1_048_576, mostWaiting: 8 };

/** A calendar that would have to look at more than this is made anew. */
const LONGEST_TAIL = 20_000;
/** What it was made from may be overtaken while it is made. */
const MOST_ATTEMPTS = 3;

interface Kept {
  readonly calendar: NamedCalendar;
  readonly texts: Texts;
  /** Shrinks when something is recorded within. */
  until: EpochSeconds;
  /** The place in the log up to which it is known to be right. */
  seen: Position;
  users: number;
  /** Looks at the log one after the other. */
  turn: Promise<boolean>;
}

export function openPastCalendars(log: PastLog, limits: PastLimits = PAST_LIMITS): PastCalendars {
  /** What was asked for last stands last. */
  const kept = new Set<Kept>();
  const underWay = new Map<string, Promise<Kept>>();
  let waiting = 0;
  let made = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let first: EpochSeconds | null = null;

  async function hold<Result>(one: Kept, work: () => Promise<Result>): Promise<Result> {
    one.users += 1;
    try {
      return await work();
    } finally {
      one.users -= 1;
      if (!kept.has(one)) closeSoon(one);
    }
  }

  /** Not before those who were just given it have taken hold of it. */
  const closeSoon = (one: Kept): void => {
    setImmediate(() => {
      if (one.users === 0) void one.calendar.readModel.close();
    });
  };

  function drop(one: Kept): void {
    if (kept.delete(one)) closeSoon(one);
  }

  function keep(one: Kept): void {
    // One that can be searched answers everything that the other did.
    for (const other of [...kept]) if (covers(one, other.calendar.from)) drop(other);
    kept.add(one);
    let bytes = 0;
    for (const { calendar } of kept) bytes += calendar.bytes;
    for (const oldest of [...kept]) {
      if (oldest === one || (kept.size <= limits.mostKept && bytes <= limits.mostBytes)) return;
      bytes -= oldest.calendar.bytes;
      drop(oldest);
    }
  }

  /** Looks at what has been recorded since; false: it is not to be used any more. */
  function isRight(one: Kept): Promise<boolean> {
    const looked = one.turn.then(
      () => look(one),
      () => look(one),
    );
    one.turn = looked;
    return looked;
  }

  async function look(one: Kept): Promise<boolean> {
    if (!kept.has(one)) return false;
    const touched = await readOn(one);
    return touched !== null && (await areAsOpen(one, touched));
  }

  /** What has been touched since; null when something was recorded that belongs into what is there already. */
  async function readOn(one: Kept): Promise<DocumentKey[] | null> {
    const head = await log.head();
    const touched = new Map<string, DocumentKey>();
    let tail = 0;
    while (one.seen < head) {
      const events = await log.readOn(one.seen);
      for (const event of events) {
        const { at } = recordedAt(event);
        const key = log.keyOf(event.stream);
        // What has been erased must not be told from memory either.
        if (key === null || at <= one.calendar.from || ERASING.has(event.type)) return null;
        one.until = Math.min(one.until, at);
        touched.set(event.stream, key);
      }
      const last = events.at(-1)?.position ?? head;
      one.seen = last;
      tail += events.length;
      if (tail > LONGEST_TAIL) return null;
    }
    return [...touched.values()];
  }

  /** What was closed to the public, or opened again, changes who may be shown what it was. */
  async function areAsOpen({ calendar }: Kept, keys: readonly DocumentKey[]): Promise<boolean> {
    for (const document of await calendar.readModel.fetch(keys)) {
      const before = document && standing(calendar, document);
      if (!before || !document) continue;
      if ((await log.isStillOpen(document)) !== (before === 'open')) return false;
    }
    return true;
  }

  async function find(at: EpochSeconds, texts: Texts): Promise<Kept | null> {
    for (const one of [...kept]) {
      if (!covers(one, at) || (texts === 'searchable' && one.texts !== texts)) continue;
      const right = await hold(one, () => isRight(one));
      if (!right) drop(one);
      if (!right || !covers(one, at) || !kept.delete(one)) continue;
      kept.add(one);
      return one;
    }
    return null;
  }

  async function make(at: EpochSeconds, texts: Texts): Promise<Kept> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      // Two instants between which nothing happened share a calendar, and the other may just have been made.
      const found = await find(at, texts);
      if (found) return found;
      const calendar = await log.make(at, texts);
      made += 1;
      const { until, upTo } = calendar;
      keep({
        calendar: { ...calendar, name: String(made) },
        texts,
        until,
        seen: upTo,
        users: 0,
        turn: Promise.resolve(true),
      });
    }
    const last = await find(at, texts);
    if (last) return last;
    throw new PastQueueFull('the log moves on faster than its past can be read');
  }

  /** Whoever asks for the same instant waits for the same calendar. */
  function makeInTurn(at: EpochSeconds, texts: Texts): Promise<Kept> {
    const name = `${at} ${texts}`;
    const before = underWay.get(name);
    if (before) return before;
    if (waiting > limits.mostWaiting) throw new PastQueueFull('too many calendars of the past are waited for');
    waiting += 1;
    const making = turn
      .then(() => make(at, texts))
      .finally(() => {
        waiting -= 1;
        underWay.delete(name);
      });
    underWay.set(name, making);
    turn = making.catch(() => {});
    return making;
  }

  return {
    async use(at, texts, work) {
      const one = (await find(at, texts)) ?? (await makeInTurn(at, texts));
      return hold(one, () => work(one.calendar));
    },
    async firstInstant() {
      first ??= await log.firstInstant();
      return first;
    },
  };
}

const covers = ({ calendar, until }: Kept, at: EpochSeconds): boolean => at >= calendar.from && at < until;

/** Null for what nobody is shown anyway. */
function standing({ closedTerms }: PastCalendar, document: Document): 'open' | 'closed' | null {
  if ('deleted' in document) return document.deleted ? null : closedTerms.has(document.id) ? 'closed' : 'open';
  if (!('status' in document) || document.status === 'trash') return null;
  return document.status === 'publish' ? 'open' : 'closed';
}
