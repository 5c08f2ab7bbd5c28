// The statuses of an event and what filters ask of it, yes or no, in one number.
import { EVENT_STATUSES } from '../../calendar/event/domain/event-status.ts';
import { LISTED_FLAGS, type ListedFlag } from '../../calendar/event/domain/event-traits.ts';
import type { PostStatus } from '../../calendar/resource/domain/post.ts';
import { type EventDocument, statusCode } from '../documents.ts';

export type EventFlag = 'hidden' | 'protected' | ListedFlag;

/** In the order of their bits. A query may filter by each that has its name. */
export const FLAGS: readonly EventFlag[] = ['hidden', 'protected', ...LISTED_FLAGS.map(({ member }) => member)];

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

export const traitsOf = (event: EventDocument): number =>
  STATUS_UNIT * statusCode(event.status) +
  EVENT_STATUS_UNIT * EVENT_STATUSES.indexOf(event.eventStatus ?? 'scheduled') +
  FLAGS.reduce((bits, flag) => (event[flag] ? bits | flagBit(flag) : bits), 0);
