// A small calendar, every route that reads it, every route that writes to it, and what an outage makes of them.
import * as assert from 'uvu/assert';
import { type Outages, outages, SECRET_ADDRESS } from './outages.ts';
import { type Answer, type As, someEvent, startTestService, type TestService } from './service.ts';

/** Ids of what is there from the beginning. */
export interface Ids {
  readonly [name: string]: number;
}

export interface OutageContext {
  daybook: TestService;
  away: Outages;
  ids: Ids;
}

const ALL_THERE = { store: false, views: false, filling: false };

export async function begin(context: OutageContext): Promise<void> {
  context.away = outages();
  context.daybook = await startTestService({ wrap: context.away.wrap });
  context.ids = await fill(context.daybook);
}

/** Everything is back. */
export const giveBack = ({ down }: Outages): void => void Object.assign(down, ALL_THERE);

export async function end({ daybook, away }: OutageContext): Promise<void> {
  giveBack(away);
  await daybook.close();
}

async function fill(daybook: TestService): Promise<Ids> {
  const create = async (collection: string, body: object): Promise<number> =>
    (await daybook.created('editor', collection, body)).id;
  const music = await create('categories', { name: 'Music' });
  const art = await create('categories', { name: 'Art' });
  const jazz = await create('categories', { name: 'Jazz', parent: music });
  const loud = await create('tags', { name: 'Loud' });
  const hall = await create('venues', { venue: 'Hall', city: 'Ghent' });
  const annex = await create('venues', { venue: 'Annex' });
  const band = await create('organizers', { organizer: 'Band' });
  const crew = await create('organizers', { organizer: 'Crew' });
  const links = { venue: hall, organizer: [band], categories: [jazz], tags: [loud] };
  const gig = await create('events', someEvent({ title: 'Gig', ...links }));
  const show = await create('events', someEvent({ title: 'Show', ...links }));
  const fair = await create('events', someEvent({ title: 'Fair', ...links }));
  const walk = await create('events', someEvent({ title: 'Walk' }));
  return { music, art, jazz, loud, hall, annex, band, crew, gig, show, fair, walk };
}

/** Every route that reads. The numbers of posts per page make lists that are not cached. */
export const reads = ({ gig, hall, band, jazz, loud }: Ids): string[] => [
  '/events?per_page=7',
  '/events?per_page=7&categories=music&tags=loud',
  `/events?per_page=7&venue=${hall}&organizer=${band}&include=${gig}`,
  '/events?per_page=7&search=gig',
  `/events/${gig}`,
  '/events/by-slug/gig',
  '/venues?per_page=7',
  `/venues?per_page=7&event=${gig}`,
  `/venues/${hall}`,
  '/venues/by-slug/hall',
  '/organizers?per_page=7&has_events=1',
  `/organizers/${band}`,
  '/organizers/by-slug/band',
  '/categories?per_page=7',
  `/categories?per_page=7&event=${gig}`,
  `/categories/${jazz}`,
  '/tags?per_page=7',
  `/tags/${loud}`,
];

export type Write = readonly [method: string, target: string, body: object | undefined, status: 200 | 201];

/** Every route that writes, each to a resource of its own. */
export const writes = (ids: Ids): Write[] => [
  ['POST', '/events', someEvent({ title: 'New', venue: ids.hall, categories: [ids.jazz, 'Folk'], tags: ['new'] }), 201],
  ['PUT', `/events/${ids.gig}`, { title: 'Great gig' }, 200],
  ['PATCH', '/events/by-slug/show', { venue: { venue: 'Barn' }, organizer: { organizer: 'Choir' } }, 200],
  ['POST', '/events/by-slug/walk', { featured: true }, 200],
  ['DELETE', '/events/by-slug/fair', undefined, 200],
  ['POST', '/venues', { venue: 'Cellar', city: 'Bruges' }, 201],
  ['PATCH', `/venues/${ids.hall}`, { city: 'Antwerp' }, 200],
  ['DELETE', '/venues/by-slug/annex', undefined, 200],
  ['POST', '/organizers', { organizer: 'Duo' }, 201],
  ['PUT', '/organizers/by-slug/band', { phone: '1234' }, 200],
  ['DELETE', `/organizers/${ids.crew}`, undefined, 200],
  ['POST', '/categories', { name: 'Bebop', parent: ids.jazz }, 201],
  ['PATCH', `/categories/${ids.jazz}`, { description: 'Swing' }, 200],
  ['POST', '/tags', { name: 'Quiet' }, 201],
  ['PUT', `/tags/${ids.loud}`, { name: 'Louder' }, 200],
];

export const send = (daybook: TestService, [method, target, body]: Write, as: As = 'editor'): Promise<Answer> =>
  daybook.request(as, method, target, body);

export function isRefusal(answer: Answer, what: string): void {
  assert.equal([answer.status, answer.body?.code], [503, 'rest_unavailable'], what);
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/, what);
  assert.match(answer.body.message, /Try again after Retry-After seconds\./, what);
  assert.not(answer.text.includes(SECRET_ADDRESS), what);
}

export const linesOf = ({ logged }: TestService, message: string): number =>
  logged.filter(({ msg }) => msg === message).length;

export const POSITION = 'x-daybook-position';

/** Waits until reads show everything up to a position, without an operator. */
export async function caughtUp(daybook: TestService, position: string | undefined): Promise<void> {
  for (;;) {
    const { status } = await daybook.get('/events/1', 'anonymous', { [POSITION]: position ?? '' });
    if (status !== 503) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const lastPosition = (answers: readonly Answer[]): string | undefined =>
  answers
    .map(({ headers }) => headers[POSITION])
    .sort()
    .at(-1);
