// A feed's event for tests: say what matters, the rest is filled in.

import type { FeedEvent } from '../../../../src/exchange/feeds/feed-event.ts';
import { presentationOf } from '../../../../src/exchange/feeds/presentation.ts';
import { resolveZone, toWallClock, type Zone } from '../../../../src/kernel/time/zone.ts';
import { ENGLISH } from '../../../../src/locales/languages.ts';

export function zoneNamed(name: string): Zone {
  const zone = resolveZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
}

export const secondsOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`) / 1000;

const BASE: FeedEvent = {
  id: 41,
  revision: 3,
  status: 'publish',
  eventStatus: 'scheduled',
  onlineAt: '',
  notice: '',
  created: secondsOf('2026-11-20 12:00:00'),
  modified: secondsOf('2026-11-21 13:00:00'),
  published: secondsOf('2026-11-20 12:30:00'),
  timezone: 'Europe/Berlin',
  isAllDay: false,
  start: '2027-03-01 20:00:00',
  end: '2027-03-01 23:00:00',
  startsAt: secondsOf('2027-03-01 19:00:00'),
  endsAt: secondsOf('2027-03-01 22:00:00'),
  title: 'Jazz',
  description: '',
  excerpt: '',
  url: 'https://cal.example/event/jazz/',
  image: null,
  venues: [],
  organizers: [],
  terms: [],
  further: {},
};

export const someFeedEvent = (members: Partial<FeedEvent> = {}): FeedEvent => ({ ...BASE, ...members });

/** Times from instants, as a schedule would have them. */
export function during(timezone: string, startsAt: number, endsAt: number): Partial<FeedEvent> {
  const zone = zoneNamed(timezone);
  return { timezone, startsAt, endsAt, start: toWallClock(startsAt, zone), end: toWallClock(endsAt, zone) };
}

/** As a client gets feeds that asks for nothing. */
export const PRESENTATION = presentationOf({}, ENGLISH);
