// A column for each member of the rows of events. An event has the same slot in all of them.
import { EVENT_STATUSES } from '../../calendar/event/domain/event-status.ts';
import type { PostStatus } from '../../calendar/resource/domain/post.ts';
import { statusCode } from '../documents.ts';
import { type EventFlag, type EventRow, FLAGS } from './rows.ts';

/** By slot. */
export const COLUMNS = {
  id: Float64Array,
  revision: Int32Array,
  recordedAt: Float64Array,
  startsAt: Float64Array,
  endsAt: Float64Array,
  date: Float64Array,
  author: Float64Array,
  /** 0: none. */
  parent: Float64Array,
  /** Status, event status and a bit for each of `FLAGS`: see `traitsOf`. */
  traits: Uint16Array,
  /** Numbers of targets: `linkCount` of `links` from `linkFrom` on. */
  linkFrom: Int32Array,
  linkCount: Int32Array,
  /** The number of its text. */
  text: Int32Array,
  textDigest: Float64Array,
} as const;

export type Columns = { [Name in keyof typeof COLUMNS]: InstanceType<(typeof COLUMNS)[Name]> };

export const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof Columns)[]; // Its own names.

/** Columns with room for so many events. */
export const emptyColumns = (size: number): Columns =>
  Object.fromEntries(COLUMN_NAMES.map((name) => [name, new COLUMNS[name](size)])) as Columns; // One for each.

/** What these slots have, in this order, with room for some more; a column in each step. Empty ones stay empty. */
export function* gathered(columns: Columns, places: Int32Array, spare: number): Generator<undefined, Columns> {
  const size = places.length + spare;
  const into = emptyColumns(0);
  for (const name of COLUMN_NAMES) {
    const from = columns[name];
    const column = new COLUMNS[name](from.length === 0 ? 0 : size);
    for (let at = 0; at < places.length; at++) column[at] = from[places[at] ?? 0] ?? 0;
    Object.assign(into, { [name]: column });
    yield;
  }
  return into;
}

/** Makes room for so many events. */
export function grow(columns: Columns, size: number): void {
  const larger = emptyColumns(size);
  for (const name of COLUMN_NAMES) {
    const column = larger[name];
    column.set(columns[name]);
    Object.assign(columns, { [name]: column });
  }
}

// Traits.

/** Eleven flags fit beside the statuses. */
export const flagBit = (flag: EventFlag): number => 1 << FLAGS.indexOf(flag);
const EVENT_STATUS_UNIT = 1 << FLAGS.length;
const STATUS_UNIT = EVENT_STATUS_UNIT * 4;
/** All traits are below. */
export const TRAITS = STATUS_UNIT * 8;

export const statusIn = (traits: number): number => Math.floor(traits / STATUS_UNIT);
export const eventStatusIn = (traits: number): number => Math.floor((traits % STATUS_UNIT) / EVENT_STATUS_UNIT);

/** Traits with another status. */
export const withStatus = (traits: number, status: PostStatus): number =>
  (traits % STATUS_UNIT) + STATUS_UNIT * statusCode(status);

export const traitsOf = (row: EventRow): number =>
  STATUS_UNIT * statusCode(row.status) +
  EVENT_STATUS_UNIT * EVENT_STATUSES.indexOf(row.eventStatus) +
  FLAGS.reduce((bits, flag) => (row[flag] ? bits | flagBit(flag) : bits), 0);
