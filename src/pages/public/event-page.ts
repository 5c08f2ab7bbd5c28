// The page of an event.
import { readLanguages } from '../../calendar/event/domain/audience.ts';
import { lineOfHtml, shortHtml } from '../../kernel/text/html-text.ts';
import type { Wording } from '../../locales/phrases.ts';
import {
  type EventAnswer,
  type OrganizerAnswer,
  type TermAnswer,
  type VenueAnswer,
  venueNames,
  venuesOf,
} from '../answers.ts';
import { ASSETS } from '../assets.ts';
import { addDays, dateText, dayOf, momentText, whenText } from '../dates.ts';
import { type Html, html, type Markup } from '../html.ts';
import { address, eventPath, organizerPath, venuePath } from '../links.ts';
import { addressOf, mapOf } from '../maps.ts';
import type { PictureDetails } from '../picture-details.ts';
import type { Words } from '../words.ts';
import { valueInWords } from './audience.ts';
import { art, cardList, hueOf, hueOfEvent, instantOf, isoOf, priceOf, statusLabel, termLink } from './event-cards.ts';
import { layout, type Surroundings } from './layout.ts';
import { shareButtons } from './list-tools.ts';
import { pictureOf } from './picture.ts';

export interface EventContent {
  readonly id: number;
  readonly event: EventAnswer;
  readonly description: Markup;
  /** Null: it has no uploaded one. */
  readonly picture: PictureDetails | null;
  /** How its series repeats, if it is a date of one. */
  readonly repeats: Wording | null;
  readonly isOver: boolean;
  readonly others: OtherEvents;
}

/** What else is to come. */
export interface OtherEvents {
  /** At its first venue. */
  readonly atVenue: readonly EventAnswer[];
  readonly sameDay: readonly EventAnswer[];
}

const SUMMARY_LENGTH = 200;

export function eventPage(surroundings: Surroundings, content: EventContent): Html {
  const { id, event, description, picture } = content;
  const { words, language, root } = surroundings;
  const calendar = `${root}/events/${id}.ics`;
  const title = lineOfHtml(event.title);
  const when = whenText(language.code, event, 'long');
  return layout(surroundings, {
    title,
    description: summaryOf(when, event),
    canonical: eventPath(event.slug),
    api: `/events/${id}`,
    ...(event.image && { image: event.image }),
    ...(event.json_ld && { jsonLd: { ...event.json_ld, ...creditedImage(event, picture), ...forCalendars(event) } }),
    feeds: { calendar },
    drawnFrom: 'main',
    main: [
      html`<article class=${`event ${hueOfEvent(event)}`}>
      <header>
        <p class="labels">${event.categories.map((term) => termLink(term, `label ${hueOf(term)}`))}</p>
        <h1>${title}</h1>
        <p class="when">${when}</p>
        ${stateOf(content, words)}
        ${changes(event, surroundings)}
      </header>
      ${pictureOf(surroundings, event.image, picture) ?? art(language.code, event)}
      <div class="side">
        <dl class="facts">
          <div><dt>${words('when')}</dt><dd>
            ${event.all_day === true ? html`<time datetime=${isoOf(event)}>${when}</time><br />${words('all_day')}` : timed(event, when, words)}
          </dd></div>
          ${series(content, surroundings)}
          ${venuesOf(event).map((venue) => place(surroundings, venue))}
          ${event.is_virtual === true && online(event, words)}
          ${fact(words('price'), priceOf(surroundings, event))}
          ${audience(event, surroundings)}
          ${organizers(event.organizer, words)}
          ${event.website !== '' && event.website !== event.url && website(event.website, words)}
          ${terms(words('tags'), event.tags)}
        </dl>
        ${actions(surroundings, content, calendar)}
      </div>
      <div class="prose" dangerouslySetInnerHTML=${description}></div>
    </article>`,
      ...otherEvents(surroundings, content),
    ],
  });
}

/** Whose picture it is, for search engines. */
const creditedImage = ({ image }: EventAnswer, picture: PictureDetails | null): object =>
  image !== false && picture !== null && picture.credit !== ''
    ? { image: { '@type': 'ImageObject', url: image.url, creditText: picture.credit } }
    : {};

