// Looking something up in all kinds at once: sections of the desk, events, venues, organizers, terms, pictures and users.

import type { FastifyInstance } from 'fastify';
import { OPEN_STATES } from '../../calendar/event/desk/list-query.ts';
import type { EventsPage } from '../../calendar/event/desk/reading.ts';
import { nameOf, PICTURES, type PicturesPage } from '../../calendar/picture/desk/reading.ts';
import { DESK_KINDS, sectionOf } from '../../calendar/resource/desk/kinds.ts';
import { search as searchKind } from '../../calendar/resource/desk/reading.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { DeskWord } from '../../locales/language.ts';
import { mayListUnpublished, mayManageUsers, mayUpload } from '../../people/auth/policy.ts';
import { USERS, type UsersPage } from '../../people/users/desk/reading.ts';
import { whenInList } from '../dates.ts';
import { type Html, html } from '../html.ts';
import { address } from '../links.ts';
import { LOOK_UP } from './layout.ts';
import { type DeskPage, type DeskRequest, textOf } from './page.ts';
import { show } from './show.ts';

interface Hit {
  readonly title: string;
  readonly path: string;
  readonly hint?: string;
}

/** The hits of one kind, and where all of them are listed. */
interface HitsOfKind {
  readonly word: DeskWord;
  readonly hits: readonly Hit[];
  readonly all: string;
}

/** So many hits of each kind are listed. */
const SHOWN = 6;

export function lookUpRoutes(app: FastifyInstance): void {
  app.get(LOOK_UP, async ({ desk }, reply) => {
    const words = textOf(desk.parameters, 'search').trim();
    return show(reply, lookUpPage(desk, words, words === '' ? [] : await lookUp(desk, words)));
  });
}

async function lookUp(request: DeskRequest, searched: string): Promise<readonly HitsOfKind[]> {
  const { user } = request;
  const kinds = await Promise.all([
    sectionsFor(request, searched),
    eventsFor(request, searched),
    ...DESK_KINDS.map((kind) => resourcesFor(request, kind, searched)),
    ...(mayUpload(user) ? [picturesFor(request, searched)] : []),
    ...(mayManageUsers(user) ? [usersFor(request, searched)] : []),
  ]);
  return kinds.filter((kind) => kind.hits.length > 0);
}

function sectionsFor({ words, menu, language }: DeskRequest, searched: string): HitsOfKind {
  const text = searched.toLocaleLowerCase(language.code);
  const entries = menu.flatMap(({ entries }) => entries);
  const matching = entries.filter(({ word }) => words(word).toLocaleLowerCase(language.code).includes(text));
  return {
    word: 'desk',
    all: '',
    hits: matching.map(({ word, path }) => ({ title: words(word), path })),
  };
}

async function eventsFor(request: DeskRequest, search: string): Promise<HitsOfKind> {
  const { api, user } = request;
  const { events } = await api.read<EventsPage>('/events', {
    search,
    start_date: '1000-01-01',
    end_date: '9999-12-31',
    per_page: SHOWN,
    ...(mayListUnpublished(user) && { status: OPEN_STATES }),
  });
  return {
    word: 'events',
    all: address('/desk/events', Object.entries({ search, period: 'all' })),
    hits: events.map((event) => ({
      title: lineOfHtml(event.title),
      path: `/desk/events/${event.id}`,
      hint: whenInList(request, event),
    })),
  };
}

async function resourcesFor(
  request: DeskRequest,
  kind: (typeof DESK_KINDS)[number],
  search: string,
): Promise<HitsOfKind> {
  const section = sectionOf(kind);
  const hits = kind.may(request.user) ? await searchKind(request, kind, search) : [];
  return {
    word: kind.collection,
    all: address(section, [['search', search]]),
    hits: hits.slice(0, SHOWN).map(({ id, name, place }) => ({ title: name, path: `${section}/${id}`, hint: place })),
  };
}

async function picturesFor({ api }: DeskRequest, search: string): Promise<HitsOfKind> {
  const { media } = await api.read<PicturesPage>('/media', { search, per_page: SHOWN });
  return {
    word: 'pictures',
    all: address(PICTURES, [['search', search]]),
    hits: media.map((picture) => ({ title: nameOf(picture), path: `${PICTURES}/${picture.id}` })),
  };
}

async function usersFor({ api }: DeskRequest, search: string): Promise<HitsOfKind> {
  const { users } = await api.read<UsersPage>('/users', { search, per_page: SHOWN });
  return {
    word: 'users',
    all: address(USERS, [['search', search]]),
    hits: users.map(({ id, name, email }) => ({
      title: name,
      path: `${USERS}/${id}`,
      hint: email,
    })),
  };
}

function lookUpPage(request: DeskRequest, searched: string, kinds: readonly HitsOfKind[]): DeskPage {
  const { words } = request;
  return {
    title: words('look_up'),
    main: [
      html`<h1>${searched === '' ? words('look_up') : words('looked_up', { words: searched })}</h1>`,
      html`<p role="status">${searched === '' ? words('look_up_text') : kinds.length === 0 && words('none_match')}</p>`,
      ...kinds.map((kind) => foundBox(request, kind)),
    ],
  };
}

const foundBox = ({ words }: DeskRequest, { word, hits, all }: HitsOfKind): Html =>
  html`<section>
    <h2>${words(word)}</h2>
    <ul class="rows">${hits.map(
      ({ title, path, hint }) =>
        html`<li><p class="what"><a href=${path}>${title || words('untitled')}</a></p><p class="hint">${hint}</p></li>`,
    )}</ul>
    ${all !== '' && html`<p><a href=${all}>${words('look_up_all')}<span class="unseen">: ${words(word)}</span></a></p>`}
  </section>`;
