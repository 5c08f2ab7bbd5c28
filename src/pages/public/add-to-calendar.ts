// The addresses at which calendars on the web take an event. Nothing is asked of them until a visitor follows one.
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import { addDays, dayOf } from '../dates.ts';
import { address } from '../links.ts';
import { addressOf } from '../maps.ts';
import { type ShownEvent, venuesOf } from '../shown.ts';

/** The first place, as a map finds it. */
function placeOf(event: ShownEvent): string {
  const [venue] = venuesOf(event);
  return venue === undefined
    ? ''
    : [lineOfHtml(venue.venue), addressOf(venue)].filter((part) => part !== '').join(', ');
}

/** `2026-12-05 18:00:00` as an instant. */
const instantOf = (utc: string): string => `${utc.replace(' ', 'T')}Z`;

/** Days end with the first one that is not part of the event. */
const afterEnd = ({ end_date: end }: ShownEvent): string => addDays(dayOf(end), 1);

export function googleAddress(event: ShownEvent): string {
  const times =
    event.all_day === true
      ? [dayOf(event.start_date), afterEnd(event)]
      : [instantOf(event.utc_start_date), instantOf(event.utc_end_date)];
  return address('https://calendar.google.com/calendar/render', [
    ['action', 'TEMPLATE'],
    ['text', lineOfHtml(event.title)],
    ['dates', times.map((time) => time.replaceAll(/[-:]/g, '')).join('/')],
    ['location', placeOf(event)],
    ['details', event.url],
  ]);
}

export function outlookAddress(event: ShownEvent): string {
  const isAllDay = event.all_day === true;
  return address('https://outlook.live.com/calendar/0/deeplink/compose', [
    ['rru', 'addevent'],
    ['path', '/calendar/action/compose'],
    ['subject', lineOfHtml(event.title)],
    ['startdt', isAllDay ? dayOf(event.start_date) : instantOf(event.utc_start_date)],
    ['enddt', isAllDay ? afterEnd(event) : instantOf(event.utc_end_date)],
    ['allday', isAllDay ? 'true' : ''],
    ['location', placeOf(event)],
    ['body', event.url],
  ]);
}