/** What the API tells of the first alone: the others stand behind it. */
const allOf = (name: string, first: unknown, [, ...others]: readonly { readonly json_ld?: object }[]): object =>
  others.length === 0 ? {} : { [name]: [first ?? [], others.flatMap(({ json_ld }) => json_ld ?? [])].flat() };

/** What calendars read that take an event from its page. */
const forCalendars = ({ title, categories, tags, timezone, series: whole, ...event }: EventAnswer): object => ({
  ...allOf('location', event.json_ld?.location, venuesOf(event)),
  ...allOf('organizer', event.json_ld?.organizer, event.organizer),
  ...(categories.length > 0 && {
    about: categories.map(({ name }) => ({ '@type': 'DefinedTerm', name: lineOfHtml(name) })),
  }),
  ...(tags.length > 0 && { keywords: tags.map(({ name }) => lineOfHtml(name)) }),
  eventSchedule: { '@type': 'Schedule', scheduleTimezone: timezone },
  ...(whole && { superEvent: { '@type': 'EventSeries', name: lineOfHtml(title) } }),
});

/** What changes everything else, before anything else. */
function stateOf({ event, isOver }: EventContent, words: Words): Html | false {
  const { event_status: status = 'scheduled' } = event;
  if (status === 'scheduled')
    return isOver && html`<p class="state">${words('over')} <a href="/">${words('to_list')}</a></p>`;
  return html`<p class="state">${statusLabel(event, words)} ${words(`${status}_text`)}</p>`;
}

/** What most visitors come for stands first; nothing is offered of what does not take place any more. */
function actions({ words }: Surroundings, { event, isOver }: EventContent, calendar: string): Html {
  const takesPlace = !isOver && event.event_status !== 'canceled';
  const [first] = takesPlace ? firstSteps(event) : [];
  return html`<div class="actions">
    ${first && html`<a class="button" rel="noopener nofollow" href=${first.url}>${words(first.word)}</a>`}
    ${
      takesPlace &&
      html`<details class="add"><summary class=${first ? 'button quiet' : 'button'}>${words('add_to_calendar')}</summary><ul>
        <li><a href=${calendar}>${words('calendar_file')}</a></li>
        <li><a rel="noopener nofollow" href=${googleAddress(event)}>Google</a></li>
        <li><a rel="noopener nofollow" href=${outlookAddress(event)}>Outlook</a></li>
      </ul></details>`
    }
    ${shareButtons(words)}
  </div>`;
}

const isWeb = (url: string | null | undefined): url is string => typeof url === 'string' && /^https?:\/\//i.test(url);

/** Where tickets are had, or the event is attended. */
function firstSteps({ cost, website: site, url, virtual_url: online, registration_url: registration }: EventAnswer) {
  const isSold = cost !== '' && isWeb(site) && site !== url;
  return [
    ...(isWeb(registration) ? [{ url: registration, word: 'tickets' } as const] : []),
    ...(isSold ? [{ url: site, word: 'tickets' } as const] : []),
    ...(isWeb(online) ? [{ url: online, word: 'attend_online' } as const] : []),
  ];
}

function otherEvents(surroundings: Surroundings, { event, others: { atVenue, sameDay } }: EventContent): Html[] {
  const { words } = surroundings;
  const [venue] = venuesOf(event);
  if (atVenue.length + sameDay.length === 0) return [];
  return [
    html`<div class="more">
    ${venue && atVenue.length > 0 && html`<h2>${words('also_at', { place: lineOfHtml(venue.venue) })}</h2>${cardList(surroundings, atVenue)}`}
    ${sameDay.length > 0 && html`<h2>${words('same_day')}</h2>${cardList(surroundings, sameDay)}`}
  </div>`,
  ];
}

const series = ({ event, repeats }: EventContent, { words, language }: Surroundings): Html | false =>
  event.series !== undefined &&
  repeats !== null &&
  html`<div><dt>${words('repeats')}</dt><dd>${repeats(language)}<br />
    <a href=${address('/', [['series', String(event.series.id)]])}>${words('next_dates')}</a></dd></div>`;

