// A calendar event as clients see it, with slots for links and for what it embeds.
import { type CalendarEvent, FURTHER_EVENT_ROWS } from '../domain/calendar-event.ts';
import { costText, costValues } from '../domain/cost.ts';
import type { PlainKind } from '../domain/fields.ts';
import { offsetOf } from '../domain/schedule.ts';
import { displayText } from '../text/paragraphs.ts';
import { displayTitle } from '../text/typography.ts';
import { abbreviationAtOffset, type WallClock } from '../time/zone.ts';
import { globalIdMembers, imageObject, postMembers, postUrl, utc } from './post-fragment.ts';
import type { RenderingSettings } from './settings.ts';
import { SLOT } from './slots.ts';

/** The whole event. Pure of reader and of other documents. */
export function eventFragment(event: CalendarEvent, settings: RenderingSettings): string {
  return (
    head(event) +
    `"description":${JSON.stringify(displayText(event.description))},"excerpt":${JSON.stringify(displayText(event.excerpt))},` +
    `"slug":${JSON.stringify(event.slug)},"image":${event.image ? imageObject(event.image) : 'false'},` +
    `"all_day":${event.schedule.allDay},${times(event)}` +
    `${cost(event, settings)}"website":"${website(event)}",` +
    flags(event) +
    `"categories":${SLOT.categories},"tags":${SLOT.tags},"venue":${SLOT.venue},"organizer":${SLOT.organizer},` +
    `${additions(event)}${parent(event)}${extensions(event)}"custom_fields":[]${SLOT.commaThenJsonLd}}`
  );
}

/** What a reader sees who owes the password: identity, times and nothing of the content. */
export function maskedEventFragment(event: CalendarEvent): string {
  return (
    head(event) +
    `"description":"","excerpt":"","slug":${JSON.stringify(event.slug)},"image":false,"all_day":null,${times(event)}` +
    '"cost":"","cost_details":{"currency_symbol":"","currency_code":"","currency_position":"","values":[]},' +
    `"website":"",${MASKED_FLAGS}"categories":[],"tags":[],"venue":[],"organizer":[],` +
    `${maskedAdditions(event)}${parent(event)}"custom_fields":[]}`
  );
}

function head(event: CalendarEvent): string {
  return (
    `{"id":${event.id},${globalIdMembers(event.id)},${postMembers(event)},` +
    `"url":"${postUrl('event', event)}","rest_url":"${SLOT.root}/events/${event.id}",` +
    `"title":${JSON.stringify(displayTitle(event.title))},`
  );
}

const FLAGS = FURTHER_EVENT_ROWS.filter(({ addition }) => !addition);
const MASKED_FLAGS = FLAGS.map(({ wire }) => `"${wire}":null,`).join('');
/** Members that this service has beyond the contract. */
const ADDITIONS = FURTHER_EVENT_ROWS.filter(({ addition }) => addition);

function flags(event: CalendarEvent): string {
  let members = '';
  for (const { wire, member } of FLAGS) members += `"${wire}":${event[member]},`;
  return members;
}

function additions(event: CalendarEvent): string {
  let members = '';
  for (const { wire, member, kind } of ADDITIONS) members += `"${wire}":${shown(kind, event[member])},`;
  return members;
}

function maskedAdditions(event: CalendarEvent): string {
  let members = '';
  for (const { wire, member, kind, addition } of ADDITIONS) {
    const isShown = addition === 'always shown';
    members += `"${wire}":${isShown ? shown(kind, event[member]) : kind === 'flag' ? 'null' : '""'},`;
  }
  return members;
}

const shown = (kind: PlainKind, value: string | boolean): string =>
  typeof value === 'boolean' ? String(value) : JSON.stringify(SHOWN[kind](value));

const SHOWN: { readonly [Kind in PlainKind]: (text: string) => string } = {
  flag: (text) => text,
  line: (text) => text,
  html: displayText,
  url: (text) => escapedUrl(text),
};

const parent = ({ parent: id }: CalendarEvent): string => `"post_parent":${id === null ? 0 : SLOT.parent},`;

/** Members that came along from another calendar. */
const extensions = ({ extensions: members = {} }: CalendarEvent): string =>
  Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
    .join('');

function times({ schedule }: CalendarEvent): string {
  const abbr = abbreviationAtOffset(schedule.timezone, offsetOf(schedule.start, schedule.startsAt));
  return (
    `${dateMember('start_date', schedule.start)}${dateMember('end_date', schedule.end)}` +
    `${dateMember('utc_start_date', utc(schedule.startsAt))}${dateMember('utc_end_date', utc(schedule.endsAt))}` +
    `"timezone":${JSON.stringify(schedule.timezone)},"timezone_abbr":${JSON.stringify(abbr)},`
  );
}

/** `"name":"YYYY-MM-DD HH:MM:SS","name_details":{…},` */
function dateMember(name: string, at: WallClock): string {
  return (
    `"${name}":"${at}","${name}_details":{"year":"${at.slice(0, 4)}","month":"${at.slice(5, 7)}","day":"${at.slice(8, 10)}",` +
    `"hour":"${at.slice(11, 13)}","minutes":"${at.slice(14, 16)}","seconds":"${at.slice(17, 19)}"},`
  );
}

function cost({ cost: stored }: CalendarEvent, settings: RenderingSettings): string {
  if (!stored)
    return '"cost":"","cost_details":{"currency_symbol":"","currency_code":"","currency_position":"","values":[]},';
  const details = {
    currency_symbol: stored.symbol,
    currency_code: '',
    currency_position: stored.position,
    values: costValues(stored),
  };
  return `"cost":${JSON.stringify(costText(stored, settings))},"cost_details":${JSON.stringify(details)},`;
}

/** Inside a JSON string. An event that never had a website of its own points at its own page. */
function website(event: CalendarEvent): string {
  if (event.website === null) return postUrl('event', event);
  return JSON.stringify(escapedUrl(event.website)).slice(1, -1);
}

const escapedUrl = (url: string): string =>
  url
    .replace(/&(?!(?:[a-z][a-z0-9]*|#[0-9]+|#x[0-9a-f]+);)/gi, '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
