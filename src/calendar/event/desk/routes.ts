// The routes of events at the desk.
import type { FastifyReply } from 'fastify';
import { REVIEW } from '../../../editorial/proposals/desk/reading.ts';
import { ID } from '../../../http/plugins/routing.ts';
import { addDays, todayIn } from '../../../pages/dates.ts';
import { ApiProblem, type Problem } from '../../../pages/desk/api.ts';
import { type DeskRequest, type DeskSection, textOf } from '../../../pages/desk/page.ts';
import { savedWord } from '../../../pages/desk/saved-word.ts';
import type { ById } from '../../../pages/desk/section-kit.ts';
import { leadTo, show } from '../../../pages/desk/show.ts';
import { continued } from '../../../pages/desk/unsaved.ts';
import { pieceText } from '../../../pages/html.ts';
import { address } from '../../../pages/links.ts';
import { may, mayPublish } from '../../../people/auth/policy.ts';
import { PICTURE_FORM_LIMIT } from '../../picture/desk/picture-field.ts';
import { comparedLists } from './compare-page.ts';
import { eventFormPage, formOf } from './form-page.ts';
import { placeText } from './link-fields.ts';
import { eventListPage } from './list-page.ts';
import { listQuery } from './list-query.ts';
import { manyRoutes } from './many/routes.ts';
import { previewRoutes } from './preview.ts';
import { type EventsPage, findLinks, type LinkKind, sourceOf, termsOf } from './reading.ts';
import { repeatingDates } from './repeating.ts';
import { formSurroundings, saveEvent, typedForm } from './saving.ts';
import { deletionPage, scopeOf, type TriedAnswer, unseen } from './scope.ts';
import { changeSearches, SEARCH_CHANGES, searchesOf } from './searches.ts';
import { datesOf } from './series.ts';
import { type EventValues, NO_VALUES } from './values.ts';

const PATH = '/desk/events';
const NO_EVENTS: EventsPage = { events: [], total: 0, total_pages: 0 };

export const eventSection: DeskSection = {
  word: 'events',
  path: PATH,
  may: (user) => may(user, 'create', 'event'),
  routes(app) {
    app.get(PATH, async (_request, reply) => showList(reply, null));
    app.get(`${PATH}/new`, async (request, reply) => showForm(request.desk, reply, undefined));
    app.get(`${PATH}/compare`, async ({ desk }, reply) => show(reply, await comparedLists(desk)));
    app.get(`${PATH}/repeats`, async ({ desk }, reply) => {
      const part = repeatingDates({ ...desk, form: desk.parameters });
      return reply.type('text/html; charset=utf-8').send(part === null ? '' : pieceText(part, desk.site));
    });
    app.get(`${PATH}/find`, async (request) => candidates(request.desk));
    for (const file of ['events.csv', 'events.ics'])
      app.get(`/desk/${file}`, async ({ desk }, reply) => download(desk, reply, `/${file}`));
    manyRoutes(app);
    previewRoutes(app);
    const large = { bodyLimit: PICTURE_FORM_LIMIT };
    app.post(PATH, large, async (request, reply) => save(request.desk, reply, undefined));
    app.get<ById>(`${PATH}/${ID}`, async (request, reply) => showForm(request.desk, reply, request.params.id));
    app.post<ById>(`${PATH}/${ID}`, large, async (request, reply) => save(request.desk, reply, request.params.id));
    for (const [name, change] of Object.entries(SEARCH_CHANGES))
      app.post(`${PATH}/searches/${name}`, (_request, reply) =>
        changeSearches(reply, change, (problem) => showList(reply, problem)),
      );
    app.post<ById>(`${PATH}/${ID}/bin`, async (request, reply) => bin(request.desk, reply, request.params.id));
    app.post<ById>(`${PATH}/${ID}/restore`, async (request, reply) => restore(request.desk, reply, request.params.id));
  },
};

async function showList(reply: FastifyReply, refused: Problem | null): Promise<FastifyReply> {
  const { desk } = reply.request;
  const [{ body, problem }, categories, { searches }] = await Promise.all([
    desk.api.ask<EventsPage>('/events', listQuery(desk)),
    termsOf(desk.api, 'categories'),
    searchesOf(desk),
  ]);
  const list = problem ? NO_EVENTS : body;
  return show(reply, eventListPage(desk, { list, categories, searches, problem: refused ?? problem }));
}