/** The latest first; that it is cancelled, for example, is said by its label. */
const changes = ({ notices = [], all_day: allDay }: EventAnswer, { words, language }: Surroundings): Html | false => {
  const telling = notices.filter(({ text, previous_start_date: before }) => text !== '' || before !== undefined);
  if (telling.length === 0) return false;
  return html`<section class="changes"><h2>${words('changes')}</h2><ul>${telling.toReversed().map(
    ({ text, date, previous_start_date: before }) =>
      html`<li><time datetime=${dayOf(date)}>${dateText(language.code, 'medium', date)}</time>
        ${before !== undefined && html`<span>${words('moved_from', { date: allDay === true ? dateText(language.code, 'long', before) : momentText(language.code, before, 'long') })}</span>`}
        ${text !== '' && html`<span>${lineOfHtml(text)}</span>`}</li>`,
  )}</ul></section>`;
};

function summaryOf(when: string, event: EventAnswer): string {
  const text = lineOfHtml(shortHtml(event.excerpt || event.description, SUMMARY_LENGTH * 4));
  return [when, ...venueNames(event), text].filter(Boolean).join(' · ').slice(0, SUMMARY_LENGTH);
}

/** With a script that adds the same in the zone of the visitor. */
const timed = (event: EventAnswer, when: string, words: Words): Html =>
  html`<time datetime=${isoOf(event)} data-end=${instantOf(event.utc_end_date)} data-clock=${event.start_date.replace(' ', 'T')} data-label=${words('your_time')}>${when}</time>
    <script src=${ASSETS.localTime.path}></script>`;

const place = (surroundings: Surroundings, venue: VenueAnswer): Html =>
  html`<div><dt>${surroundings.words('where')}</dt><dd>
    <a href=${venuePath(venue.slug ?? '')}>${lineOfHtml(venue.venue)}</a>
    ${addressOf(venue) !== '' && html`<br />${addressOf(venue)}`}
    ${mapOf(surroundings, venue)}
  </dd></div>`;

/** For whom it is. */
function audience(
  { accessible, accessibility = '', age_range: ages = '', languages = '' }: EventAnswer,
  surroundings: Surroundings,
): readonly (Html | false)[] {
  const { words } = surroundings;
  const open = [...(accessible === true ? [words('accessible')] : []), accessibility].filter(Boolean);
  return [
    fact(words('ages'), valueInWords(surroundings, 'ages', ages)),
    fact(
      words('languages'),
      (readLanguages(languages) ?? []).map((code) => valueInWords(surroundings, 'languages', code)).join(', '),
    ),
    fact(words('accessibility'), open.join(' · ')),
  ];
}

export const fact = (label: string, text: string): Html | false =>
  text !== '' && html`<div><dt>${label}</dt><dd>${text}</dd></div>`;

const organizers = (all: readonly OrganizerAnswer[], words: Words): Html | false =>
  all.length > 0 &&
  html`<div><dt>${words('organizers')}</dt><dd><ul>${all.map(
    ({ organizer, slug = '' }) => html`<li><a href=${organizerPath(slug)}>${lineOfHtml(organizer)}</a></li>`,
  )}</ul></dd></div>`;

export const website = (url: string, words: Words): Html =>
  html`<div><dt>${words('website')}</dt><dd>
    ${link(url)}
  </dd></div>`;

const online = ({ virtual_url: url }: EventAnswer, words: Words): Html =>
  html`<div><dt>${words('online')}</dt><dd>${
    typeof url === 'string' && url !== '' ? link(url) : words('online')
  }</dd></div>`;

/** An address that an editor wrote, as a link if it can be one. */
const link = (url: string): Html | string =>
  isWeb(url) ? html`<a rel="noopener nofollow" href=${url}>${URL.canParse(url) ? new URL(url).host : url}</a>` : url;

const terms = (label: string, all: readonly TermAnswer[]): Html | false =>
  all.length > 0 &&
  html`<div><dt>${label}</dt><dd><ul class="terms">${all.map((term) => html`<li>${termLink(term)}</li>`)}</ul></dd></div>`;

// The addresses at which calendars on the web take an event. Nothing is asked of them until a visitor follows one.

/** The first place, as a map finds it. */
function placeOf(event: EventAnswer): string {
  const [venue] = venuesOf(event);
  return venue === undefined ? '' : [lineOfHtml(venue.venue), addressOf(venue)].filter(Boolean).join(', ');
}

/** Days end with the first one that is not part of the event. */
const afterEnd = ({ end_date: end }: EventAnswer): string => addDays(dayOf(end), 1);

function googleAddress(event: EventAnswer): string {
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

function outlookAddress(event: EventAnswer): string {
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
