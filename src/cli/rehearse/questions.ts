// What is asked of a calendar to see all of it: every list page by page, lists by each filter, and every document by its id
// and its slug. What to ask next is learned from the answers.
import type { PostStatus } from '../../domain/post.ts';
import type { Json } from './differences.ts';

/** `subject` says in a report what kind of answer it is. */
export interface Question {
  readonly subject: string;
  /** Below the API's root. */
  readonly path: string;
}

const PER_PAGE = 50;
const ALL_TIMES = 'start_date=1000-01-01&end_date=9999-12-31';
const MAX_SEARCHES = 100;

/** The collections, and the filter of events by their members. Only posts have statuses and are found by their slug. */
const COLLECTIONS = [
  { name: 'events', filter: null, arePosts: true },
  { name: 'venues', filter: 'venue', arePosts: true },
  { name: 'organizers', filter: 'organizer', arePosts: true },
  { name: 'categories', filter: 'categories', arePosts: false },
  { name: 'tags', filter: 'tags', arePosts: false },
] as const;

/** The members of the page, and how many pages there are. */
export interface ListPage {
  readonly members: readonly Json[];
  readonly pages: number;
}

/** Asks both calendars, and answers with what either of them lists. */
export type AskList = (question: Question) => Promise<ListPage>;

interface Member {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly start: string;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function memberOf(value: Json): Member | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'number') return null;
  return { id: value.id, slug: text(value.slug), title: text(value.title), start: text(value.start_date) };
}

/**
 * Asks the lists, each also by these statuses, and gives the questions that remain: they are independent of each other.
 */
export async function* questions(askList: AskList, statuses: readonly PostStatus[]): AsyncGenerator<Question> {
  for (const { name, filter, arePosts } of COLLECTIONS) {
    const members = new Map<number, Member>();
    const times = name === 'events' ? `&${ALL_TIMES}` : '';
    const filters = ['', ...(arePosts ? statuses.map((status) => `&status=${status}`) : [])];
    for (const status of filters)
      for await (const member of membersOf(name, times + status, askList)) members.set(member.id, member);
    if (name === 'events') yield* listsOfEvents([...members.values()]);
    for (const { id, slug } of members.values()) {
      yield { subject: name, path: `/${name}/${id}` };
      if (arePosts && slug !== '') yield { subject: name, path: `/${name}/by-slug/${encodeURIComponent(slug)}` };
      if (filter !== null) yield listOfEvents(`${filter}=${id}&${ALL_TIMES}`);
    }
  }
}

async function* membersOf(name: string, filters: string, askList: AskList): AsyncGenerator<Member> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/${name}?per_page=${PER_PAGE}&page=${page}${filters}`;
    const list = await askList({ subject: `lists of ${name}`, path });
    pages = list.pages;
    for (const value of list.members) {
      const member = memberOf(value);
      if (member) yield member;
    }
  }
}

const listOfEvents = (query: string): Question => ({
  subject: 'lists of events',
  path: `/events?${query}&per_page=${PER_PAGE}`,
});

/** The default list, those of each month that has events, and searches for words of titles. */
function* listsOfEvents(events: readonly Member[]): Generator<Question> {
  yield { subject: 'lists of events', path: '/events' };
  for (const month of new Set(events.map(({ start }) => start.slice(0, 7)).filter(Boolean)))
    yield listOfEvents(`start_date=${month}-01&end_date=${month}-${lastDayOf(month)} 23:59:59`.replaceAll(' ', '%20'));
  const words = new Set(events.flatMap(({ title }) => /\p{L}{4,}/u.exec(title)?.[0].toLowerCase() ?? []));
  for (const word of [...words].slice(0, MAX_SEARCHES))
    yield listOfEvents(`search=${encodeURIComponent(word)}&${ALL_TIMES}`);
}

/** Of `2026-02`: 28. */
function lastDayOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
