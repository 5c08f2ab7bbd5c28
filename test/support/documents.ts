// Small documents for tests: say what matters, the rest is filled in.
import type { DocumentOf, EventDocument, LinkedPostDocument, TermDocument } from '../../src/read-model/documents.ts';
import {
  type EventAccess,
  type EventQuery,
  type LinkedPostQuery,
  NO_POSTS,
  type TermQuery,
  type Visibility,
} from '../../src/read-model/queries.ts';
import type { Batch, DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';

const FRAGMENTS = { full: '{}', masked: null };

const BASE = { revision: 0, position: '1', state: { some: 'state' } };

const POST = { status: 'publish', author: 1, date: 1_000, protected: false } as const;

/** The texts of an event stand in its state, too. */
const textsIn = (id: number, { title = `Event ${id}`, excerpt = '', description = '' }: Partial<EventDocument>) => ({
  ...{ title, excerpt, description },
  state: { some: 'state', title, excerpt, description },
});

export const event = (id: number, members: Partial<EventDocument> = {}): EventDocument => ({
  ...BASE,
  ...POST,
  kind: 'event',
  id,
  slug: `event-${id}`,
  startsAt: 10_000,
  endsAt: 13_600,
  hidden: false,
  featured: false,
  ticketed: false,
  parent: null,
  categories: [],
  tags: [],
  labels: [],
  venues: [],
  organizers: [],
  ...textsIn(id, members),
  fragments: FRAGMENTS,
  ...members,
});

const linkedPost = (id: number, name: string): Omit<LinkedPostDocument, 'kind'> => ({
  ...BASE,
  ...POST,
  id,
  slug: `${name}-${id}`,
  name: `${name} ${id}`,
  life: 0,
  searchable: [`${name} ${id}`],
  coordinates: null,
  fragments: FRAGMENTS,
});

export const venue = (id: number, members: Partial<LinkedPostDocument> = {}): LinkedPostDocument => ({
  ...linkedPost(id, 'venue'),
  ...members,
  kind: 'venue',
});

export const organizer = (id: number, members: Partial<LinkedPostDocument> = {}): LinkedPostDocument => ({
  ...linkedPost(id, 'organizer'),
  ...members,
  kind: 'organizer',
});

const term = (id: number): Omit<TermDocument, 'kind' | 'name' | 'slug'> => ({
  ...BASE,
  id,
  description: '',
  parent: 0,
  deleted: false,
});

export const category = (id: number, members: Partial<TermDocument> = {}): TermDocument => ({
  ...term(id),
  name: `Category ${id}`,
  slug: `category-${id}`,
  ...members,
  kind: 'category',
});

export const tag = (id: number, members: Partial<TermDocument> = {}): TermDocument => ({
  ...term(id),
  name: `Tag ${id}`,
  slug: `tag-${id}`,
  ...members,
  kind: 'tag',
});

export const seriesOfDates = (id: number): DocumentOf<'series'> => ({
  ...BASE,
  kind: 'series',
  id,
  seriesStatus: 'publish',
  author: 1,
  goesOn: false,
  isDivided: false,
  startsAt: 10_000,
  fragment: '{}',
});

export const user = (id: number, login: string, email: string): DocumentOf<'user'> => ({
  ...BASE,
  kind: 'user',
  id,
  login,
  email,
});

export const saved = (document: NonNullable<DocumentChange['document']>): DocumentChange => ({
  key: { kind: document.kind, id: document.id },
  document,
});

export const removed = (kind: DocumentChange['key']['kind'], id: number): DocumentChange => ({
  key: { kind, id },
  document: null,
});

/** The position after so many batches. */
export const positionAfter = (batches: number): string => String(batches).padStart(6, '0');

/** Applies changes wherever the model stands. */
export async function put(model: ReadModel, ...changes: readonly DocumentChange[]): Promise<void> {
  const after = await model.checkpoint();
  const batch: Batch = { after, upTo: positionAfter(Number(after) + 1), changes };
  const outcome = await model.apply(batch);
  if (outcome !== 'applied') throw new Error(`The batch after ${after} is ${outcome}.`);
}

export const PUBLIC: Visibility = { statuses: ['publish'], own: null };

/** What every reader may read. */
export const OPEN: EventAccess = { visible: PUBLIC, unmasked: NO_POSTS };

export const eventQuery = (members: Partial<EventQuery> = {}): EventQuery => ({
  visibility: PUBLIC,
  unmasked: NO_POSTS,
  linked: { venue: PUBLIC, organizer: PUBLIC },
  page: { offset: 0, limit: 50 },
  bounds: {},
  order: 'start',
  ...members,
});

export const linkedPostQuery = (members: Partial<LinkedPostQuery> = {}): LinkedPostQuery => ({
  kind: 'venue',
  visibility: PUBLIC,
  events: OPEN,
  page: { offset: 0, limit: 50 },
  ...members,
});

export const termQuery = (members: Partial<TermQuery> = {}): TermQuery => ({
  kind: 'category',
  events: OPEN,
  page: { offset: 0, limit: 50 },
  hideEmpty: false,
  orderBy: 'name',
  direction: 'ascending',
  ...members,
});
