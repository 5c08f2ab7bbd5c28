// What the pages of events ask the API for.

import { type Proposal, type ProposalsPage, UNDECIDED } from '../../../editorial/proposals/desk/reading.ts';
import type { PageOf } from '../../../http/schemas/components.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { type EventAnswer, type OrganizerAnswer, type VenueAnswer, venuesOf } from '../../../pages/answers.ts';
import { ApiProblem, type DeskApi } from '../../../pages/desk/api.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { mayAssignAuthors, mayPublish } from '../../../people/auth/policy.ts';
import { COLLECTIONS } from '../../resource/domain/collections.ts';
import { type EventFields, linesOf, valuesOf } from './values.ts';

/** A category or a tag. */
export interface DeskTerm {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
}

/** A venue or an organizer. */
export interface DeskLink {
  readonly id: number;
  readonly name: string;
  /** What distinguishes it from others of the same name. */
  readonly place: string;
  readonly status: string;
}

export type EventsPage = PageOf<'events', EventAnswer>;

const PER_PAGE = 50;
/** Pages of terms: a form with more of them would not be read. */
const MAX_PAGES = 10;

type TermKind = 'categories' | 'tags';

/** All categories or tags, by their names. */
export async function termsOf(api: DeskApi, kind: TermKind): Promise<readonly DeskTerm[]> {
  const terms: DeskTerm[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { hide_empty: '0', per_page: PER_PAGE, page };
    const { body, problem } = await api.ask<TermsPage>(`/${kind}`, query);
    if (problem) break;
    terms.push(...body[kind].map(({ id, name, parent }) => ({ id, parent, name: lineOfHtml(name) })));
    if (page >= body.total_pages) break;
  }
  return terms;
}

type TermsPage = { readonly [kind in TermKind]: readonly DeskTerm[] } & { readonly total_pages: number };

export type LinkKind = 'venue' | 'organizer';

type Linked = VenueAnswer | OrganizerAnswer;

const linkOf = (one: Linked): DeskLink => ({
  id: one.id,
  status: one.status,
  ...('venue' in one
    ? { name: lineOfHtml(one.venue), place: [one.address, one.city].filter(Boolean).join(', ') }
    : { name: lineOfHtml(one.organizer), place: one.email ?? '' }),
});

/** The first venues or organizers that have these words. */
export async function findLinks(api: DeskApi, kind: LinkKind, search: string): Promise<readonly DeskLink[]> {
  const query = { search, per_page: PER_PAGE, status: 'publish,draft,pending,private,future' };
  const collection = COLLECTIONS[kind];
  const { body, problem } = await api.ask<LinksPage>(`/${collection}`, query);
  if (!problem) return body[collection].map(linkOf);
  // Not all may list what is not published.
  const open = await api.ask<LinksPage>(`/${collection}`, { search, per_page: PER_PAGE });
  return open.problem ? [] : open.body[collection].map(linkOf);
}

type LinksPage = { readonly [Collection in 'venues' | 'organizers']: readonly Linked[] };

/** The linked ones by their ids; one that cannot be read keeps its number as its name. */
export const linksOf = (api: DeskApi, kind: LinkKind, ids: string): Promise<readonly DeskLink[]> =>
  Promise.all(
    linesOf(ids).map(async (id) => {
      const { body, problem } = await api.ask<Linked>(`/${COLLECTIONS[kind]}/${id}`);
      return problem ? { id: Number(id), name: id, place: '', status: '' } : linkOf(body);
    }),
  );

/** An event as its form fills it in. */
export type EventSource = Awaited<ReturnType<typeof sourceOf>>;

/** The fields of an event as they were written. */
export interface FieldsAnswer {
  readonly fields: EventFields;
  readonly revision: number;
}

/** Whether an event has a password, as far as this user may know. */
export async function isProtected(api: DeskApi, id: string): Promise<boolean> {
  const { body, problem } = await api.ask<FieldsAnswer>(`/events/${id}/fields`);
  return problem === null && body.fields.password === true;
}

/** Those who may not write an event find it as it is shown: they propose what is to be otherwise. */
export async function sourceOf(api: DeskApi, id: string, tags: readonly DeskTerm[]) {
  const names = new Map(tags.map((tag) => [tag.id, tag.name]));
  const nameOf = (tag: number): string | undefined => names.get(tag);
  const { body, problem } = await api.ask<FieldsAnswer>(`/events/${id}/fields`);
  if (problem === null) {
    const { fields, revision } = body;
    return { values: valuesOf(fields, nameOf), etag: `"${revision}"` };
  }
  if (problem.status !== 403 || !(await api.allows('POST', `/events/${id}/proposals`))) throw new ApiProblem(problem);
  const event = await api.read<EventAnswer>(`/events/${id}`);
  const fields = {
    ...event,
    title: lineOfHtml(event.title),
    venue: venuesOf(event),
    tags: event.tags.map((tag) => tag.id),
  };
  return { values: valuesOf(fields, nameOf), etag: '' };
}

/** What waits for an event: proposals that are not decided, with the sets that they are in. */
export async function waitingFor(api: DeskApi, id: string): Promise<readonly Proposal[]> {
  const query = { kind: 'event', target: id, state: UNDECIDED, per_page: PER_PAGE };
  const { body, problem } = await api.ask<ProposalsPage>('/proposals', query);
  return problem ? [] : body.proposals;
}

/** What this user may do with what the form says. */
export type EventSteps = Awaited<ReturnType<typeof stepsFor>>;

/** `schedule`, at an instant: to publish it, or to change what is public. */
export async function stepsFor({ api, user }: DeskRequest, id: string | undefined, status: string) {
  if (id === undefined) return { save: true, schedule: mayPublish(user) };
  const save = await api.allows('PATCH', `/events/${id}`);
  const isPublic = status === 'publish' || status === 'private';
  return { save, schedule: save && (isPublic ? mayAssignAuthors(user) : mayPublish(user)) };
}
