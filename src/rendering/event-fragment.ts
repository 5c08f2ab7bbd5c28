// A calendar event as clients see it, with slots for links and embedded resources.
// decision 8
import { type CalendarEvent, FURTHER_EVENT_ROWS } from '../calendar/event/domain/calendar-event.ts';
import { costText, costValues } from '../calendar/event/domain/cost.ts';
import { eventStatusOf, type Notice, previousStart } from '../calendar/event/domain/event-status.ts';
import { offsetOf } from '../calendar/event/domain/schedule.ts';
import { byWire, type PlainKind } from '../calendar/resource/domain/fields.ts';
import { displayText } from '../kernel/text/paragraphs.ts';
import { displayTitle } from '../kernel/text/typography.ts';
import { abbreviationAtOffset, type WallClock } from '../kernel/time/zone.ts';
import { globalIdMembers, imageObject, postMembers, postUrl, type RenderingSettings, utc } from './post-fragment.ts';
import { fragmentOf, siteTime, slot } from './slots.ts';

/** The whole event. Pure of reader and of other documents. */
export const eventFragment = (event: CalendarEvent, settings: RenderingSettings): string =>
  fragmentOf({
    ...head(event),
    description: displayText(event.description),
    excerpt: displayText(event.excerpt),
    slug: event.slug,
    image: event.image ? imageObject(event.image) : false,
    all_day: event.schedule.allDay,
    ...times(event),
    ...cost(event, settings),
    // An event that never had a website of its own points at its own page.
    website: event.website === null ? postUrl('event', event) : escapedUrl(event.website),
    ...byWire(FLAGS, event),
    categories: slot('categories'),
    tags: slot('tags'),
    venue: slot('venue'),
    organizer: slot('organizer'),
    ...members(ADDITIONS, ({ kind, member }) => display(kind, event[member])),
    post_parent: event.parent === null ? 0 : slot('parent'),
    // Members that came along from another calendar.
    ...event.extensions,
    ...trace(event),
    ...online(event),
    ...members(SAID.filter(isSaid(event)), ({ kind, member }) => display(kind, event[member])),
    ...seriesMembers(event),
    custom_fields: [],
    json_ld: slot('commaThenJsonLd'),
  });

/** The event without its password: identity and times, no content. */
export const maskedEventFragment = (event: CalendarEvent): string =>
  fragmentOf({
    ...head(event),
    description: '',
    excerpt: '',
    slug: event.slug,
    image: false,
    all_day: null,
    ...times(event),
    ...NO_COST,
    website: '',
    ...members(FLAGS, () => null),
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    ...members(ADDITIONS, ({ kind, member, addition }) =>
      addition === 'always shown' ? display(kind, event[member]) : kind === 'flag' ? null : '',
    ),
    post_parent: event.parent === null ? 0 : slot('parent'),
    ...maskedTrace(event),
    ...maskedOnline(event),
    // Lists can be filtered by flags, so they are no secret.
    ...members(
      SAID.filter(isSaid(event)).filter(({ kind }) => kind === 'flag'),
      ({ member }) => event[member],
    ),
    custom_fields: [],
  });

const head = (event: CalendarEvent) => ({
  id: event.id,
  ...globalIdMembers(event.id),
  ...postMembers(event),
  url: postUrl('event', event),
  rest_url: `${slot('root')}/events/${event.id}`,
  title: displayTitle(event.title),
});

const FLAGS = FURTHER_EVENT_ROWS.filter(({ addition }) => !addition);
/** Members that this service has beyond the contract. */
const ADDITIONS = FURTHER_EVENT_ROWS.filter(({ addition }) => addition === 'always shown' || addition === 'masked');
const SAID = FURTHER_EVENT_ROWS.filter(({ addition }) => addition === 'once said');

const isSaid =
  (event: CalendarEvent) =>
  ({ member, blank }: FurtherRow): boolean =>
    event[member] !== blank;

type FurtherRow = (typeof FURTHER_EVENT_ROWS)[number];

