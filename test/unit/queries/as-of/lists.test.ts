import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, someEvent, startTestService, type TestService } from '../../../support/service.ts';

const test = suite('lists as of any instant');

/** A request that changes something, and the seconds that pass before. */
interface Deed {
  readonly pause: number;
  readonly what: number;
  readonly whom: number;
  readonly how: number;
}

const HISTORY = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 1, 60, 40_000),
    what: fc.nat(13),
    whom: fc.nat(5),
    how: fc.nat(3),
  }),
  { minLength: 12, maxLength: 30 },
);

const WORDS = ['garden', 'river walk', 'Choir & garden', 'market'];
const STATUSES = ['publish', 'draft', 'private', 'pending'];
const STARTS = ['2026-11-20 10:00:00', '2026-11-21 18:00:00', '2026-12-24 09:00:00', '2027-02-01 20:00:00'];

const LISTS = [
  '/events?per_page=50',
  '/events?search=garden&per_page=50',
  '/events?starts_after=now&strict_dates=1&per_page=50',
  '/events?start_date=today&end_date=%2B40+days&per_page=50',
  '/events?ends_before=tomorrow',
  '/events?featured=1',
  '/events?categories=1&per_page=50',
  '/events?tags=2,3',
  '/events?venue=1,2,3,4,5',
  '/events?per_page=2&page=1',
  '/venues?search=river',
  '/venues?only_with_upcoming=1',
  '/venues?has_events=1',
  '/venues?has_events=0',
  '/organizers?per_page=2',
  '/categories?hide_empty=0',
  '/categories?orderby=count&order=desc',
  '/tags?hide_empty=1&search=a',
];

const COLLECTIONS = ['events', 'venues', 'organizers', 'categories', 'tags'];

/** What there is to do something to, by collection. */
type Known = Map<string, number[]>;

async function act(daybook: TestService, known: Known, { what, whom, how }: Deed): Promise<void> {
  const some = (collection: string): number | undefined => {
    const ids = known.get(collection) ?? [];
    return ids[whom % Math.max(1, ids.length)];
  };
  const word = WORDS[how] ?? '';
  const venue = some('venues');
  const organizer = some('organizers');
  const categories = [some('categories')].filter((id) => id !== undefined);
  const tags = [some('tags')].filter((id) => id !== undefined);
  const event = someEvent({
    title: word,
    start_date: STARTS[whom % 4],
    end_date: '2027-02-03 10:00:00',
    categories,
    tags,
    featured: whom % 2 === 0,
    ...(venue === undefined ? {} : { venue }),
    ...(organizer === undefined ? {} : { organizer }),
  });
  const created: readonly (readonly [string, object])[] = [
    ['events', event],
    ['venues', { venue: word }],
    ['organizers', { organizer: word }],
    ['categories', { name: `${word} ${whom}` }],
    ['tags', { name: `${word} ${whom}` }],
    ['events', { ...event, status: STATUSES[how] }],
  ];
  const makes = created[what];
  if (makes) {
    const { body } = await daybook.request('editor', 'POST', `/${makes[0]}`, makes[1]);
    if (body.id) known.set(makes[0], [...(known.get(makes[0]) ?? []), body.id]);
    return;
  }
  const changes: readonly (readonly [string, string, object?])[] = [
    ['events', 'PUT', { title: word, start_date: STARTS[how] }],
    ['events', 'PUT', { status: STATUSES[how] }],
    ['events', 'PUT', { password: how < 2 ? 'sesame' : '' }],
    ['events', 'DELETE'],
    ['venues', 'PUT', { venue: word, status: STATUSES[how] }],
    [COLLECTIONS[how + 1] ?? 'tags', 'DELETE'],
    ['categories', 'PUT', { name: `${word} anew`, parent: some('categories') }],
    ['events', 'PUT', { venue: venue ?? '', categories, tags }],
  ];
  const [collection = 'events', method = 'PUT', body] = changes[what - created.length] ?? [];
  const id = some(collection);
  if (id !== undefined) await daybook.request('editor', method, `/${collection}/${id}`, body);
}

/** All but the addresses, which say where it was asked. */
function content(body: Body): Body {
  const { rest_url: _, next_rest_url: __, previous_rest_url: ___, ...rest } = body;
  return rest;
}

type Seen = readonly { readonly status: number; readonly body: Body }[];

const lists = (daybook: TestService, asOf: string, as: 'anonymous' | 'editor'): Promise<Seen> =>
  Promise.all(
    LISTS.map(async (target) => {
      const { status, body } = await daybook.get(`${target}${asOf}`, as);
      // What is asked for today must exist; of the past it is found not to.
      return status === 400 ? { status: 200, body: null } : { status, body: content(body) };
    }),
  );

test('a list as of an instant is the list that was answered at that instant', async () => {
  await fc.assert(
    fc.asyncProperty(HISTORY, async (history) => {
      const daybook = await startTestService();
      try {
        const known: Known = new Map();
        const seen = new Map<number, Seen>();
        for (const deed of history) {
          daybook.clock.at += deed.pause;
          await act(daybook, known, deed);
          seen.set(daybook.clock.at, await lists(daybook, '', 'anonymous'));
        }
        daybook.clock.at += 1_000;
        for (const [at, before] of seen) {
          const then = await lists(daybook, `&as_of=${at}`, 'editor');
          for (const [index, list] of before.entries())
            if (list.body !== null) assert.equal(then[index], list, `${LISTS[index]}, ${at}`);
          await assertNothingClosed(daybook, at);
        }
      } finally {
        await daybook.close();
      }
    }),
    { numRuns: 4, seed: 20_261_121 },
  );
});

/** The public finds of the past what an editor finds, without what is not public today. */
async function assertNothingClosed(daybook: TestService, at: number): Promise<void> {
  const ids = async (target: string, as: 'anonymous' | 'editor') => {
    const { body } = await daybook.get(target, as);
    assert.is(body.total, body.events.length);
    return body.events.map(({ id }: Body) => id);
  };
  const all = await ids(`/events?per_page=50&as_of=${at}`, 'editor');
  const open: number[] = [];
  for (const id of all) {
    const today = await daybook.get(`/events/${id}`);
    const wasMasked = (await daybook.get(`/events/${id}?as_of=${at}`)).body.code === 'rest_past_protected';
    if (today.status === 200 || (today.body.code === 'event-password-protected' && wasMasked)) open.push(id);
  }
  const shown = await ids(`/events?per_page=50&as_of=${at}`, 'anonymous');
  assert.equal(
    shown.filter((id: number) => !open.includes(id)),
    [],
    'nothing that is closed today',
  );
  const publicToday: number[] = [];
  for (const id of all) if ((await daybook.get(`/events/${id}`)).status === 200) publicToday.push(id);
  assert.equal(
    publicToday.filter((id) => !shown.includes(id)),
    [],
    'everything that is open today',
  );
}

test.run();