/** The form of an event, of a new one, or of a copy of another one. */
async function showForm(request: DeskRequest, reply: FastifyReply, id: string | undefined): Promise<FastifyReply> {
  const { api } = request;
  const draft = await continued(request, formOf(id));
  if (draft) return show(reply, eventFormPage(draft, await typedForm(draft, id)));
  const { values, etag } =
    id === undefined
      ? { values: await newValues(request), etag: '' }
      : await sourceOf(api, id, await termsOf(api, 'tags'));
  const surroundings = await formSurroundings(request, values, id);
  return show(reply, eventFormPage(request, { ...surroundings, id, values, was: values, etag, problem: null }));
}

/**
 * A copy of another one; or in a week, in the evening, and a draft, until something else is chosen. The first event is offered as a
 * published one.
 */
async function newValues({ api, now, siteZone, parameters, user }: DeskRequest): Promise<EventValues> {
  const copied = textOf(parameters, 'copy');
  if (copied !== '') {
    const { values } = await sourceOf(api, encodeURIComponent(copied), await termsOf(api, 'tags'));
    return { ...values, status: 'draft', date: '', slug: '', event_status: 'scheduled' };
  }
  const day = addDays(todayIn(siteZone, now), 7);
  return {
    ...NO_VALUES,
    start_date: `${day}T19:00`,
    end_date: `${day}T21:00`,
    timezone: siteZone.name,
    status: textOf(parameters, 'state') === 'publish' && mayPublish(user) ? 'publish' : 'draft',
    event_status: 'scheduled',
  };
}

async function save(request: DeskRequest, reply: FastifyReply, id: string | undefined): Promise<FastifyReply> {
  const saved = await saveEvent(request, id);
  if ('again' in saved) return show(reply, eventFormPage(request, saved.again));
  if ('led' in saved) return leadTo(reply, saved.led, 'said_proposed');
  const { status, body } = saved.answer;
  if (status === 202) return leadTo(reply, `${REVIEW}/${body.id}`, 'said_proposed');
  // The date itself may be gone by another rule.
  if (scopeOf(request) !== 'this') return leadTo(reply, body.series ? datesOf(body.series.id) : PATH, 'said_saved');
  const created = body.status === 'draft' && mayPublish(request.user) ? 'said_created_draft' : 'said_created';
  const said = savedWord(request, body, id === undefined ? created : 'said_saved');
  return leadTo(reply, `${PATH}/${id ?? body.id}`, said);
}

/** Puts one date into the bin at once, several once the user has seen what would happen to them. */
async function bin(request: DeskRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { api } = request;
  const scope = scopeOf(request);
  const path = address(`/events/${id}`, [['scope', scope === 'this' ? '' : scope]]);
  if (scope !== 'this') {
    const tried = unseen(request, await api.send<TriedAnswer>('DELETE', `${path}&dry_run=1`));
    if (tried) return show(reply, deletionPage(request, id, tried));
  }
  const { status, problem } = await api.send('DELETE', path);
  if (problem) throw new ApiProblem(problem);
  return leadTo(reply, PATH, status === 202 ? 'said_proposed' : 'said_bin');
}

async function restore({ api }: DeskRequest, reply: FastifyReply, id: string): Promise<FastifyReply> {
  const { status, problem } = await api.send('PATCH', `/events/${id}`, { status: 'draft' });
  if (problem) throw new ApiProblem(problem);
  if (status === 202) return leadTo(reply, PATH, 'said_proposed');
  return leadTo(reply, `${PATH}/${id}`, 'said_restore');
}

/** Names for the field in which a venue or an organizer is searched. */
async function candidates({ api, parameters, words }: DeskRequest) {
  const kind: LinkKind = textOf(parameters, 'kind') === 'organizer' ? 'organizer' : 'venue';
  const links = await findLinks(api, kind, textOf(parameters, 'search'));
  return links.map((link) => ({ id: link.id, name: link.name, place: placeText(words, link) }));
}

// The list as a file: the same filters, all pages of it, as a table or a calendar.

const HEADERS = ['content-type', 'content-disposition'] as const;

async function download(request: DeskRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
  const { page: _page, per_page: _perPage, ...filters } = listQuery(request);
  const { problem, headers, stream } = await request.api.download(path, filters);
  if (problem) throw new ApiProblem(problem);
  for (const name of HEADERS) if (headers[name] !== undefined) reply.header(name, headers[name]);
  return reply.send(stream);
}
