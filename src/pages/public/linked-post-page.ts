// The pages of venues and organizers, with what takes place there or is organized by them.
import type { DaysInput } from '../../editorial/schedule/queries/upcoming.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { ImageAnswer, OrganizerAnswer, VenueAnswer } from '../answers.ts';
import type { EventPage } from '../calendar.ts';
import { type Html, html, type Markup } from '../html.ts';
import { address, organizerPath, venuePath } from '../links.ts';
import { addressOf, mapOf } from '../maps.ts';
import { feedsOf } from '../periods.ts';
import type { PictureDetails } from '../picture-details.ts';
import type { Words } from '../words.ts';
import { emptyList } from './empty-list.ts';
import { cardList } from './event-cards.ts';
import { fact, website } from './event-page.ts';
import { layout, type Surroundings } from './layout.ts';
import { listTools, onPaper } from './list-tools.ts';
import { pictureOf } from './picture.ts';

interface PostContent {
  readonly id: number;
  readonly description: Markup;
  readonly list: EventPage;
  /** The days of the list. */
  readonly days: DaysInput;
  /** Null: it has no uploaded one. */
  readonly picture: PictureDetails | null;
}

export function venuePage(surroundings: Surroundings, venue: VenueAnswer, content: PostContent): Html {
  const { words } = surroundings;
  const map = mapOf(surroundings, venue);
  return linkedPostPage(surroundings, content, {
    name: lineOfHtml(venue.venue),
    path: venuePath(venue.slug ?? ''),
    image: venue.image,
    filter: ['venue', String(content.id)],
    api: `/events/?venue=${content.id}`,
    facts: [
      (addressOf(venue) !== '' || map !== false) &&
        html`<div><dt>${words('address')}</dt><dd>${addressOf(venue)}${map}</dd></div>`,
      ...contacts(venue, words),
    ],
  });
}

export function organizerPage(surroundings: Surroundings, organizer: OrganizerAnswer, content: PostContent): Html {
  const { words } = surroundings;
  const { email = '' } = organizer;
  return linkedPostPage(surroundings, content, {
    name: lineOfHtml(organizer.organizer),
    path: organizerPath(organizer.slug ?? ''),
    image: organizer.image,
    filter: ['organizer', String(content.id)],
    facts: [
      ...contacts(organizer, words),
      email !== '' &&
        html`<div><dt>${words('email')}</dt><dd><a href=${`mailto:${lineOfHtml(email)}`}>${lineOfHtml(email)}</a></dd></div>`,
    ],
  });
}

interface Particulars {
  readonly name: string;
  readonly path: string;
  readonly filter: readonly [name: string, value: string];
  readonly api?: string;
  readonly image: ImageAnswer | false | undefined;
  readonly facts: readonly (Html | false)[];
}

function linkedPostPage(
  surroundings: Surroundings,
  { description, list, days, picture }: PostContent,
  { name, path, filter, api, image, facts }: Particulars,
): Html {
  const { words } = surroundings;
  const feeds = feedsOf(surroundings.root, [filter], days);
  return layout(surroundings, {
    title: name,
    canonical: path,
    ...(api !== undefined && { api }),
    ...(image && { image }),
    feeds,
    main: [
      html`<div class="event place">
        <header><h1>${name}</h1></header>
        ${pictureOf(surroundings, image, picture)}
        ${facts.some((fact) => fact !== false) && html`<div class="side"><dl class="facts">${facts}</dl></div>`}
        <div class="prose" dangerouslySetInnerHTML=${description}></div>
      </div>`,
      html`<h2>${words('upcoming_here')}</h2>`,
      list.total === 0 ? emptyList(surroundings, 'nothing planned') : cardList(surroundings, list.events),
      ...(list.pages > 1
        ? [html`<p class="pages"><a href=${address('/', [filter, ['page', '2']])}>${words('next')}</a></p>`]
        : []),
      listTools(surroundings, { title: name, path, printed: onPaper('/', [filter]), feeds, embedded: [filter] }),
    ],
  });
}

const contacts = ({ phone = '', website: url = '' }: VenueAnswer | OrganizerAnswer, words: Words): (Html | false)[] => [
  fact(words('phone'), phone),
  url !== '' && website(url, words),
];
