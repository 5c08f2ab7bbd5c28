// A column for each member of the rows of events. An event has the same slot in all of them.
import { EVENT_STATUSES } from '../../calendar/event/domain/event-status.ts';
import { statusCode } from '../documents.ts';
import { type EventFlag, type EventRow, FLAGS } from './rows.ts';

/** By slot. */
export interface Columns {
  id: Float64Array;
  revision: Float64Array;
  startsAt: Float64Array;
  endsAt: Float64Array;
  date: Float64Array;
  author: Float64Array;
  /** 0: none. */
  parent: Float64Array;
  /** Status, event status and a bit for each of `FLAGS`: see `traitsOf`. */
  traits: Uint16Array;
  /** Numbers of targets: `linkCount` of `links` from `linkFrom` on. */
  linkFrom: Int32Array;
  linkCount: Int32Array;
  /** The number of its text. */
  text: Int32Array;
  textDigest: Float64Array;
}

export const emptyColumns = (size: number): Columns => ({
  id: new Float64Array(size),
  revision: new Float64Array(size),
  startsAt: new Float64Array(size),
  endsAt: new Float64Array(size),
  date: new Float64Array(size),
  author: new Float64Array(size),
  parent: new Float64Array(size),
  traits: new Uint16Array(size),
  linkFrom: new Int32Array(size),
  linkCount: new Int32Array(size),
  text: new Int32Array(size),
  textDigest: new Float64Array(size),
});

/** Makes room for so many events. */
export function grow(columns: Columns, size: number): void {
  const larger = emptyColumns(size);
  for (const name of Object.keys(columns) as (keyof Columns)[]) {
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

export const traitsOf = (row: EventRow): number =>
  STATUS_UNIT * statusCode(row.status) +
  EVENT_STATUS_UNIT * EVENT_STATUSES.indexOf(row.eventStatus) +
  FLAGS.reduce((bits, flag) => (row[flag] ? bits | flagBit(flag) : bits), 0);