const members = (rows: readonly FurtherRow[], value: (row: FurtherRow) => string | boolean | null) =>
  Object.fromEntries(rows.map((row) => [row.wire, value(row)]));

const display = (kind: PlainKind, value: string | boolean): string | boolean =>
  typeof value === 'boolean' ? value : DISPLAYS[kind](value);

const DISPLAYS: { readonly [Kind in PlainKind]: (text: string) => string } = {
  flag: (text) => text,
  line: (text) => text,
  html: displayText,
  url: (text) => escapedUrl(text),
  ages: (text) => text,
  languages: (text) => text,
};

function times({ schedule }: CalendarEvent) {
  const { start, end, startsAt, endsAt, timezone } = schedule;
  const [utcStart, utcEnd] = [utc(startsAt), utc(endsAt)];
  return {
    start_date: start,
    start_date_details: details(start),
    end_date: end,
    end_date_details: details(end),
    utc_start_date: utcStart,
    utc_start_date_details: details(utcStart),
    utc_end_date: utcEnd,
    utc_end_date_details: details(utcEnd),
    timezone,
    timezone_abbr: abbreviationAtOffset(timezone, offsetOf(start, startsAt)),
  };
}

/** Whether it takes place, and what the public was told: members of events about which there is something to say. */
function trace(event: CalendarEvent) {
  const { eventStatus, notices } = event;
  const previous = previousStart(event);
  return {
    ...((eventStatus || notices) && { event_status: eventStatusOf(event) }),
    ...(previous && { previous_start_date: previous.start }),
    ...(notices && { notices: notices.map(noticeMembers) }),
  };
}

/** Dates are shown without the password, texts are not. */
const maskedTrace = (event: CalendarEvent) => ({ ...trace(event), ...(event.notices && { notices: [] }) });

const noticeMembers = ({ type, text, date, previous }: Notice) => ({
  type,
  text,
  date: siteTime(date),
  date_utc: utc(date),
  ...(previous && { previous_start_date: previous.start, previous_utc_start_date: utc(previous.startsAt) }),
});

/** Only once it has been said. */
const online = ({ online: said }: CalendarEvent) =>
  said && {
    is_virtual: said.isVirtual,
    virtual_url: said.virtualUrl === null ? null : escapedUrl(said.virtualUrl),
    virtual_video_source: said.virtualVideoSource,
  };

/** Only of a date of a series. */
const seriesMembers = ({ series }: CalendarEvent) =>
  series && {
    recurrence: slot('recurrence'),
    series: { id: series.id, index: series.index, is_override: series.isOverride === true },
  };

/** Lists can be filtered by whether it is online, so it is no secret; the address is. */
const maskedOnline = ({ online: said }: CalendarEvent) =>
  said && { is_virtual: said.isVirtual, virtual_url: null, virtual_video_source: '' };

const details = (at: WallClock) => ({
  year: at.slice(0, 4),
  month: at.slice(5, 7),
  day: at.slice(8, 10),
  hour: at.slice(11, 13),
  minutes: at.slice(14, 16),
  seconds: at.slice(17, 19),
});

const costMembers = (text: string, symbol: string, position: string, values: readonly string[]) => ({
  cost: text,
  cost_details: { currency_symbol: symbol, currency_code: '', currency_position: position, values },
});

const NO_COST = costMembers('', '', '', []);

/** Settings of the site change while documents stay. */
const SITE_SIGNS = { signBefore: slot('signBefore'), signAfter: slot('signAfter'), freeLabel: slot('free') };

const cost = ({ cost: stored }: CalendarEvent, settings: RenderingSettings) =>
  stored
    ? costMembers(costText(stored, { ...settings, ...SITE_SIGNS }), stored.symbol, stored.position, costValues(stored))
    : NO_COST;

const escapedUrl = (url: string): string =>
  url
    .replace(/&(?!(?:[a-z][a-z0-9]*|#[0-9]+|#x[0-9a-f]+);)/gi, '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
